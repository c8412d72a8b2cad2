import { randomUUID } from 'node:crypto'
import type { LineKind } from '../src/billing/quotes/rules.ts'
import { quoteTotals } from '../src/billing/quotes/rules.ts'
import type { Client } from './server.ts'

export type NewQuote = Parameters<Client['quotes']['create']>[0]
export type Quote = Awaited<ReturnType<Client['quotes']['get']>>
type Quoted = { kind?: LineKind; words?: string; unitPriceCents: number; quantity?: number; taxCode?: string; exemptReason?: string }

const rates: Record<string, number> = { 'HST ON': 130_000, GST: 50_000, 'QST 9.975%': 99_750 }

/** What a surgery in the tests costs: surgeon and facility with HST, anaesthesia that is exempt. $9,876.00 before tax, $1,023.88 of tax. */
const defaultLines: Quoted[] = [
  { kind: 'surgeon', words: 'Rhinoplasty', unitPriceCents: 620_000 },
  { kind: 'facility', words: 'Operating room, per hour', unitPriceCents: 55_866, quantity: 3 },
  {
    kind: 'anaesthesia',
    words: 'General anaesthesia',
    unitPriceCents: 200_002,
    taxCode: 'Exempt',
    exemptReason: 'Referred, airway obstruction',
  },
]

/** A quote as the browser sends it: half of it as a deposit, the rest in two instalments, unless told otherwise. */
export async function quoteOf(client: Client, contactId: string, given: Partial<NewQuote> = {}, lines = defaultLines): Promise<NewQuote> {
  const { taxCodes } = await client.pos.taxCodes()
  const idOf = (name: string) => taxCodes.find(({ Name }) => Name === name)!.Id
  const kept = lines.map(({ kind = 'surgeon', words = 'Rhinoplasty', unitPriceCents, quantity = 1, taxCode = 'HST ON', exemptReason }) => ({
    kind,
    words,
    unitPriceCents,
    quantity,
    taxCodeId: idOf(taxCode),
    exemptReason: exemptReason ?? null,
  }))
  const totals = quoteTotals(
    kept.map(({ unitPriceCents, quantity, taxCodeId }, index) => ({
      unitPrice: unitPriceCents,
      quantity,
      taxCodeId,
      rate: rates[lines[index]!.taxCode ?? 'HST ON'] ?? 0,
    })),
  )
  const half = Math.floor(totals.total / 2)
  const quarter = Math.floor((totals.total - half) / 2)
  return {
    contactId,
    surgeryId: null,
    title: 'Rhinoplasty',
    note: null,
    validUntil: '2026-12-22',
    lines: kept,
    depositCents: half,
    instalments: [
      { dueOn: '2027-01-15', amountCents: quarter },
      { dueOn: '2027-02-15', amountCents: totals.total - half - quarter },
    ],
    isBeforeSurgery: true,
    subtotalCents: totals.subtotal,
    taxCents: totals.tax,
    totalCents: totals.total,
    idempotencyKey: randomUUID(),
    ...given,
  }
}

/** A quote that the patient was handed. */
export async function sentQuote(client: Client, contactId: string, given: Partial<NewQuote> = {}): Promise<Quote> {
  const { id, version } = await client.quotes.create(await quoteOf(client, contactId, given))
  return client.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
}
