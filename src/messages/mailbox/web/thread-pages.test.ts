import { describe, expect, it } from 'vitest'
import type { ThreadPage, ThreadRow } from './mailbox-data.ts'
import { rowsOf } from './thread-pages.ts'

/** Row n is n hours older than row 0. */
const row = (id: string, hours: number) => ({ id, date: new Date(Date.UTC(2026, 10, 20) - hours * 3_600_000).toISOString() }) as ThreadRow
const page = (rows: ThreadRow[], nextCursor: string | null = 'more'): ThreadPage => ({ data: rows, nextCursor })
const idsOf = (rows: readonly ThreadRow[]) => rows.map(({ id }) => id).join(' ')

describe('issue 7: a list of threads whose first page is read again', () => {
  const first = page([row('a', 1), row('b', 2), row('c', 3)])
  const second = page([row('d', 4), row('e', 5), row('f', 6)])

  it('keeps what was loaded below, without a gap where new threads have pushed it down', () => {
    const fresh = page([row('y', -1), row('z', 0), row('a', 1)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('y z a b c d e f')
  })

  it('shows a thread once that has come up from below', () => {
    const fresh = page([row('e', 0), row('a', 1), row('b', 2)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('e a b c d f')
  })

  it('leaves out what has left the first page', () => {
    const fresh = page([row('a', 1), row('c', 3), row('d', 4)])
    expect(idsOf(rowsOf(fresh, [first, second]))).toBe('a c d e f')
  })

  it('is the first page alone where nothing comes after it, or nothing was loaded', () => {
    expect(idsOf(rowsOf(page([row('a', 1)], null), [first, second]))).toBe('a')
    expect(idsOf(rowsOf(page([], null), [first]))).toBe('')
    expect(idsOf(rowsOf(first, []))).toBe('a b c')
  })
})
