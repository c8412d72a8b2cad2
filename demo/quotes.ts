import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { quoteTotals } from '../src/billing/quotes/rules.ts'
import { daysLater } from '../src/shared/zoned-time.ts'
import { type Client, signIn } from './books.ts'
import { demoPassword, staff } from './staff.ts'

type NewQuote = Parameters<Client['quotes']['create']>[0]
type Quote = Awaited<ReturnType<Client['quotes']['get']>>
type Case = Awaited<ReturnType<Client['surgeries']['list']>>['data'][number]

/** A quote in each of its states: one that waits for an answer was mailed, and a new version of another is being written. */
export async function writeQuotes(url: string, databaseUrl: string, today: string): Promise<void> {
  const desk = await signIn(url, { email: staff.frontDesk.email, password: demoPassword })
  if (!desk) return
  const [coming, asked] = await Promise.all([desk.surgeries.list({}), desk.contacts.byStage({ stage: 'Quote Sent' })])
  const [first, second] = coming.data.filter(({ priceCents }) => priceCents !== null)
  const [waiting, revised, declined, expired, withdrawn] = asked.data.filter(({ email }) => email !== null)
  const validUntil = daysLater(today, 30)
  for (const one of [first, second]) if (one) await accept(desk, one, today)
  if (waiting) {
    const { id, version } = await desk.quotes.create(await quoteFor(desk, waiting.id, 'Septorhinoplasty', 984_000, validUntil))
    await desk.quotes.send({ id, version, email: waiting.email, idempotencyKey: randomUUID() })
  }
  if (revised) {
    const sent = await handOver(desk, await quoteFor(desk, revised.id, 'Upper and lower eyelids', 640_000, validUntil))
    await desk.quotes.revise({ id: sent.id, idempotencyKey: randomUUID() })
  }
  if (declined) {
    const { id } = await handOver(desk, await quoteFor(desk, declined.id, 'Breast lift', 1_120_000, validUntil))
    await desk.quotes.decline({ id, reason: 'Wants to wait until the children are at school' })
  }
  if (withdrawn) {
    const { id } = await handOver(desk, await quoteFor(desk, withdrawn.id, 'Otoplasty', 420_000, validUntil))
    await desk.quotes.withdraw({ id, reason: 'Written for the wrong procedure' })
  }
  if (expired) {
    const { id } = await desk.quotes.create(await quoteFor(desk, expired.id, 'Abdominoplasty', 1_190_000, validUntil))
    await sendLongAgo(databaseUrl, id, today)
  }
}

/** A quote that comes to so many cents before tax: a deposit of a fifth, the rest in two parts. */
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
    note: 'Garments and all visits of the first year are included.',
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

async function handOver(desk: Client, quote: NewQuote): Promise<Quote> {
  const { id, version } = await desk.quotes.create(quote)
  return desk.quotes.send({ id, version, email: null, idempotencyKey: randomUUID() })
}

/** What the case costs already, quoted and accepted: its price and the record stay as they are. */
async function accept(desk: Client, { id, contact, procedures, priceCents }: Case, today: string): Promise<void> {
  const title = procedures.map(({ name }) => name).join(', ')
  const quote = await handOver(desk, await quoteFor(desk, contact.id, title, priceCents!, daysLater(today, 30), id))
  await desk.quotes.accept({ id: quote.id, totalCents: quote.totalCents, name: `${contact.firstName} ${contact.lastName}` })
}

/** One that was sent six weeks ago and was valid for a month: no one can do that today but the database. */
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
