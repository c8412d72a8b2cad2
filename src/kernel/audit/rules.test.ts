import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference } from './rules.ts'

describe('the before and after of a change', () => {
  it('contains only the fields that differ', () => {
    const at = new Date(0)
    expect(difference({ a: 1, b: 'x', c: null, d: at }, { a: 2, b: 'x', c: null, d: new Date(0) })).toEqual({
      before: { a: 1 },
      after: { a: 2 },
    })
    expect(difference({ metadata: { a: 1 } }, { metadata: { a: 2 } })).toEqual({
      before: { metadata: { a: 1 } },
      after: { metadata: { a: 2 } },
    })
  })

  it('is empty for equal rows, and converts one row to the other', () => {
    const row = fc.record({ a: fc.option(fc.string()), b: fc.integer(), c: fc.boolean() })
    fc.assert(
      fc.property(row, row, (before, after) => {
        expect(difference(before, before)).toEqual({ before: {}, after: {} })
        const diff = difference(before, after)
        expect({ ...before, ...diff.after }).toEqual(after)
        expect({ ...after, ...diff.before }).toEqual(before)
      }),
    )
  })
})
