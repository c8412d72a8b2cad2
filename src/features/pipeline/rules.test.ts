import { describe, expect, it } from 'vitest'
import { withoutSlips } from './rules.ts'

const start = Date.parse('2026-09-14T12:00:00Z')
const [minute, day] = [60_000, 86_400_000]
const move = (fromStageId: string | null, toStageId: string, after: number) => ({
  fromStageId,
  toStageId,
  changedAt: new Date(start + after).toISOString(),
})

describe('withoutSlips', () => {
  it('keeps a way back that took its time', () => {
    const history = [move(null, 'a', 0), move('a', 'b', day), move('b', 'a', day + 2 * minute)]
    expect(withoutSlips(history)).toEqual(history)
  })
  it('forgets slips within slips', () => {
    const history = [
      move(null, 'a', 0),
      move('a', 'b', day),
      move('b', 'c', day + 1000),
      move('c', 'b', day + 2000),
      move('b', 'a', day + 3000),
    ]
    expect(withoutSlips(history)).toEqual([move(null, 'a', 0)])
  })
})
