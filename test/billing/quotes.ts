import { randomUUID } from 'node:crypto'
import type { LineKind } from '../../src/billing/quotes/rules.ts'
import { quoteTotals } from '../../src/billing/quotes/rules.ts'
import type { Client } from '../server.ts'

export type NewQuote = Parameters<Client['quotes']['create']>[0]
export type Quote = Awaited<ReturnType<Client['quotes']['get']>>
type Line = { kind?: LineKind; words?: string; unitPriceCents: number; quantity?: number; taxCode?: string; exemptReason?: string }

const rates: Record<string, number> = { 'HST ON': 130_000, GST: 50_000, 'QST 9.975%': 99_750 }

/** Default lines: surgeon and facility with HST, exempt anaesthesia. $9,876.00 before tax, $1,023.88 of tax. */
const defaultLines: Line[] = [
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

/** A quote as the browser sends it; by default half as a deposit, the balance in two instalments. */
export async function newQuote(client: Client, contactId: string, given: Partial<NewQuote> = {}, lines = defaultLines): Promise<NewQuote> {
  const { taxCodes } = await client.pos.taxCodes()
  const idOf = (name: string) => taxCodes.find(({ Name }) => Name === name)!.Id
  const quoteLines = lines.map(
    ({ kind = 'surgeon', words = 'Rhinoplasty', unitPriceCents, quantity = 1, taxCode = 'HST ON', exemptReason }) => ({
      kind,
      words,
      unitPriceCents,
      quantity,
      taxCodeId: idOf(taxCode),
      exemptReason: exemptReason ?? null,
    }),
  )
  const totals = quoteTotals(
    quoteLines.map(({ unitPriceCents, quantity, taxCodeId }, index) => ({
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
    lines: quoteLines,
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

/** Creates a quote and marks it as delivered. */
export async function createSentQuote(client: Client, contactId: string, given: Partial<NewQuote> = {}): Promise<Quote> {
  const { id, version } = await client.quotes.create(await newQuote(client, contactId, given))
  return client.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
}
