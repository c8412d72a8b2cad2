import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { livePurposesOf, type PatientUsesData } from '../use-data.ts'

/** Where a patient's photos are used, and by which consents. */
export function usePhotoUses(contactId: string) {
  const cache = useQueryClient()
  const may = usePermission()
  const options = orpc.photoUses.ofContact.queryOptions({ input: { contactId }, enabled: may('photoUses.ofContact') })
  const query = useQuery(options)
  useLive(['photo', 'consent-form'], () => void cache.invalidateQueries({ queryKey: options.queryKey }), { debounceMs: 200 })
  return {
    query,
    mayUse: may('photoUses.begin'),
    livePurposes: (photoId: string) => livePurposesOf(query.data?.uses ?? [], photoId),
    show: (next: PatientUsesData) => void cache.setQueryData(options.queryKey, next),
  }
}
export type PhotoUses = ReturnType<typeof usePhotoUses>
