import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsToText } from '../../../../shared/money.ts'
import { planned } from '../../../collections/web/embed/instalment-fields.ts'
import { planComesTo } from '../../rules.ts'
import { emptyLine, forCase, newDraft, problemsOf, type QuoteDraft, restOf, shared, totalsOfDraft, written } from './quote-draft.ts'

const codes = [
  { Id: '2', Name: 'HST ON', SalesTaxRateList: [{ RateValue: 13 }] },
  { Id: '3', Name: 'Exempt', SalesTaxRateList: [] },
]
const today = '2026-11-22'
const lineOf = (price: string, quantity = '1', taxCodeId = '2') => ({
  ...emptyLine('surgeon', taxCodeId),
  words: 'Rhinoplasty',
  price,
  quantity,
})
const draftOf = (given: Partial<QuoteDraft> = {}): QuoteDraft => ({
  ...newDraft(today, '2'),
  title: 'Rhinoplasty',
  lines: [lineOf('6,200.00')],
  ...given,
})
const one = { id: 'case', procedures: ['Rhinoplasty', 'Chin implant'], startsAt: '2027-03-01T13:00:00Z', priceCents: 900_000, usual: [] }

describe('issue 8: a quote while it is written', () => {
  it('is valid for 30 days, and has a line to begin with', () => {
    expect(newDraft(today, '2')).toMatchObject({ validUntil: '2026-12-22', lines: [{ kind: 'surgeon', quantity: '1', taxCodeId: '2' }] })
  })

  it('takes from the case what is empty, and leaves what was typed', () => {
    const filled = forCase(newDraft(today, '2'), one, '2')
    expect(filled).toMatchObject({ surgeryId: 'case', title: 'Rhinoplasty, Chin implant', days: { isBeforeSurgery: true } })
    expect(filled.lines.map(({ kind, words, price }) => [kind, words, price])).toEqual([
      ['surgeon', 'Rhinoplasty', '9,000.00'],
      ['surgeon', 'Chin implant', ''],
      ['facility', 'Operating room and recovery', ''],
    ])
    expect(forCase(draftOf({ title: 'Mine' }), one, '2')).toMatchObject({ title: 'Mine', lines: [{ price: '6,200.00' }] })
    expect(forCase(filled, null, '2')).toMatchObject({ surgeryId: null, title: 'Rhinoplasty, Chin implant' })
  })

  it('begins with what the procedures usually cost where the case has no price, and taxes each its way (issue 9)', () => {
    const usual = [
      { priceCents: 620_000, taxCodeId: null },
      { priceCents: 280_000, taxCodeId: '3' },
    ]
    const linesFor = (priceCents: number | null) =>
      forCase(newDraft(today, '2'), { ...one, priceCents, usual }, '2').lines.map(({ price, taxCodeId }) => [price, taxCodeId])
    expect(linesFor(null)).toEqual([
      ['6,200.00', '2'],
      ['2,800.00', '3'],
      ['', '2'],
    ])
    expect(linesFor(900_000)).toEqual([
      ['9,000.00', '2'],
      ['', '3'],
      ['', '2'],
    ])
  })

  it('says what is wrong by field, and asks why where a line is exempt', () => {
    const exempt = lineOf('10', '1', '3')
    const draft = draftOf({ title: ' ', validUntil: '2026-11-21', lines: [lineOf('x', '0'), exempt] })
    expect(Object.keys(problemsOf(draft, codes, today)).toSorted()).toEqual(
      ['title', 'validUntil', `price ${draft.lines[0]!.key}`, `quantity ${draft.lines[0]!.key}`, `reason ${exempt.key}`].toSorted(),
    )
    expect(problemsOf(draftOf({ lines: [] }), codes, today)).toHaveProperty('lines')
    expect(problemsOf(draftOf({ lines: [lineOf('0')] }), codes, today)).toHaveProperty('lines')
    expect(problemsOf(draftOf({ deposit: '7,006.01' }), codes, today)).toEqual({ deposit: 'This is more than the total' })
    const { days } = draftOf({})
    const on = (dueOn: string) => ({ dueOn, amount: '3,503.00' })
    const planned = { ...days, isPlanned: true, parts: [on('2026-11-21'), on(today)] }
    expect(problemsOf(draftOf({ days: planned }), codes, today)).toMatchObject({ day0: 'Choose today or a later day' })
    expect(problemsOf(draftOf({ days: { ...days, isPlanned: false, dueOn: '2026-11-21' } }), codes, today)).toMatchObject({
      dueOn: 'Choose today or a later day',
    })
  })

  it('without problems, what is sent sums to the total to the cent, however it is shared out', () => {
    const line = fc.record({ cents: fc.integer({ min: 1, max: 900_000 }), quantity: fc.integer({ min: 1, max: 9 }), exempt: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 0, max: 12 }),
        (lines, share, count) => {
          const drawn = lines.map(({ cents, quantity, exempt }) => ({
            ...lineOf(centsToText(cents), String(quantity), exempt ? '3' : '2'),
            exemptReason: exempt ? 'Referred' : '',
          }))
          const bare = draftOf({ lines: drawn })
          const total = totalsOfDraft(bare, codes).total
          const deposit = centsToText(Math.floor(total * share))
          const isPlanned = count >= 2
          const draft = shared({ ...bare, deposit, days: { ...bare.days, isPlanned, count: String(Math.max(2, count)) } }, codes)
          const sent = written(draft, codes)
          expect(planComesTo(sent, sent.totalCents)).toBe(true)
          if (restOf(draft, totalsOfDraft(draft, codes)) >= 100) expect(problemsOf(draft, codes, today)).toEqual({})
          expect(planned(draft.days, centsToText(total)).isPlanned).toBe(isPlanned)
        },
      ),
    )
  })
})
