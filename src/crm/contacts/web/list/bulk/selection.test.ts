import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extended, isSelected, emptySelection, pageState, pageToggled, toggled } from './selection.ts'

const page = ['a', 'b', 'c', 'd', 'e']
const some = (...ids: string[]) => ({ ...emptySelection, ids: new Set(ids) })

describe('row selection', () => {
  it('selects and deselects a row', () => {
    const one = toggled(emptySelection, 'b', page)
    expect([...one.ids]).toEqual(['b'])
    expect([...toggled(one, 'b', page).ids]).toEqual([])
  })

  it('adds a range from the last selected row to the selection', () => {
    const begun = toggled(some('z'), 'd', page)
    const extension = extended(begun, ['b', 'c', 'd'])
    expect([...extension.ids].toSorted()).toEqual(['b', 'c', 'd', 'z'])
    expect([...extended(extension, ['d', 'e']).ids].toSorted()).toEqual(['b', 'c', 'd', 'e', 'z'])
    expect(extension.anchor).toBe('d')
  })

  it('computes the header checkbox from all, some or none of the page', () => {
    expect(pageState(emptySelection, page)).toBe(false)
    expect(pageState(some('a', 'z'), page)).toBe('indeterminate')
    expect(pageState(some(...page), page)).toBe(true)
    expect([...pageToggled(some('a', 'z'), page).ids].toSorted()).toEqual([...page, 'z'])
    expect([...pageToggled(some(...page, 'z'), page).ids]).toEqual(['z'])
  })

  it('selects everyone with all matches, and the rest of the page after deselecting one', () => {
    const all = { ...emptySelection, matching: true }
    expect(isSelected(all, 'anybody')).toBe(true)
    expect([...toggled(all, 'b', page).ids]).toEqual(['a', 'c', 'd', 'e'])
    expect(pageToggled(all, page)).toEqual(emptySelection)
  })

  it('changes nothing when toggled twice', () => {
    const ids = fc.uniqueArray(fc.constantFrom(...page, 'y', 'z'))
    fc.assert(
      fc.property(ids, fc.constantFrom(...page), (before, id) => {
        const twice = toggled(toggled(some(...before), id, page), id, page)
        expect(new Set(twice.ids)).toEqual(new Set(before))
      }),
    )
  })
})
