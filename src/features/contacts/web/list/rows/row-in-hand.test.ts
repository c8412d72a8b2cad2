import { describe, expect, it } from 'vitest'
import { type Above, countAbove, rowsToMove } from './row-in-hand.ts'

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
  const still = { counted: 0, moved: 0, totalBefore: 100 }
  type Step = [by: number, total: number, isSettled: boolean]
  const unseenAfter = (...steps: Step[]) => {
    let [unseen, above]: [number, Above] = [0, still]
    for (const step of steps) ({ unseen, above } = countAbove(above, ...step))
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
    expect(unseenAfter([0, 101, true], [1, 101, true])).toBe(0)
  })
})
