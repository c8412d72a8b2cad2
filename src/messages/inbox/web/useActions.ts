import { useQueryClient } from '@tanstack/react-query'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { formatCount } from '../../../ui/format.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { inboxMessages } from '../contract.ts'

/** Actions on messages and conversations. A failure is shown with spec 8's message, and nothing has changed then. */
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
    attempt(status === 'archived' ? 'Couldn’t archive the conversation' : 'Couldn’t reopen the conversation', () =>
      client.inbox.change({ id, status }),
    )

  return {
    markRead: (id: string) => attempt(inboxMessages.markOne, () => client.inbox.markRead({ id })),
    markUnread: (id: string) => attempt('Failed to mark message as unread', () => client.inbox.markUnread({ id })),
    markConversation: async (id: string) => sayRead(await attempt(inboxMessages.markAll, () => client.inbox.markConversationRead({ id }))),
    markContact: async (contactId: string) =>
      sayRead(await attempt(inboxMessages.markContact, () => client.inbox.markContactRead({ contactId }))),
    /** An address not linked to a patient. */
    markSender: async (address: string) =>
      sayRead(await attempt(inboxMessages.markContact, () => client.inbox.markSenderRead({ address }))),
    /** Messages that arrive after the button was pressed stay unread. */
    markAll: async (pressed: Date) =>
      sayRead(await attempt(inboxMessages.markAll, () => client.inbox.markAllRead({ before: pressed.toISOString() }))),
    archive: async (id: string): Promise<boolean> => {
      if (!(await move(id, 'archived'))) return false
      toast.undoable('Conversation archived', () => void move(id, 'active'))
      return true
    },
    bringBack: async (id: string) => {
      if (await move(id, 'active')) toast.success('Conversation reopened')
    },
    assign: (id: string, assignedTo: string | null) =>
      attempt('Couldn’t assign the conversation', () => client.inbox.change({ id, assignedTo })),
    /** Null ends the snooze. */
    snooze: async (id: string, until: string | null): Promise<boolean> =>
      (await attempt(until === null ? 'Couldn’t end the snooze' : 'Couldn’t snooze the conversation', () =>
        client.inbox.change({ id, snoozedUntil: until }),
      )) !== null,
    sendScheduled: (id: string) => attempt('Couldn’t send the message', () => client.inbox.sendScheduled({ id })),
    cancelScheduled: (id: string) => attempt('Couldn’t cancel the message', () => client.inbox.cancelScheduled({ id })),
    changeScheduled: (change: { id: string; text: string; html: string | null; sendAt: string }) =>
      attempt('Couldn’t change the message', () => client.inbox.changeScheduled(change)),
    resend: (id: string) => attempt(inboxMessages.send, () => client.inbox.resend({ id })),
  }
}
export type Actions = ReturnType<typeof useActions>
