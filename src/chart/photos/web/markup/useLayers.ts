import { useQuery } from '@tanstack/react-query'
import { type Client, orpc } from '../../../../ui/client/api.ts'

export type LayerData = Awaited<ReturnType<Client['photos']['layers']>>[number]

/** The markup on a photo, which `isThere` unless it is being deleted. */
export const useLayers = (photoId: string, isThere = true) =>
  useQuery(orpc.photos.layers.queryOptions({ input: { photoId }, enabled: isThere }))
