import { expect, it } from 'vitest'
import { readCalendarSearch } from './calendar-search.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

it('reads an address, and says of what makes no sense that it is undefined', () => {
  const search = { view: 'day', day: '2026-11-22', by: 'room', provider: id, room: id, all: 'true', appointment: id, book: 'new' } as const
  expect(readCalendarSearch(search)).toEqual({ ...search, tab: undefined })
  expect(readCalendarSearch({ tab: 'surgeries' })).toEqual({ tab: 'surgeries' })
  const odd = {
    tab: 'appointments',
    view: 'year',
    day: '2026-02-30',
    by: 'x',
    provider: 'x',
    room: 7,
    all: 'no',
    appointment: '',
    book: 'x',
  }
  expect(readCalendarSearch(odd)).toEqual({})
  expect(Object.keys(readCalendarSearch(odd))).toEqual(expect.arrayContaining(Object.keys(odd)))
})
