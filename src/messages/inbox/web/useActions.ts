import { useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { inboxMessages } from '../contract.ts'

/** What is done with messages and conversations. What fails is said in the words of spec 8, and nothing has changed then. */
export function useActions() {
  const cache = useQueryClient()

  async function attempt<Result>(failed: string, action: () => Promise<Result>): Promise<Result | null> {
    try {
      const result = await action()
      void cache.invalidateQueries({ queryKey: orpc.inbox.key() })
      return result
    } catch (error) {
      toast.error(failed, messageOf(error))
      return null
    }
  }
  const sayRead = (done: { count: number } | null) => {
    if (done) toast.success(done.count === 1 ? '1 message marked as read' : `${formatCount(done.count)} messages marked as read`)
  }
  const move = (id: string, status: 'active' | 'archived') =>
    attempt(status === 'archived' ? 'The conversation was not archived' : 'The conversation was not brought back', () =>
      client.inbox.change({ id, status }),
    )

  return {
    markRead: (id: string) => attempt(inboxMessages.markOne, () => client.inbox.markRead({ id })),
    markUnread: (id: string) => attempt('Failed to mark message as unread', () => client.inbox.markUnread({ id })),
    markConversation: async (id: string) => sayRead(await attempt(inboxMessages.markAll, () => client.inbox.markConversationRead({ id }))),
    markContact: async (contactId: string) =>
      sayRead(await attempt(inboxMessages.markContact, () => client.inbox.markContactRead({ contactId }))),
    /** Of an address that is no one's yet. */
    markSender: async (address: string) =>
      sayRead(await attempt(inboxMessages.markContact, () => client.inbox.markSenderRead({ address }))),
    /** What arrives after the button was pressed stays unread. */
    markAll: async (pressed: Date) =>
      sayRead(await attempt(inboxMessages.markAll, () => client.inbox.markAllRead({ before: pressed.toISOString() }))),
    archive: async (id: string): Promise<boolean> => {
      if (!(await move(id, 'archived'))) return false
      toast.undoable('Conversation archived', () => void move(id, 'active'))
      return true
    },
    bringBack: async (id: string) => {
      if (await move(id, 'active')) toast.success('The conversation is open again')
    },
    assign: (id: string, assignedTo: string | null) =>
      attempt('The conversation was not assigned', () => client.inbox.change({ id, assignedTo })),
    resend: (id: string) => attempt(inboxMessages.send, () => client.inbox.resend({ id })),
  }
}
export type Actions = ReturnType<typeof useActions>
