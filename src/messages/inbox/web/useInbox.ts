import { useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../../ui/client/api.ts'
import { useLive } from '../../../ui/client/live.ts'
import { usePages } from '../../../ui/client/usePages.ts'
import { keyOf } from './inbox-data.ts'
import type { InboxSearch, Show } from './inbox-search.ts'

/** Reloads the visible inbox data on every inbox event. */
export function useLiveInbox(): void {
  const cache = useQueryClient()
  useLive(['inbox', 'contact'], () => void cache.invalidateQueries({ queryKey: orpc.inbox.key() }), { debounceMs: 200 })
}

/** Pages of conversations, most recent message first. */
export function useConversations({ show: given, search }: Pick<InboxSearch, 'show' | 'search'>) {
  const show: Show = given ?? 'active'
  const wanted: Exclude<Show, 'patients'> = show === 'patients' ? 'unread' : show
  return usePages(orpc.inbox.conversations, { show: wanted, search }, { keepsPrevious: true, enabled: show !== 'patients' }).list
}

const maxUnread = 200

/** Spec 7: what no one has read, by patient. */
export const useUnreadByPatient = (isWanted: boolean) =>
  useQuery(orpc.inbox.unread.queryOptions({ input: { limit: maxUnread }, enabled: isWanted }))

/** A conversation: its newest messages, and older ones on demand. `id`: any of its threads. */
export const useConversation = (id: string) => usePages(orpc.inbox.conversation, { id }, { staleTime: 0 })

/** Whose conversation is open. Null: none, or it is still loading. */
export function useOpenKey(id: string | undefined): string | null {
  const { list } = usePages(orpc.inbox.conversation, { id: id ?? '' }, { staleTime: 0, enabled: id !== undefined })
  const conversation = id === undefined ? undefined : list.data?.pages[0]
  return conversation ? keyOf(conversation) : null
}
