import type { ConversationData, MessageData, NoteData } from './inbox-data.ts'

export type ThreadItem = { kind: 'message'; message: MessageData } | { kind: 'note'; note: NoteData }

/**
 * Emails and notes in chronological order. @param pages newest first, as requested. Notes older than the oldest loaded email wait until
 * the emails around them are loaded.
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
