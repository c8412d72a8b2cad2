import { describe, expect, it } from 'vitest'
import { newRowsAbove, rowsToMove } from './row-in-hand.ts'

const list = { before: ['a', 'b', 'c', 'd'], inHand: null, scrollTop: 0, rowHeight: 44 }

describe('rowsToMove', () => {
  it('moves by as many rows as came above the row in hand', () => {
    expect(rowsToMove({ ...list, inHand: 'b', after: ['x', 'y', 'a', 'b', 'c', 'd'] })).toBe(2)
    expect(rowsToMove({ ...list, inHand: 'c', after: ['a', 'c', 'd'] })).toBe(-1)
  })
  it('stays when rows came below the row in hand', () => {
    expect(rowsToMove({ ...list, inHand: 'a', after: ['a', 'x', 'b', 'c', 'd'] })).toBe(0)
  })
  it('shows what is new at the top when no row is in hand', () => {
    expect(rowsToMove({ ...list, after: ['x', 'a', 'b', 'c', 'd'] })).toBe(0)
  })
  it('keeps the first visible row of a list that was scrolled', () => {
    expect(rowsToMove({ ...list, scrollTop: 50, after: ['x', 'a', 'b', 'c', 'd'] })).toBe(1)
  })
  it('keeps the next one when the row in hand is gone', () => {
    expect(rowsToMove({ ...list, inHand: 'b', scrollTop: 50, after: ['x', 'a', 'c', 'd'] })).toBe(0)
    expect(rowsToMove({ ...list, inHand: 'b', scrollTop: 50, after: ['x', 'y', 'a', 'c', 'd'] })).toBe(1)
  })
  it('does nothing when no row is left', () => {
    expect(rowsToMove({ ...list, inHand: 'b', after: [] })).toBe(0)
  })
})

describe('newRowsAbove', () => {
  it('counts only those that were not there before', () => {
    expect(newRowsAbove(['a', 'b', 'c'], ['x', 'b', 'y', 'a', 'c'], 3)).toBe(2)
    expect(newRowsAbove(['a', 'b'], ['b', 'a'], 1)).toBe(0)
  })
})
