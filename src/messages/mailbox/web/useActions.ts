import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { client, codeOf, messageOf, orpc, statusOf } from '../../../ui/client/api.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import type { places } from '../rules.ts'
import type { ThreadData, ThreadPage, ThreadRow } from './mailbox-data.ts'

type Place = (typeof places)[number]

const moved: Record<Place, { done: string; failed: string }> = {
  archive: { done: 'Archived', failed: 'The thread was not archived' },
  trash: { done: 'Moved to the trash', failed: 'The thread was not moved to the trash' },
  inbox: { done: 'Moved to the inbox', failed: 'The thread was not moved to the inbox' },
}

/**
 * Actions on threads, applied optimistically; a failure is shown, and the data reloaded. Completed actions also arrive as events
 * (useLiveMailbox).
 */
export function useActions() {
  const cache = useQueryClient()

  async function attempt<Result>(failed: string, action: () => Promise<Result>): Promise<Result | null> {
    try {
      return await action()
    } catch (error) {
      const code = codeOf(error)
      toast.error(failed, statusOf(error) === 0 ? 'The connection was lost. Nothing was changed.' : messageOf(error))
      if (code === 'RECONNECT' || code === 'NOT_CONNECTED') void cache.invalidateQueries({ queryKey: orpc.mailbox.connection.key() })
      for (const part of [orpc.mailbox.threads, orpc.mailbox.thread, orpc.mailbox.folders])
        void cache.invalidateQueries({ queryKey: part.key() })
      return null
    }
  }
  const mark = (id: string, unread: boolean) => {
    patchThread(cache, id, (thread) => ({ ...thread, isUnread: unread }))
    cache.setQueryData<ThreadData>(orpc.mailbox.thread.queryKey({ input: { id } }), (thread) => thread && marked(thread, unread))
    return attempt(unread ? 'The thread was not marked as unread' : 'The thread was not marked as read', () =>
      client.mailbox.changeThread({ id, unread }),
    )
  }
  const put = (id: string, place: Place) => attempt(moved[place].failed, () => client.mailbox.changeThread({ id, place }))

  return {
    markRead: (id: string) => mark(id, false),
    markUnread: (id: string) => mark(id, true),
    /** @param from the location to return to. */
    async move(id: string, place: Place, from: Place): Promise<void> {
      if (place !== 'inbox') patchThread(cache, id, () => null)
      if (await put(id, place)) toast.undoable(moved[place].done, () => void put(id, from))
    },
    link: (id: string, contactId: string) =>
      attempt('The thread was not linked', async () => {
        const contact = await client.mailbox.link({ id, contactId })
        patchThread(cache, id, (thread) => ({ ...thread, contact }))
        cache.setQueryData<ThreadData>(orpc.mailbox.thread.queryKey({ input: { id } }), (thread) => thread && { ...thread, contact })
        return contact
      }),
    unlink: (id: string) =>
      attempt('The thread was not unlinked', async () => {
        await client.mailbox.unlink({ id })
        patchThread(cache, id, (thread) => ({ ...thread, contact: null }))
        cache.setQueryData<ThreadData>(orpc.mailbox.thread.queryKey({ input: { id } }), (thread) => thread && { ...thread, contact: null })
        return { id }
      }),
  }
}
export type Actions = ReturnType<typeof useActions>

/** Marks only the newest as unread, where a provider has only one mark per thread. */
const marked = (thread: ThreadData, unread: boolean): ThreadData => ({
  ...thread,
  isUnread: unread,
  messages: thread.messages.map((message, index) => ({
    ...message,
    isUnread: unread && (message.isUnread || index === thread.messages.length - 1),
  })),
})

/** Updates every list with the thread; null removes it. */
function patchThread(cache: QueryClient, id: string, patch: (thread: ThreadRow) => ThreadRow | null): void {
  const ofPage = (page: ThreadPage): ThreadPage => ({
    ...page,
    data: page.data.flatMap((row) => (row.id === id ? (patch(row) ?? []) : [row])),
  })
  cache.setQueriesData<ThreadPage | { pages: ThreadPage[] }>({ queryKey: orpc.mailbox.threads.key() }, (data) => {
    if (!data) return data
    return 'pages' in data ? { ...data, pages: data.pages.map(ofPage) } : ofPage(data)
  })
}
