import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listInput } from '../contacts/contract.ts'
import type { ViewedList } from './contract.ts'
import { builtInViews, isEmptyList, isSameList, listOf } from './rules.ts'

const inAddress = (address: ViewedList & { view: string; page: number }): ViewedList => address

describe('issue 3: views', () => {
  it('those that everyone has show what the list understands', () => {
    for (const { list } of builtInViews) expect(listInput.safeParse(list).success).toBe(true)
    expect(new Set(builtInViews.map(({ id }) => id)).size).toBe(builtInViews.length)
  })

  it('the page and the view of an address are not part of what it shows', () => {
    expect(listOf(inAddress({ view: 'mine', page: 3, filter: 'owner:me', search: undefined }))).toEqual({ filter: 'owner:me' })
    expect(isEmptyList(listOf(inAddress({ view: 'all', page: 2 })))).toBe(true)
  })

  it('a list is the same as itself, and as no other', () => {
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
