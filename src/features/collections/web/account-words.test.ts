import { describe, expect, it } from 'vitest'
import { dueInWords, oldestAge, paymentsOf } from './account-words.ts'

describe('an account in words', () => {
  it('names the oldest of what is open', () => {
    expect(oldestAge({ current: 5, days30: 0, days60: 3, days90: 0 })).toBe('days60')
    expect(oldestAge({ current: 5, days30: 0, days60: 0, days90: 0 })).toBe('current')
  })
  it('says what each receipt has paid of a charge, less what was taken off again', () => {
    const entry = (kind: 'payment' | 'release', receiptId: string, amountCents: number, chargeId = 'a') => ({
      id: '',
      description: '',
      createdBy: null,
      createdAt: '',
      kind,
      receiptId,
      amountCents,
      chargeId,
    })
    const entries = [
      entry('payment', 'one', -500),
      entry('release', 'one', 200),
      entry('payment', 'two', -100),
      entry('release', 'two', 100),
    ]
    const deposits = [{ receiptId: 'one', docNumber: '1041', totalCents: 500, leftCents: 200, completedAt: null }]
    expect(paymentsOf({ id: 'a' }, { entries, deposits })).toEqual([{ receiptId: 'one', docNumber: '1041', paidCents: 300 }])
  })
  it('says when it is due', () => {
    expect(dueInWords({ dueOn: '2026-11-20', plan: [] })).toBe('Due Nov 20, 2026')
    const plan = ['2027-01-05', '2026-12-05'].map((dueOn) => ({ dueOn, amountCents: 1 }))
    expect(dueInWords({ dueOn: '2026-11-20', plan })).toBe('2 instalments from Dec 5, 2026')
  })
})
