import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNeeded, offered, placed, valueOf, withoutSlips } from './rules.ts'

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

describe('issue 9: the order and the use of stages', () => {
  const row = (id: string) => ({ id })
  const rows = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 }).map((ids) => ids.map(row))

  it('a stage stands before the one that was named, or last; the others keep their order', () => {
    fc.assert(
      fc.property(rows, fc.nat(), fc.option(fc.nat()), (all, one, other) => {
        const { id } = all[one % all.length]!
        const before = other === null ? null : all[other % all.length]!.id
        const after = placed(all, id, before)
        expect(after.filter((each) => each.id !== id)).toEqual(all.filter((each) => each.id !== id))
        const next = after[after.findIndex((each) => each.id === id) + 1]
        if (before === null) expect(next).toBe(undefined)
        else if (before === id) expect(after).toEqual(all)
        else expect(next).toEqual(row(before))
      }),
    )
  })

  it('a value is the name in plain letters, and a number where it is known', () => {
    expect(valueOf('Consult à domicile!', [])).toBe('consult_a_domicile')
    expect(valueOf('Lead', ['lead', 'lead_2'])).toBe('lead_3')
    expect(valueOf('***', [])).toBe('stage')
  })

  it('the first and the last that is won are needed; a retired one is offered to anyone who stands there', () => {
    const stage = (id: string, kind: 'open' | 'won', isInitial = false, isActive = true) => ({ id, kind, isInitial, isActive })
    const all = [stage('a', 'open', true), stage('b', 'open'), stage('c', 'won'), stage('d', 'won', false, false)]
    expect(all.map((one) => isNeeded(all, one))).toEqual([true, false, true, false])
    expect(offered(all).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(offered(all, 'd')).toEqual(all)
  })
})
