import { describe, expect, it } from 'vitest'
import { contactMessages } from '../../contact-contract.ts'
import { contactSorts, defaultPageSize } from '../../list-contract.ts'
import { boardOrders } from '../../rules.ts'
import { formatFilters, listInputOf, loadFailed, orderLabels, pageSize, readListSearch, sortLabels } from './list-search.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

describe('readListSearch', () => {
  it('keeps what it knows and leaves the defaults out', () => {
    expect(readListSearch({ search: ' trem ', filter: `stage:${id}`, sort: 'name', page: '3' })).toEqual({
      search: 'trem',
      filter: `stage:${id}`,
      sort: 'name',
      page: 3,
    })
    expect(readListSearch({ search: '', sort: 'newest', page: 1 })).toEqual({})
  })
  it('keeps the board and the order of its columns', () => {
    expect(readListSearch({ layout: 'board', order: 'longest', sort: 'name' })).toEqual({ layout: 'board', order: 'longest', sort: 'name' })
    expect(readListSearch({ layout: 'list', order: 'latest' })).toEqual({})
    expect(readListSearch({ layout: 'table', order: 'toString' })).toEqual({})
  })
  it('ignores invalid parameters', () => {
    expect(readListSearch({ search: ['a'], filter: `tag:lead;tag:${id}'`, sort: 'toString', page: '-1', other: 'x' })).toEqual({})
    expect(readListSearch({ page: '99999999999' })).toEqual({})
    expect(readListSearch({ page: '2e3' })).toEqual({})
    // Present as undefined, so that the router does not keep it from the current URL.
    expect(readListSearch({ filter: 'x:y' })).toHaveProperty('filter', undefined)
  })
  it('reads a phone number that the URL parser turned into a number', () => {
    expect(readListSearch({ search: 9055550142 })).toEqual({ search: '9055550142' })
  })
  it('never sends what the server refuses', () => {
    expect(readListSearch({ search: `a\0${'b'.repeat(300)}` }).search).toHaveLength(199)
  })
})

it('requests the first page, newest first, by default', () => {
  expect(listInputOf({})).toEqual({ page: 1, sort: 'newest' })
  expect(listInputOf({ filter: 'owner:me', page: 2, sort: 'oldest' })).toEqual({ filter: 'owner:me', page: 2, sort: 'oldest' })
})

it('has a label for each order of the contract', () => {
  expect(Object.keys(orderLabels).toSorted()).toEqual([...boardOrders].toSorted())
  expect(Object.keys(sortLabels).toSorted()).toEqual([...contactSorts].toSorted())
})

it('names the active filters', () => {
  expect(formatFilters({ search: 'x' })).toBeNull()
  expect(formatFilters({ filter: `tag:${id}` })).toBe('1 filter is on: Tag.')
  expect(formatFilters({ filter: `stage:${id};tag!:${id}` })).toBe('2 filters are on: Stage, Tag.')
})

it('copies the constants of the contract', () => {
  expect(loadFailed).toBe(contactMessages.loadFailed)
  expect(pageSize).toBe(defaultPageSize)
})
