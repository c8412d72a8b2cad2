import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { codeOf, orpc, statusOf } from '../ui/client/api.ts'
import { useLive } from '../ui/client/live.ts'
import { rememberPatient } from '../ui/client/recent-patients.ts'
import { useSession } from '../ui/client/session.ts'

/** One patient with the moves between stages, kept true by the events of the server. */
export function useContactRecord(id: string) {
  const cache = useQueryClient()
  const userId = useSession().user?.id
  // An address such as /contacts/board is none of a patient's, and the API has something else there.
  const mayBe = /^[0-9a-f-]{36}$/i.test(id)
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id }, enabled: mayBe }))
  const history = useQuery(orpc.contacts.stageHistory.queryOptions({ input: { id }, enabled: contact.data !== undefined }))

  const refresh = useCallback(() => {
    for (const call of [orpc.contacts.get, orpc.contacts.stageHistory, orpc.contacts.tags]) {
      void cache.invalidateQueries({ queryKey: call.key({ input: { id } }) })
    }
    void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    // The list is asked again when it is gone back to.
    void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
  }, [cache, id])

  useLive(
    ['contact'],
    (ids) => {
      if (ids === null || ids.has(id)) refresh()
    },
    { debounceMs: 300 },
  )

  const isThere = contact.data !== undefined
  useEffect(() => {
    if (userId && isThere) rememberPatient(userId, id)
  }, [userId, isThere, id])

  // A patient who was deleted in the meantime is gone, even while what was shown of them is still in the cache. An id that is none is refused.
  const isMissing = !mayBe || codeOf(contact.error) === 'NOT_FOUND' || statusOf(contact.error) === 422
  return { contact: isMissing ? undefined : contact.data, query: contact, history: history.data ?? [], isMissing, refresh }
}
