import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countAbove, nothingAbove, rowsToMove } from './row-in-hand.ts'

const moved = (change: { after: string[]; inHand?: string; seen?: string[] }) =>
  rowsToMove({
    inHand: change.inHand ?? null,
    seen: change.seen ?? [],
    before: (id) => ['a', 'b', 'c', 'd'].indexOf(id),
    after: (id) => change.after.indexOf(id),
  })

describe('rowsToMove', () => {
  it('moves by as many rows as came above the row in hand', () => {
    expect(moved({ inHand: 'b', after: ['x', 'y', 'a', 'b', 'c', 'd'] })).toBe(2)
    expect(moved({ inHand: 'c', after: ['a', 'c', 'd'] })).toBe(-1)
  })
  it('stays when rows came below the row in hand', () => {
    expect(moved({ inHand: 'a', after: ['a', 'x', 'b', 'c', 'd'] })).toBe(0)
  })
  it('shows what is new at the top when no row is in hand', () => {
    expect(moved({ after: ['x', 'a', 'b', 'c', 'd'] })).toBe(0)
  })
  it('keeps the first visible row of a list that was scrolled', () => {
    expect(moved({ seen: ['b', 'c'], after: ['x', 'a', 'b', 'c', 'd'] })).toBe(1)
  })
  it('keeps the next one when the row in hand is gone', () => {
    expect(moved({ inHand: 'b', seen: ['b', 'c'], after: ['x', 'a', 'c', 'd'] })).toBe(0)
    expect(moved({ inHand: 'b', seen: ['b', 'c'], after: ['x', 'y', 'a', 'c', 'd'] })).toBe(1)
  })
  it('does nothing when no row is left', () => {
    expect(moved({ inHand: 'b', seen: ['b'], after: [] })).toBe(0)
  })
})

describe('countAbove', () => {
  type Step = [by: number, total: number, isSettled: boolean, seconds?: number]
  const unseenAfter = (...steps: Step[]) => {
    let [unseen, above] = [0, nothingAbove(100)]
    for (const [by, total, isSettled, seconds = 0] of steps) ({ unseen, above } = countAbove(above, by, total, isSettled, seconds * 1000))
    return unseen
  }
  it('counts only what the list has grown by', () => {
    expect(unseenAfter([2, 102, true])).toBe(2)
    expect(unseenAfter([1, 100, true])).toBe(0)
    expect(unseenAfter([1, 103, true])).toBe(1)
    expect(unseenAfter([-1, 101, true])).toBe(0)
  })
  it('does not mind whether the rows or the total come first', () => {
    expect(unseenAfter([2, 100, false], [0, 102, true])).toBe(2)
    expect(unseenAfter([0, 102, false], [2, 102, true])).toBe(2)
  })
  it('adds up, and what has come below is not taken for what comes above later', () => {
    expect(unseenAfter([2, 102, true], [1, 103, true])).toBe(3)
    expect(unseenAfter([0, 101, true], [1, 101, true, 10])).toBe(0)
    expect(unseenAfter([1, 100, true], [0, 101, true, 10])).toBe(0)
  })
  it('counts one whom the rows and the total were read on both sides of, once both know', () => {
    expect(unseenAfter([1, 102, true], [0, 102, false], [1, 102, true, 1.5])).toBe(2)
    expect(unseenAfter([2, 101, true], [0, 101, false], [0, 102, true, 1.5])).toBe(2)
    expect(unseenAfter([1, 102, true], [1, 102, true, 1.5], [1, 103, true, 2])).toBe(3)
  })
  it('does not count anyone twice', () => {
    expect(unseenAfter([1, 102, true], [1, 102, true, 1], [0, 102, true, 2], [0, 102, true, 4])).toBe(2)
    expect(unseenAfter([-1, 99, true], [1, 100, true, 1])).toBe(1)
  })
  it('holds however the steps fall: never more than have come or than the list has grown by', () => {
    const change = fc.record({ above: fc.nat(3), below: fc.nat(3), rowsFirst: fc.boolean(), settledBetween: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let [seconds, total, came, steps] = [0, 100, 0, [] as Step[]]
        for (const { above, below, rowsFirst, settledBetween } of changes) {
          // The one read knows of the change, the other does not yet; both do a second later, long before the next one.
          const half: Step = rowsFirst ? [above, total, settledBetween, seconds] : [0, total + above + below, settledBetween, seconds]
          const rest: Step = [rowsFirst ? 0 : above, total + above + below, true, seconds + 1]
          steps = [...steps, half, rest]
          total += above + below
          came += above
          seconds += 60
        }
        expect(unseenAfter(...steps)).toBe(came)
      }),
    )
  })
})
