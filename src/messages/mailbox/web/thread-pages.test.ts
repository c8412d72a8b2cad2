import { describe, expect, it } from 'vitest'
import type { ThreadPage, ThreadRow } from './mailbox-data.ts'
import { rowsOf } from './thread-pages.ts'

/** Row n is n hours older than row 0. */
const row = (id: string, hours: number) => ({ id, date: new Date(Date.UTC(2026, 10, 20) - hours * 3_600_000).toISOString() }) as ThreadRow
const page = (rows: ThreadRow[], nextCursor: string | null = 'more'): ThreadPage => ({ data: rows, nextCursor })
const idsOf = (rows: readonly ThreadRow[]) => rows.map(({ id }) => id).join(' ')

describe('a thread list whose first page is read again', () => {
  const first = page([row('a', 1), row('b', 2), row('c', 3)])
  const second = page([row('d', 4), row('e', 5), row('f', 6)])

  it('keeps the pages below without a gap when new threads push them down', () => {
    const fresh = page([row('y', -1), row('z', 0), row('a', 1)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('y z a b c d e f')
  })

  it('shows a thread that moved up only once', () => {
    const fresh = page([row('e', 0), row('a', 1), row('b', 2)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('e a b c d f')
  })

  it('drops threads that left the first page', () => {
    const fresh = page([row('a', 1), row('c', 3), row('d', 4)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('a c d e f')
  })

  it('is only the first page when no page follows or none was loaded', () => {
    expect(idsOf(rowsOf(page([row('a', 1)], null), [first, second]))).toBe('a')
    expect(idsOf(rowsOf(page([], null), [first]))).toBe('')
    expect(idsOf(rowsOf(first, []))).toBe('a b c')
  })
})
