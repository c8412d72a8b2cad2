import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listInput } from '../contacts/list-contract.ts'
import type { ViewedList } from './contract.ts'
import { builtInViews, isEmptyList, isSameList, listOf } from './rules.ts'

const inAddress = (address: ViewedList & { view: string; page: number }): ViewedList => address

describe('views', () => {
  it('has built-in views with valid list parameters', () => {
    for (const { list } of builtInViews) expect(listInput.safeParse(list).success).toBe(true)
    expect(new Set(builtInViews.map(({ id }) => id)).size).toBe(builtInViews.length)
  })

  it('leaves page and view of a URL out of the list parameters', () => {
    expect(listOf(inAddress({ view: 'mine', page: 3, filter: 'owner:me', search: undefined }))).toEqual({ filter: 'owner:me' })
    expect(isEmptyList(listOf(inAddress({ view: 'all', page: 2 })))).toBe(true)
  })

  it('compares two lists by their parameters', () => {
    const text = fc.option(fc.string({ minLength: 1 }), { nil: undefined })
    const lists = fc.record({ search: text, filter: text, columns: text })
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(isSameList(a, { ...a })).toBe(true)
        expect(isSameList(a, b)).toBe(a.search === b.search && a.filter === b.filter && a.columns === b.columns)
      }),
    )
  })
})
