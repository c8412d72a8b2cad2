import { describe, expect, it } from 'vitest'
import { readOutstandingSearch } from './outstanding-search.ts'

describe('the address of those who owe', () => {
  it('holds the filters, and lets go of what makes no sense', () => {
    const id = '0198f0aa-0000-7000-8000-000000000001'
    expect(readOutstandingSearch({ show: 'late', age: 'days31to60', owner: id, page: '2', owes: id })).toEqual({
      show: 'late',
      age: 'days31to60',
      owner: id,
      page: 2,
      owes: id,
    })
    expect(readOutstandingSearch({ show: 'all', age: 'days30', owner: 7, page: 1, owes: "' or 1=1" })).toEqual({})
    expect(readOutstandingSearch({ show: ['late'], page: -4 })).toEqual({})
  })
})
