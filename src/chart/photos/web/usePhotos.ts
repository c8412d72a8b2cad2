import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'

/** The photos of a patient for those who may see them, and the series for those who only take photos. */
export function usePhotos(contactId: string) {
  const cache = useQueryClient()
  const may = usePermission()
  const [maySee, mayTake] = [may('photos.ofContact'), may('photos.addSeries')]
  const asked = { input: { contactId } }
  const photos = useQuery(orpc.photos.ofContact.queryOptions({ ...asked, enabled: maySee }))
  const started = useQuery(orpc.photos.seriesOfContact.queryOptions({ ...asked, enabled: !maySee && mayTake }))
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.photos.key() })
  useLive(
    ['photo'],
    (ids) => {
      if (ids?.has(contactId) !== false) void refresh()
    },
    { debounceMs: 200 },
  )
  return { photos, started, maySee, mayTake, refresh }
}
