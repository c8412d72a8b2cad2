import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsToText } from '../../../../shared/money.ts'
import { planSumsTo } from '../../rules.ts'
import type { ChoicesData } from '../quote-data.ts'
import { type Beginning, forCase, forProcedure, isOffList, listTotal, newDraft } from './price-list.ts'
import { emptyLine, problemsOf, type QuoteDraft, tidyAmount, totalsOfDraft, written } from './quote-draft.ts'
import { newPart, scheduleOf } from './schedule.ts'

const codes = [
  { Id: '2', Name: 'HST ON', SalesTaxRateList: [{ RateValue: 13 }] },
  { Id: '3', Name: 'Exempt', SalesTaxRateList: [] },
]
const today = '2026-11-22'
const price = (id: string | null, kind: 'surgeon' | 'facility', unitPriceCents: number | null, taxCodeId: string | null = null) => ({
  id,
  kind,
  description: `${kind} fee`,
  quantity: kind === 'facility' ? 2 : 1,
  unitPriceCents,
  taxCodeId,
})
const rhinoplasty = {
  id: 'rhinoplasty',
  name: 'Rhinoplasty',
  isActive: true,
  pricesChangedAt: '2026-11-01T12:00:00Z',
  prices: [price('a', 'surgeon', 620_000), price('b', 'facility', 70_000, '3')],
}
const chin = { ...rhinoplasty, id: 'chin', name: 'Chin implant', pricesChangedAt: null, prices: [price(null, 'surgeon', null)] }
const booked = {
  id: 'case',
  procedures: ['Rhinoplasty', 'Chin implant'],
  procedureIds: ['rhinoplasty', 'chin'],
  startsAt: '2027-03-01T13:00:00Z',
  priceCents: 900_000,
  isUnquoted: true,
}
const beginningOf = (given: Partial<ChoicesData> = {}): Beginning => ({
  choices: { cases: [], procedures: [rhinoplasty, chin], procedureId: null, addresses: [], ...given },
  today,
  timeZone: 'America/Toronto',
  defaultCode: '2',
})
const lineOf = (text: string, quantity = '1', taxCodeId = '2') => ({
  ...emptyLine('surgeon', taxCodeId),
  words: 'Rhinoplasty',
  price: text,
  quantity,
})
const draftOf = (given: Partial<QuoteDraft> = {}): QuoteDraft => ({
  ...newDraft(beginningOf()),
  title: 'Rhinoplasty',
  lines: [lineOf('6,200.00')],
  ...given,
})
const facts = ({ lines }: QuoteDraft) => lines.map(({ words, quantity, price: text, taxCodeId }) => [words, quantity, text, taxCodeId])

describe('a new quote', () => {
  it('has the procedure of interest with the lines, prices and tax codes of its price list, valid for 30 days', () => {
    const draft = newDraft(beginningOf({ procedureId: 'rhinoplasty' }))
    expect(draft).toMatchObject({ title: 'Rhinoplasty', procedureId: 'rhinoplasty', validUntil: '2026-12-22', surgeryId: null })
    expect(facts(draft)).toEqual([
      ['surgeon fee', '1', '6,200.00', '2'],
      ['facility fee', '2', '700.00', '3'],
    ])
    expect(problemsOf({ ...draft, lines: draft.lines.slice(0, 1) }, codes, today)).toEqual({})
  })

  it('has an empty line without a procedure, or with one that is no longer offered', () => {
    for (const draft of [
      newDraft(beginningOf()),
      newDraft(beginningOf({ procedureId: 'gone', procedures: [{ ...rhinoplasty, id: 'gone', isActive: false }] })),
    ])
      expect(facts(draft)).toEqual([['', '1', '', '2']])
  })

  it('has the surgery without a quote, with the balance due a week before', () => {
    const draft = newDraft(beginningOf({ cases: [booked, { ...booked, id: 'quoted', isUnquoted: false }], procedureId: 'chin' }))
    expect(draft).toMatchObject({ surgeryId: 'case', title: 'Rhinoplasty, Chin implant', parts: [{ dueOn: '2027-02-22' }] })
    expect(facts(draft).map(([words, , text]) => [words, text])).toEqual([
      ['surgeon fee', '6,200.00'],
      ['facility fee', '700.00'],
      ['surgeon fee', ''],
    ])
    expect(written({ ...draft, lines: draft.lines.slice(0, 1) }, codes)).toMatchObject({ surgeryId: 'case', isBeforeSurgery: true })
    const soon = newDraft(beginningOf({ cases: [{ ...booked, startsAt: '2026-11-24T13:00:00Z' }] }))
    expect(soon.parts).toMatchObject([{ dueOn: today }])
    // With two surgeries, the intended one is unknown.
    expect(newDraft(beginningOf({ cases: [booked, { ...booked, id: 'other' }] })).surgeryId).toBeNull()
  })

  it('has the price of the case if the price lists have none', () => {
    const draft = newDraft(beginningOf({ cases: [{ ...booked, procedures: ['Chin implant'], procedureIds: ['chin'] }] }))
    expect(facts(draft)).toEqual([['surgeon fee', '1', '9,000.00', '2']])
  })

  it('changes with another procedure or surgery but keeps what was typed', () => {
    const beginning = beginningOf({ cases: [{ ...booked, isUnquoted: false }], procedureId: 'rhinoplasty' })
    const draft = newDraft(beginning)
    expect(forProcedure(draft, chin, '2')).toMatchObject({ title: 'Chin implant', procedureId: 'chin', lines: [{ price: '' }] })
    const typed = { ...draft, title: 'Mine', lines: [lineOf('5')], parts: [newPart('2026-12-01')] }
    expect(forProcedure(typed, chin, '2')).toMatchObject({ title: 'Mine', lines: [{ price: '5' }] })
    const forTheCase = forCase(typed, beginning.choices.cases[0]!, beginning)
    expect(forTheCase).toMatchObject({ surgeryId: 'case', title: 'Mine', lines: [{ price: '5' }], parts: [{ dueOn: '2026-12-01' }] })
    expect(forCase(forTheCase, null, beginning)).toMatchObject({ surgeryId: null, title: 'Mine' })
  })
})

describe('comparison with the price list', () => {
  it('shows both prices if a line differs from the list, and the list total', () => {
    const { choices } = beginningOf({ procedureId: 'rhinoplasty' })
    const { lines } = newDraft(beginningOf({ procedureId: 'rhinoplasty' }))
    const cheaper = lines.map((line, index) => (index === 0 ? { ...line, price: '6000' } : line))
    expect(lines.map((line) => isOffList(line, choices))).toEqual([false, false])
    expect(cheaper.map((line) => isOffList(line, choices))).toEqual([true, false])
    expect(isOffList({ ...lines[0]!, price: '6200' }, choices)).toBe(false)
    expect(isOffList(lineOf('1'), choices)).toBe(false)
    expect(listTotal({ lines: [...cheaper, lineOf('1')] }, choices, codes)).toBe(620_000 + 80_600 + 140_000)
    expect(listTotal({ lines: [lineOf('1')] }, choices, codes)).toBeNull()
  })
})

describe('quote validation', () => {
  it('reports errors by field, and requires a reason for exempt lines', () => {
    const exempt = lineOf('10', '1', '3')
    const draft = draftOf({ title: ' ', validUntil: '2026-11-21', lines: [lineOf('x', '0'), exempt, lineOf('1', '1', 'gone')] })
    const [first, , third] = draft.lines
    expect(Object.keys(problemsOf(draft, codes, today)).toSorted()).toEqual(
      ['title', 'validUntil', `price ${first!.key}`, `quantity ${first!.key}`, `reason ${exempt.key}`, `taxCode ${third!.key}`].toSorted(),
    )
    expect(problemsOf(draftOf({ lines: [] }), codes, today)).toHaveProperty('lines')
    expect(problemsOf(draftOf({ lines: [lineOf('0')] }), codes, today)).toHaveProperty('lines')
    expect(problemsOf(draftOf({ deposit: '7,006.01' }), codes, today)).toEqual({ deposit: 'This is more than the total' })
  })

  it('rejects past instalments, invalid amounts, and amounts that leave nothing for the last instalment', () => {
    const [late, wrong, last] = [newPart('2026-11-21'), newPart(today, 'x'), newPart(today)]
    expect(problemsOf(draftOf({ parts: [late, wrong, last] }), codes, today)).toEqual({
      [`day ${late.key}`]: 'Choose today or a later day',
      [`amount ${wrong.key}`]: 'Enter an amount in dollars and cents',
    })
    const problems = problemsOf(draftOf({ parts: [newPart(today, '7006'), newPart(today)] }), codes, today)
    expect(problems).toEqual({ plan: 'Nothing is left for the last instalment. Lower another one or remove it.' })
  })

  it.each([
    ['8200', '8,200.00'],
    ['8,200.5', '8,200.50'],
    ['$8 200.00', '8,200.00'],
    ['', ''],
    ['8.2.0', '8.2.0'],
  ])('reads a price typed as %s and shows %s', (typed, shown) => {
    expect(tidyAmount(typed)).toBe(shown)
  })
})

describe('the discount draft', () => {
  const sentOf = (given: Partial<QuoteDraft>) => {
    const { discountPercent, discountCents, subtotalCents, taxCents, totalCents } = written(draftOf(given), codes)
    return [discountPercent, discountCents, subtotalCents, taxCents, totalCents]
  }
  it('is a percentage or an amount, before tax', () => {
    expect(sentOf({ discount: null })).toEqual([null, 0, 620_000, 80_600, 700_600])
    expect(sentOf({ discount: { unit: 'percent', text: '12.5 %' } })).toEqual([1_250, 77_500, 620_000, 70_525, 613_025])
    expect(sentOf({ discount: { unit: 'amount', text: '$1,200' } })).toEqual([null, 120_000, 620_000, 65_000, 565_000])
    expect(sentOf({ discount: { unit: 'percent', text: '' } })).toEqual([null, 0, 620_000, 80_600, 700_600])
  })

  it.each([
    ['percent', 'x', 'Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.'],
    ['percent', '-5', 'Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.'],
    ['percent', '100.01', 'Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.'],
    ['percent', '100', 'Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.'],
    ['percent', '99.99', undefined],
    ['amount', '-5', 'Enter an amount in dollars and cents'],
    ['amount', '6,200.01', 'The discount is more than the subtotal'],
    ['amount', '6,200', 'At least $0.01 must remain. Enter a smaller discount.'],
    ['amount', '6,199.99', undefined],
  ] as const)('in %s of "%s" is answered with: %s', (unit, text, problem) => {
    const draft = draftOf({ discount: { unit, text } })
    expect(problemsOf(draft, codes, today).discount).toBe(problem)
    // An invalid discount does not change the totals.
    if (problem) expect(totalsOfDraft(draft, codes)).toMatchObject({ discount: 0, total: 700_600 })
  })
})

describe('payment names', () => {
  it('are sent if changed; the others keep their default names', () => {
    const parts = [newPart(today, '100', ' Facility fee '), newPart(today)]
    expect(written(draftOf({ parts, deposit: '50', depositName: ' Booking fee ' }), codes)).toMatchObject({
      depositName: 'Booking fee',
      instalments: [{ name: 'Facility fee' }, { name: null }],
    })
    expect(written(draftOf({ parts, depositName: ' ' }), codes).depositName).toBeNull()
  })
})

describe('the payment schedule', () => {
  it('splits the balance after the deposit equally, keeps typed amounts, and gives the rest to the last instalment', () => {
    const days = ['2026-12-01', '2027-01-01', '2027-02-01']
    const amounts = (deposit: string, typed: string[]) =>
      scheduleOf({ deposit, parts: days.map((day, index) => newPart(day, typed[index])) }, 100_000).instalments.map(
        ({ amountCents }) => amountCents,
      )
    expect(amounts('', [])).toEqual([33_333, 33_333, 33_334])
    expect(amounts('100', ['500'])).toEqual([50_000, 20_000, 20_000])
    expect(amounts('100', ['500', '50', '1'])).toEqual([50_000, 5_000, 35_000])
  })

  it('adds up to the total to the cent for any input', () => {
    const line = fc.record({ cents: fc.integer({ min: 1, max: 900_000 }), quantity: fc.integer({ min: 1, max: 9 }), exempt: fc.boolean() })
    const typed = fc.option(fc.nat(90_000), { nil: null })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.array(typed, { minLength: 1, maxLength: 8 }),
        (lines, share, amounts) => {
          const drawn = lines.map(({ cents, quantity, exempt }) => ({
            ...lineOf(centsToText(cents), String(quantity), exempt ? '3' : '2'),
            exemptReason: exempt ? 'Referred' : '',
          }))
          const bare = draftOf({ lines: drawn })
          const deposit = centsToText(Math.floor(totalsOfDraft(bare, codes).total * share))
          const draft = { ...bare, deposit, parts: amounts.map((cents) => newPart(today, centsToText(cents))) }
          const sent = written(draft, codes)
          expect(planSumsTo(sent, sent.totalCents)).toBe(true)
          if (Object.keys(problemsOf(draft, codes, today)).length === 0)
            expect(sent.instalments.every(({ amountCents }) => amountCents > 0)).toBe(true)
        },
      ),
    )
  })
})
