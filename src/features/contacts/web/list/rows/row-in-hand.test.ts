import { describe, expect, it } from 'vitest'
import { newAbove, rowsToMove } from './row-in-hand.ts'

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

it('counts as new above only what the list has grown by', () => {
  expect(newAbove(2, 100, 102)).toBe(2)
  expect(newAbove(1, 100, 100)).toBe(0)
  expect(newAbove(1, 100, 103)).toBe(1)
  expect(newAbove(-1, 100, 101)).toBe(0)
})
