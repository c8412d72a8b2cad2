import { describe, expect, it } from 'vitest'
import type { MessageData, NoteData } from './inbox-data.ts'
import { threadItems } from './thread-items.ts'

const message = (id: string, createdAt: string) => ({ id, createdAt }) as MessageData
const note = (id: string, createdAt: string) => ({ id, createdAt }) as NoteData
const idsOf = (items: ReturnType<typeof threadItems>) => items.map((item) => (item.kind === 'note' ? item.note.id : item.message.id))

describe('a conversation’s items', () => {
  const notes = [note('early', '2026-11-01T08:00:00.000Z'), note('late', '2026-11-03T12:00:00.000Z')]
  const newest = {
    messages: [message('c', '2026-11-03T10:00:00.000Z'), message('d', '2026-11-04T10:00:00.000Z')],
    notes,
    nextCursor: 'cursor',
  }
  const older = {
    messages: [message('a', '2026-11-01T07:00:00.000Z'), message('b', '2026-11-02T10:00:00.000Z')],
    notes,
    nextCursor: null,
  }

  it('orders emails and notes by time', () => {
    expect(idsOf(threadItems([newest, older]))).toEqual(['a', 'early', 'b', 'c', 'late', 'd'])
  })

  it('hides a note until the emails around it are loaded', () => {
    expect(idsOf(threadItems([newest]))).toEqual(['c', 'late', 'd'])
    expect(threadItems([])).toEqual([])
  })
})
