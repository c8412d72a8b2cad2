import { expect, it } from 'vitest'
import { readSurgeriesSearch } from './surgeries-search.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

it('reads a URL and sets invalid values to undefined', () => {
  const calendar = { view: 'day', day: '2026-11-22', by: 'room', provider: id, room: id, book: 'new' } as const
  const search = { ...calendar, status: 'ready', missing: 'true', surgery: id, item: id } as const
  expect(readSurgeriesSearch(search)).toEqual(search)
  const odd = {
    view: 'year',
    day: '2026-02-30',
    by: 'x',
    provider: 'x',
    room: 7,
    book: 'x',
    status: 'gone',
    missing: 'perhaps',
    surgery: 'x',
    item: 'x',
  }
  expect(readSurgeriesSearch(odd)).toEqual({})
  expect(Object.keys(readSurgeriesSearch(odd))).toEqual(expect.arrayContaining(Object.keys(odd)))
})
