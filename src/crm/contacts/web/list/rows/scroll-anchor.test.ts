import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countAbove, nothingAbove, rowsToMove } from './scroll-anchor.ts'

const moved = (change: { after: string[]; activeId?: string; seen?: string[] }) =>
  rowsToMove({
    activeId: change.activeId ?? null,
    seen: change.seen ?? [],
    before: (id) => ['a', 'b', 'c', 'd'].indexOf(id),
    after: (id) => change.after.indexOf(id),
  })

describe('rowsToMove', () => {
  it('moves by the number of rows added above the active row', () => {
    expect(moved({ activeId: 'b', after: ['x', 'y', 'a', 'b', 'c', 'd'] })).toBe(2)
    expect(moved({ activeId: 'c', after: ['a', 'c', 'd'] })).toBe(-1)
  })
  it('does not move when rows are added below the active row', () => {
    expect(moved({ activeId: 'a', after: ['a', 'x', 'b', 'c', 'd'] })).toBe(0)
  })
  it('shows new rows at the top when no row is active', () => {
    expect(moved({ after: ['x', 'a', 'b', 'c', 'd'] })).toBe(0)
  })
  it('keeps the first visible row of a list that was scrolled', () => {
    expect(moved({ seen: ['b', 'c'], after: ['x', 'a', 'b', 'c', 'd'] })).toBe(1)
  })
  it('keeps the next row when the active one is removed', () => {
    expect(moved({ activeId: 'b', seen: ['b', 'c'], after: ['x', 'a', 'c', 'd'] })).toBe(0)
    expect(moved({ activeId: 'b', seen: ['b', 'c'], after: ['x', 'y', 'a', 'c', 'd'] })).toBe(1)
  })
  it('does nothing when no row is left', () => {
    expect(moved({ activeId: 'b', seen: ['b'], after: [] })).toBe(0)
  })
})

describe('countAbove', () => {
  type Step = [by: number, total: number, isSettled: boolean, seconds?: number]
  const unseenAfter = (...steps: Step[]) => {
    let [unseen, above] = [0, nothingAbove(100)]
    for (const [by, total, isSettled, seconds = 0] of steps) ({ unseen, above } = countAbove(above, by, total, isSettled, seconds * 1000))
    return unseen
  }
  it('counts only rows that the list has grown by', () => {
    expect(unseenAfter([2, 102, true])).toBe(2)
    expect(unseenAfter([1, 100, true])).toBe(0)
    expect(unseenAfter([1, 103, true])).toBe(1)
    expect(unseenAfter([-1, 101, true])).toBe(0)
  })
  it('counts the same whether the rows or the total arrive first', () => {
    expect(unseenAfter([2, 100, false], [0, 102, true])).toBe(2)
    expect(unseenAfter([0, 102, false], [2, 102, true])).toBe(2)
  })
  it('adds up, and does not count rows added below as later rows above', () => {
    expect(unseenAfter([2, 102, true], [1, 103, true])).toBe(3)
    expect(unseenAfter([0, 101, true], [1, 101, true, 10])).toBe(0)
    expect(unseenAfter([1, 100, true], [0, 101, true, 10])).toBe(0)
  })
  it('counts a row that only one of rows and total included, once both do', () => {
    expect(unseenAfter([1, 102, true], [0, 102, false], [1, 102, true, 1.5])).toBe(2)
    expect(unseenAfter([2, 101, true], [0, 101, false], [0, 102, true, 1.5])).toBe(2)
    expect(unseenAfter([1, 102, true], [1, 102, true, 1.5], [1, 103, true, 2])).toBe(3)
  })
  it('does not count a row twice', () => {
    expect(unseenAfter([1, 102, true], [1, 102, true, 1], [0, 102, true, 2], [0, 102, true, 4])).toBe(2)
    expect(unseenAfter([-1, 99, true], [1, 100, true, 1])).toBe(1)
  })
  it('counts exactly the rows added above, in any order of updates', () => {
    const change = fc.record({ above: fc.nat(3), below: fc.nat(3), rowsFirst: fc.boolean(), settledBetween: fc.boolean() })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        let [seconds, total, came, steps] = [0, 100, 0, [] as Step[]]
        for (const { above, below, rowsFirst, settledBetween } of changes) {
          // One of the two reads includes the change and the other does not yet; both do a second later, long before the next change.
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
