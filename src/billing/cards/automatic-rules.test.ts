import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { daysFrom } from '../../shared/zoned-time.ts'
import { firstChargeOn, isFinal, maxAttempts, nextAttemptOn } from './automatic-rules.ts'

describe('attempts to charge an instalment', () => {
  it.each([
    [1, 'insufficient_funds', '2026-12-04'],
    [2, 'insufficient_funds', '2026-12-08'],
    [3, 'insufficient_funds', null],
    [1, 'expired_card', null],
    [1, 'lost_card', null],
    [2, 'authentication_required', null],
  ])('after the attempt %s with %s is %s (issue 29)', (attempt, failureCode, next) => {
    expect(nextAttemptOn({ attempt, failureCode, firstOn: '2026-12-01' })).toBe(next)
  })

  it('are at most three, each on a later day, and none for a card that never works (issue 29)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('insufficient_funds', 'generic_decline', 'expired_card', 'lost_card'), { minLength: 5 }),
        (codes) => {
          const days: string[] = ['2026-12-01']
          for (const [index, failureCode] of codes.entries()) {
            const next = nextAttemptOn({ attempt: index + 1, failureCode, firstOn: '2026-12-01' })
            if (next === null) break
            expect(isFinal(failureCode)).toBe(false)
            expect(next > days.at(-1)!).toBe(true)
            days.push(next)
          }
          expect(days.length).toBeLessThanOrEqual(maxAttempts)
        },
      ),
    )
  })

  it('begin when the instalment is due, and not before the day after it was announced (issue 29)', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-12-${String(date).padStart(2, '0')}`)
    fc.assert(
      fc.property(day, day, (dueOn, announcedOn) => {
        const on = firstChargeOn(dueOn, announcedOn)
        expect(on >= dueOn).toBe(true)
        expect(daysFrom(announcedOn, on)).toBeGreaterThanOrEqual(1)
      }),
    )
  })
})
