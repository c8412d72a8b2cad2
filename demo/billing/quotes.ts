import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { quoteTotals } from '../../src/billing/quotes/rules.ts'
import { daysLater } from '../../src/shared/zoned-time.ts'
import { type Client, signIn } from './quickbooks.ts'
import { demoPassword, staff } from '../staff.ts'

type NewQuote = Parameters<Client['quotes']['create']>[0]
type Quote = Awaited<ReturnType<Client['quotes']['get']>>
type Case = Awaited<ReturnType<Client['surgeries']['list']>>['data'][number]

/** Creates a quote in each status; the one awaiting a response was emailed, and a new version of another is a draft. */
export async function writeQuotes(url: string, databaseUrl: string, today: string): Promise<void> {
  const desk = await signIn(url, { email: staff.frontDesk.email, password: demoPassword })
  if (!desk) return
  const [upcoming, quoted] = await Promise.all([desk.surgeries.list({}), desk.contacts.byStage({ stage: 'Quote Sent' })])
  const [first, second] = upcoming.data.filter(({ priceCents }) => priceCents !== null)
  const [waiting, revised, declined, expired, withdrawn] = quoted.data.filter(({ email }) => email !== null)
  const validUntil = daysLater(today, 30)
  for (const surgery of [first, second]) if (surgery) await accept(desk, surgery, today)
  if (waiting) {
    const { id, version } = await desk.quotes.create(await quoteFor(desk, waiting.id, 'Septorhinoplasty', 984_000, validUntil))
    await desk.quotes.send({ id, version, email: waiting.email, idempotencyKey: randomUUID() })
  }
  if (revised) {
    const sent = await sendByHand(desk, await quoteFor(desk, revised.id, 'Upper and lower eyelids', 640_000, validUntil))
    await desk.quotes.revise({ id: sent.id, idempotencyKey: randomUUID() })
  }
  if (declined) {
    const { id } = await sendByHand(desk, await quoteFor(desk, declined.id, 'Breast lift', 1_120_000, validUntil))
    await desk.quotes.decline({ id, reason: 'Wants to wait until the children are in school' })
  }
  if (withdrawn) {
    const { id } = await sendByHand(desk, await quoteFor(desk, withdrawn.id, 'Otoplasty', 420_000, validUntil))
    await desk.quotes.withdraw({ id, reason: 'Wrong procedure' })
  }
  if (expired) {
    const { id } = await desk.quotes.create(await quoteFor(desk, expired.id, 'Abdominoplasty', 1_190_000, validUntil))
    await sendLongAgo(databaseUrl, id, today)
  }
}

/** A quote of `cents` before tax: a deposit of a fifth, the balance in two instalments. */
async function quoteFor(
  desk: Client,
  contactId: string,
  title: string,
  cents: number,
  validUntil: string,
  surgeryId?: string,
): Promise<NewQuote> {
  const { taxCodes, defaultTaxCode } = await desk.pos.taxCodes()
  const code = taxCodes.find(({ Id }) => Id === defaultTaxCode) ?? taxCodes[0]!
  const facility = Math.round(cents * 0.26)
  const anaesthesia = Math.round(cents * 0.12)
  const lines = (
    [
      ['surgeon', title, cents - facility - anaesthesia],
      ['facility', 'Operating room and recovery', facility],
      ['anaesthesia', 'Anaesthetist', anaesthesia],
    ] as const
  ).map(([kind, words, unitPriceCents]) => ({ kind, words, unitPriceCents, quantity: 1, taxCodeId: code.Id }))
  const rate = (code.SalesTaxRateList[0]?.RateValue ?? 0) * 10_000
  const totals = quoteTotals(lines.map(({ unitPriceCents }) => ({ unitPrice: unitPriceCents, quantity: 1, taxCodeId: code.Id, rate })))
  const depositCents = Math.round(totals.total / 5)
  const half = Math.floor((totals.total - depositCents) / 2)
  return {
    contactId,
    surgeryId: surgeryId ?? null,
    title,
    note: 'Garments and all visits in the first year are included.',
    validUntil,
    lines,
    depositCents,
    instalments: [
      { dueOn: daysLater(validUntil, 14), amountCents: totals.total - depositCents - half },
      { dueOn: daysLater(validUntil, 44), amountCents: half },
    ],
    isBeforeSurgery: surgeryId !== undefined,
    subtotalCents: totals.subtotal,
    taxCents: totals.tax,
    totalCents: totals.total,
    idempotencyKey: randomUUID(),
  }
}

async function sendByHand(desk: Client, quote: NewQuote): Promise<Quote> {
  const { id, version } = await desk.quotes.create(quote)
  return desk.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
}

/** Quotes the existing price of the case and accepts it, so that the case and the record keep their price. */
async function accept(desk: Client, { id, contact, procedures, priceCents }: Case, today: string): Promise<void> {
  const title = procedures.map(({ name }) => name).join(', ')
  const quote = await sendByHand(desk, await quoteFor(desk, contact.id, title, priceCents!, daysLater(today, 30), id))
  await desk.quotes.accept({ id: quote.id, totalCents: quote.totalCents, name: `${contact.firstName} ${contact.lastName}` })
}

/** Backdates a quote: sent six weeks ago, valid for a month. Only the database can do that now. */
async function sendLongAgo(databaseUrl: string, id: string, today: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `update quotes set status = 'sent', valid_until = $2, created_at = created_at - interval '44 days', sent_at = created_at - interval '42 days',
         sent_by = created_by, updated_at = created_at - interval '42 days' where id = $1`,
      [id, daysLater(today, -12)],
    )
  } finally {
    await client.end()
  }
}
