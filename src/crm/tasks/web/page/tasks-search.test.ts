import { expect, it } from 'vitest'
import { filtersOf, readTasksSearch } from './tasks-search.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

it('reads search parameters, omits defaults and sets invalid ones to undefined', () => {
  expect(
    readTasksSearch({ show: 'everyone', due: 'today', assignee: id, type: 'Call', priority: 'high', sort: 'title', page: '3' }),
  ).toEqual({
    show: 'everyone',
    due: 'today',
    assignee: id,
    type: 'Call',
    priority: 'high',
    sort: 'title',
    page: 3,
  })
  expect(readTasksSearch({ view: 'week', from: '2026-11-16', task: id })).toEqual({ view: 'week', from: '2026-11-16', task: id })
  const odd = { show: 'x', due: 'open', assignee: 'x', type: 'call', priority: 'urgent', sort: 'due', page: '-1', from: '2026-13-99' }
  expect(readTasksSearch(odd)).toEqual({})
  expect(Object.keys(readTasksSearch(odd))).toEqual(expect.arrayContaining(Object.keys(odd)))
})

it('filters by the user’s own tasks by default', () => {
  expect(filtersOf({})).toEqual({ show: 'mine' })
  expect(filtersOf({ show: 'everyone', patient: id })).toEqual({ show: 'everyone', contactId: id })
})
