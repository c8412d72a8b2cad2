import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { toast } from '../../../../ui/overlays/toast.ts'
import { livePurposesOf, type PatientUsesData, type ReleaseData } from '../use-data.ts'

/** Where a patient's photos are used, by which consents, and which of them the patient sees in the portal. */
export function usePhotoUses(contactId: string) {
  const cache = useQueryClient()
  const may = usePermission()
  const options = orpc.photoUses.ofContact.queryOptions({ input: { contactId }, enabled: may('photoUses.ofContact') })
  const query = useQuery(options)
  useLive(['photo', 'consent-form'], () => void cache.invalidateQueries({ queryKey: options.queryKey }), { debounceMs: 200 })
  const show = (next: PatientUsesData) => void cache.setQueryData(options.queryKey, next)

  async function takeBack(photoIds: readonly string[]) {
    try {
      show(await client.photoUses.takeBack({ contactId, photoIds: [...photoIds] }))
      toast.undoable(
        photoIds.length === 1 ? 'Photo taken back from the portal' : `${photoIds.length} photos taken back from the portal`,
        () => void releaseAgain(photoIds),
      )
    } catch (error) {
      toast.error('Nothing was taken back', messageOf(error))
    }
  }
  async function releaseAgain(photoIds: readonly string[]) {
    try {
      show(await client.photoUses.release({ contactId, photoIds: [...photoIds] }))
    } catch (error) {
      toast.error('Nothing was released', messageOf(error))
    }
  }
  return {
    query,
    mayUse: may('photoUses.begin'),
    livePurposes: (photoId: string) => livePurposesOf(query.data?.uses ?? [], photoId),
    /** Since when the patient sees a photo in the portal; null: not released. */
    releaseOf: (photoId: string): ReleaseData | null => query.data?.releases.find((release) => release.photoId === photoId) ?? null,
    takeBack,
    show,
  }
}
export type PhotoUses = ReturnType<typeof usePhotoUses>
