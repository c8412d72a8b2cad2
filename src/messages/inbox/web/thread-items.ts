import type { ConversationData, MessageData, NoteData } from './inbox-data.ts'

export type ThreadItem = { kind: 'message'; message: MessageData } | { kind: 'note'; note: NoteData }

/**
 * Mails and notes in the order in which they came.
 * @param pages the newest first, as they were asked for. Notes from before the oldest mail that is there wait for the mails around them.
 */
export function threadItems(pages: readonly Pick<ConversationData, 'messages' | 'notes' | 'nextCursor'>[]): ThreadItem[] {
  const messages = pages.toReversed().flatMap((page) => page.messages)
  const from = pages.at(-1)?.nextCursor ? (messages[0]?.createdAt ?? '') : ''
  const notes = (pages[0]?.notes ?? []).filter(({ createdAt }) => createdAt >= from)
  const items: ThreadItem[] = [
    ...messages.map((message) => ({ kind: 'message' as const, message })),
    ...notes.map((note) => ({ kind: 'note' as const, note })),
  ]
  return items.toSorted((a, b) => Date.parse(at(a)) - Date.parse(at(b)))
}

const at = (item: ThreadItem): string => (item.kind === 'message' ? item.message.createdAt : item.note.createdAt)
