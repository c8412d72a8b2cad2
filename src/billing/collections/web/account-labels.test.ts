import { describe, expect, it } from 'vitest'
import { beforeSurgeryLabel, formatDueDate, formatDue, paymentsOf } from './account-labels.ts'

describe('account labels', () => {
  it.each([
    ['2026-08-18', '98 days late', 'danger'],
    ['2026-10-24', '31 days late', 'danger'],
    ['2026-10-25', '30 days late', 'warning'],
    ['2026-11-23', '1 day late', 'warning'],
    ['2026-11-24', 'Due today', 'info'],
    ['2026-11-25', 'Due tomorrow', 'info'],
    ['2026-11-29', 'Due in 5 days', 'neutral'],
    ['2026-12-02', 'Not due', 'neutral'],
  ])('labels an amount due on %s as %s on November 24', (dueOn, label, tone) => {
    expect(formatDue(dueOn, '2026-11-24')).toEqual({ label, tone })
  })
  it('sums each receipt’s payments towards a charge, less unapplied amounts', () => {
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
    const payments = [
      {
        receiptId: 'one',
        docNumber: '1041',
        paymentMethod: 'Visa',
        prepaidCents: 0,
        prepaid: [],
        items: ['Consultation'],
        totalCents: 500,
        refundedCents: 0,
        appliedCents: 300,
        leftCents: 200,
        creditCents: 200,
        completedAt: null,
      },
    ]
    expect(paymentsOf({ id: 'a' }, { entries, payments })).toEqual([{ receiptId: 'one', docNumber: '1041', paidCents: 300 }])
  })
  it('formats due dates', () => {
    expect(formatDueDate({ dueOn: '2026-11-20', plan: [] })).toBe('Due Nov 20, 2026')
    const plan = ['2027-01-05', '2026-12-05'].map((dueOn) => ({ dueOn, amountCents: 1 }))
    expect(formatDueDate({ dueOn: '2026-11-20', plan })).toBe('2 instalments from Dec 5, 2026')
  })

  it('labels only instalments due by the surgery as before surgery', () => {
    const plan = [
      { dueOn: '2026-12-05', amountCents: 1 },
      { dueOn: '2027-01-05', amountCents: 1 },
    ]
    const labelFor = (surgeryDay: string | null, isBeforeSurgery = true) =>
      beforeSurgeryLabel({ dueOn: '2026-12-05', plan, isBeforeSurgery, surgeryDay })
    expect([labelFor(null), labelFor('2027-02-01'), labelFor('2026-12-20'), labelFor('2026-12-01'), labelFor(null, false)]).toEqual([
      'before surgery',
      'before surgery',
      '1 of them before surgery',
      null,
      null,
    ])
  })
})
