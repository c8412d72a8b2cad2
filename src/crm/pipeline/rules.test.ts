import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNeeded, assignableStages, reorder, uniqueStageValue, withoutAccidentalMoves } from './rules.ts'

const start = Date.parse('2026-09-14T12:00:00Z')
const [minute, day] = [60_000, 86_400_000]
const move = (fromStageId: string | null, toStageId: string, after: number) => ({
  fromStageId,
  toStageId,
  changedAt: new Date(start + after).toISOString(),
})

describe('withoutAccidentalMoves', () => {
  it('keeps a reversal that came later than a minute', () => {
    const history = [move(null, 'a', 0), move('a', 'b', day), move('b', 'a', day + 2 * minute)]
    expect(withoutAccidentalMoves(history)).toEqual(history)
  })
  it('drops accidental moves nested in accidental moves', () => {
    const history = [
      move(null, 'a', 0),
      move('a', 'b', day),
      move('b', 'c', day + 1000),
      move('c', 'b', day + 2000),
      move('b', 'a', day + 3000),
    ]
    expect(withoutAccidentalMoves(history)).toEqual([move(null, 'a', 0)])
  })
})

describe('order and use of stages', () => {
  const row = (id: string) => ({ id })
  const rows = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 }).map((ids) => ids.map(row))

  it('puts a stage before the given one, or last, and keeps the order of the others', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.option(fc.nat()), (all, one, other) => {
        const { id } = all[one % all.length]!
        const before = other === null ? null : all[other % all.length]!.id
        const after = reorder(all, id, before)
        expect(after.filter((each) => each.id !== id)).toEqual(all.filter((each) => each.id !== id))
        const next = after[after.findIndex((each) => each.id === id) + 1]
        if (before === null) expect(next).toBe(undefined)
        else if (before === id) expect(after).toEqual(all)
        else expect(next).toEqual(row(before))
      }),
    )
  })

  it('derives a value from the name in plain letters, with a number if it is taken', () => {
    expect(uniqueStageValue('Consult à domicile!', [])).toBe('consult_a_domicile')
    expect(uniqueStageValue('Lead', ['lead', 'lead_2'])).toBe('lead_3')
    expect(uniqueStageValue('***', [])).toBe('stage')
  })

  it('requires the initial and the last won stage, and offers a retired stage only to patients already in it', () => {
    const stage = (id: string, kind: 'open' | 'won', isInitial = false, isActive = true) => ({ id, kind, isInitial, isActive })
    const all = [stage('a', 'open', true), stage('b', 'open'), stage('c', 'won'), stage('d', 'won', false, false)]
    expect(all.map((one) => isNeeded(all, one))).toEqual([true, false, true, false])
    expect(assignableStages(all).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(assignableStages(all, 'd')).toEqual(all)
  })
})
