import type { ListExport } from '../../../platform/list-export.ts'
import { amountOfCents } from '../../../shared/money.ts'
import type { InstantPlace } from '../../../shared/page-lists.ts'
import { toLocal } from '../../../shared/zoned-time.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { receiptFilters, type ReceiptFilters } from '../filter.ts'
import { contactIdsOf, readReceipts } from './receipt-list.ts'
import { percentOfRate } from '../rules.ts'

const linesAtOnce = 200

type ReceiptRecord = Awaited<ReturnType<typeof readReceipts>>['data'][number]
type ExportContext = { timeZone: string; staff: ReadonlyMap<string, string> }

const dollars = (cents: number | null): string => (cents === null ? '' : amountOfCents(cents).toFixed(2))

const columns: Record<string, (row: ReceiptRecord, context: ExportContext) => string> = {
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
  'Taken by': ({ createdBy }, { staff }) => (createdBy === null ? 'Online' : (staff.get(createdBy) ?? '')),
  'QuickBooks id': ({ qbId }) => qbId ?? '',
}

/** GET /api/pos/receipts.csv or .xlsx with the list's filters: the receipts as a file. */
export const receiptsExport: ListExport<ReceiptFilters> = {
  name: 'receipts',
  kind: 'sales receipt',
  input: receiptFilters,
  head: () => Object.keys(columns),
  async *read({ db, env }, filters) {
    const timeZone = env.PRACTICE_TIME_ZONE
    const staff = new Map((await db.select({ id: profiles.id, name: profiles.name }).from(profiles)).map(({ id, name }) => [id, name]))
    for (let cursor: InstantPlace | undefined; ;) {
      const { data, nextCursor } = await readReceipts(db, timeZone, { ...filters, cursor, limit: linesAtOnce })
      yield {
        rows: data.map((row) => Object.values(columns).map((cell) => cell(row, { timeZone, staff }))),
        contactIds: contactIdsOf(data),
      }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  },
}
