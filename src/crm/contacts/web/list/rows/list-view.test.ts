import { expect, it } from 'vitest'
import type { ContactRow } from '../../embed/contact-data.ts'
import { type AskedPage, withPages } from './list-view.ts'

const row = (id: string) => ({ id }) as ContactRow
const asked = (page: number, ids: string[], total: number, at: number, isFetching = false): AskedPage => ({
  page,
  rows: ids.map(row),
  total,
  totalIsExact: true,
  isFetching,
  at,
})

it('keeps the total of the loaded pages when a page loads after the list has grown', () => {
  const first = withPages(null, 'all', [asked(1, ['b'], 100, 10)])
  const second = withPages(first, 'all', [asked(1, ['b'], 100, 10), asked(2, ['y'], 101, 20)])
  expect([second?.total, second?.pages.size]).toEqual([100, 2])
  // When refetched, both pages and the total change together.
  const waiting = withPages(second, 'all', [asked(1, ['a'], 101, 30), asked(2, ['y'], 101, 20, true)])
  expect([waiting?.total, waiting?.pages.get(1)?.[0]?.id]).toEqual([100, 'b'])
  const both = withPages(waiting, 'all', [asked(1, ['a'], 101, 30), asked(2, ['y'], 101, 31)])
  expect([both?.total, both?.pages.get(1)?.[0]?.id]).toEqual([101, 'a'])
})
