import { expect, it } from 'vitest'
import { filtersOf, readTasksSearch } from './tasks-search.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

it('reads an address, leaves defaults out, and says of what makes no sense that it is undefined', () => {
  expect(
    readTasksSearch({ whose: 'everyone', due: 'today', assignee: id, type: 'Call', priority: 'high', sort: 'title', page: '3' }),
  ).toEqual({
    whose: 'everyone',
    due: 'today',
    assignee: id,
    type: 'Call',
    priority: 'high',
    sort: 'title',
    page: 3,
  })
  expect(readTasksSearch({ view: 'week', from: '2026-11-16', task: id })).toEqual({ view: 'week', from: '2026-11-16', task: id })
  const odd = { whose: 'x', due: 'open', assignee: 'x', type: 'call', priority: 'urgent', sort: 'due', page: '-1', from: '2026-13-99' }
  expect(readTasksSearch(odd)).toEqual({})
  expect(Object.keys(readTasksSearch(odd))).toEqual(expect.arrayContaining(Object.keys(odd)))
})

it('asks for one’s own tasks unless told otherwise', () => {
  expect(filtersOf({})).toEqual({ whose: 'mine' })
  expect(filtersOf({ whose: 'everyone', patient: id })).toEqual({ whose: 'everyone', contactId: id })
})
