import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import { csvAnswer } from '../../server/csv-answer.ts'
import type { Scope } from '../../server/scope.ts'
import { csvLine } from '../../shared/csv.ts'
import { amountOfCents } from '../../shared/money.ts'
import { dayAt, toLocal } from '../../shared/zoned-time.ts'
import { recordChange } from '../audit/service.ts'
import { profiles } from '../auth/table.ts'
import { receiptFilters, type ReceiptFilters } from './filter.ts'
import { contactIdsOf, readReceipts } from './receipt-list.ts'
import { percentOfRate } from './rules.ts'

/** Each holds a connection for as long as it is sent. */
const mostAtOnce = 2
const linesAtOnce = 200

/** GET /api/pos/receipts.csv with the list's filters: its receipts as a file, read and sent bit by bit. Who was exported is in the audit log first. */
export function createReceiptExport() {
  let running = 0

  return async (scope: Scope, request: Request): Promise<Response> => {
    const parsed = receiptFilters.safeParse(Object.fromEntries(new URL(request.url).searchParams))
    if (!parsed.success) {
      const fields = Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.') || 'query', issue.message]))
      return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
    }
    if (running >= mostAtOnce) return tooMany()
    running++
    const name = `receipts-${dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)}.csv`
    return csvAnswer(name, linesOf(scope, parsed.data), () => running--)
  }
}

const tooMany = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are under way. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '60' } },
  )

type Told = Awaited<ReturnType<typeof readReceipts>>['data'][number]
type Around = { timeZone: string; staff: ReadonlyMap<string, string> }

const dollars = (cents: number | null): string => (cents === null ? '' : amountOfCents(cents).toFixed(2))

const columns: Record<string, (row: Told, around: Around) => string> = {
  Date: ({ createdAt }, { timeZone }) => toLocal(createdAt, timeZone).day,
  Time: ({ createdAt }, { timeZone }) => toLocal(createdAt, timeZone).time,
  Receipt: ({ docNumber }) => docNumber ?? '',
  Kind: ({ kind }) => kind,
  State: ({ state }) => state,
  Customer: ({ customerName }) => customerName,
  Items: ({ lines }) => lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join('; '),
  Subtotal: ({ subtotalCents }) => dollars(subtotalCents),
  Discount: ({ discountCents }) => dollars(discountCents),
  Tax: ({ taxCents }) => dollars(taxCents),
  'Tax by code': ({ taxes }) => taxes.map(({ name, rate, tax }) => `${name} ${percentOfRate(rate)}%: ${dollars(tax)}`).join('; '),
  Total: ({ totalCents }) => dollars(totalCents),
  'QuickBooks total': ({ qbTotalCents }) => dollars(qbTotalCents),
  'Payment method': ({ paymentMethod }) => paymentMethod ?? '',
  'Deposit account': ({ depositAccountName }) => depositAccountName,
  Class: ({ className }) => className ?? '',
  Memo: ({ memo }) => memo ?? '',
  'Exempt because': ({ lines }) => lines.flatMap(({ exemptReason }) => exemptReason ?? []).join('; '),
  'Refunded because': ({ refundReason }) => refundReason ?? '',
  'Taken by': ({ createdBy }, { staff }) => staff.get(createdBy ?? '') ?? '',
  'QuickBooks id': ({ qbId }) => qbId ?? '',
}

/** The file's lines: as they were when it was asked for, whoever changes what meanwhile. */
async function* linesOf(scope: Scope, filters: ReceiptFilters): AsyncGenerator<string> {
  const timeZone = scope.env.PRACTICE_TIME_ZONE
  const client = await scope.db.$client.connect()
  try {
    const db = drizzle(client)
    await db.execute(sql`begin isolation level repeatable read read only`)
    const staff = new Map((await db.select({ id: profiles.id, name: profiles.name }).from(profiles)).map(({ id, name }) => [id, name]))
    yield csvLine(Object.keys(columns))
    for (let cursor: string | undefined; ; ) {
      const { data, nextCursor } = await readReceipts(db, timeZone, { ...filters, cursor, limit: linesAtOnce })
      if (data.length > 0) {
        await recordChange(scope.db, scope, {
          action: 'exported',
          kind: 'sales receipt',
          contactIds: contactIdsOf(data),
          after: { receipts: data.length },
        })
        yield data.map((row) => csvLine(Object.values(columns).map((cell) => cell(row, { timeZone, staff })))).join('')
      }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  } finally {
    await client.query('rollback').catch(() => {})
    client.release()
  }
}
