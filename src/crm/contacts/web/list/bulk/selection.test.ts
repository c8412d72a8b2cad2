import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extended, isSelected, nobody, pageState, pageToggled, toggled } from './selection.ts'

const page = ['a', 'b', 'c', 'd', 'e']
const some = (...ids: string[]) => ({ ...nobody, ids: new Set(ids) })

describe('issue 3: selecting rows', () => {
  it('x selects a row and lets it go', () => {
    const one = toggled(nobody, 'b', page)
    expect([...one.ids]).toEqual(['b'])
    expect([...toggled(one, 'b', page).ids]).toEqual([])
  })

  it('shift extends from the last row that was selected, beside those selected before', () => {
    const begun = toggled(some('z'), 'd', page)
    const extension = extended(begun, ['b', 'c', 'd'])
    expect([...extension.ids].toSorted()).toEqual(['b', 'c', 'd', 'z'])
    expect([...extended(extension, ['d', 'e']).ids].toSorted()).toEqual(['b', 'c', 'd', 'e', 'z'])
    expect(extension.anchor).toBe('d')
  })

  it('the box in the head: all, some or none of the page', () => {
    expect(pageState(nobody, page)).toBe(false)
    expect(pageState(some('a', 'z'), page)).toBe('indeterminate')
    expect(pageState(some(...page), page)).toBe(true)
    expect([...pageToggled(some('a', 'z'), page).ids].toSorted()).toEqual([...page, 'z'])
    expect([...pageToggled(some(...page, 'z'), page).ids]).toEqual(['z'])
  })

  it('all that match: everyone is; without one, the rest of the page is', () => {
    const all = { ...nobody, matching: true }
    expect(isSelected(all, 'anybody')).toBe(true)
    expect([...toggled(all, 'b', page).ids]).toEqual(['a', 'c', 'd', 'e'])
    expect(pageToggled(all, page)).toEqual(nobody)
  })

  it('toggling twice changes nothing, whatever was selected', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...page, 'y', 'z'))
    fc.assert(
      fc.property(ids, fc.constantFrom(...page), (before, id) => {
        const twice = toggled(toggled(some(...before), id, page), id, page)
        expect(new Set(twice.ids)).toEqual(new Set(before))
      }),
    )
  })
})
