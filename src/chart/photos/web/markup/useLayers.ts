import { useQuery } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'

export type LayerData = Awaited<ReturnType<Client['photos']['layers']>>[number]

/** The markup on a photo. */
export const useLayers = (photoId: string) => useQuery(orpc.photos.layers.queryOptions({ input: { photoId } }))
