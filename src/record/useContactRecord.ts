import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { codeOf, orpc, statusOf } from '../ui/client/api.ts'
import { useLive } from '../ui/client/live.ts'
import { rememberPatient } from '../ui/client/recent-patients.ts'
import { useSession } from '../ui/client/session.ts'

/** One patient with the stage history, kept up to date by server events. */
export function useContactRecord(id: string) {
  const cache = useQueryClient()
  const userId = useSession().user?.id
  // A URL such as /contacts/board is not a patient's, and the API has something else there.
  const isPossibleId = /^[0-9a-f-]{36}$/i.test(id)
  const contact = useQuery(orpc.contacts.get.queryOptions({ input: { id }, enabled: isPossibleId }))
  const history = useQuery(orpc.contacts.stageHistory.queryOptions({ input: { id }, enabled: contact.data !== undefined }))

  const refresh = useCallback(() => {
    for (const call of [orpc.contacts.get, orpc.contacts.stageHistory, orpc.contacts.tags]) {
      void cache.invalidateQueries({ queryKey: call.key({ input: { id } }) })
    }
    void cache.invalidateQueries({ queryKey: orpc.interactions.key() })
    // The list is refetched when the user returns to it.
    void cache.invalidateQueries({ queryKey: orpc.contacts.list.key() })
  }, [cache, id])

  useLive(
    ['contact'],
    (ids) => {
      if (ids === null || ids.has(id)) refresh()
    },
    { debounceMs: 300 },
  )

  const isLoaded = contact.data !== undefined
  useEffect(() => {
    if (userId && isLoaded) rememberPatient(userId, id)
  }, [userId, isLoaded, id])

  // A deleted patient is missing even if their data is still cached. The API refuses an invalid id with 422.
  const isMissing = !isPossibleId || codeOf(contact.error) === 'NOT_FOUND' || statusOf(contact.error) === 422
  return { contact: isMissing ? undefined : contact.data, query: contact, history: history.data ?? [], isMissing, refresh }
}
