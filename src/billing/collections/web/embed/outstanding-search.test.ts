import { describe, expect, it } from 'vitest'
import { readOutstandingSearch } from './outstanding-search.ts'

describe('outstanding list URL', () => {
  it('keeps valid filters and drops invalid ones', () => {
    const id = '0198f0aa-0000-7000-8000-000000000001'
    expect(readOutstandingSearch({ show: 'late', age: 'days31to60', owner: id, page: '2', accountOf: id })).toEqual({
      show: 'late',
      age: 'days31to60',
      owner: id,
      page: 2,
      accountOf: id,
    })
    expect(readOutstandingSearch({ show: 'all', age: 'days30', owner: 7, page: 1, accountOf: "' or 1=1" })).toEqual({})
    expect(readOutstandingSearch({ show: ['late'], page: -4 })).toEqual({})
  })
})
