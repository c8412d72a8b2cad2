import { and, count, desc, eq, getTableColumns, gte, isNotNull, lt, or, type SQL, sql, sum } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../../kernel/postgres/cursors.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../../shared/page-lists.ts'
import { beginningOf, daysLater } from '../../../shared/zoned-time.ts'
import { profiles } from '../../../platform/auth/table.ts'
import { contactCustomers } from '../../quickbooks/table.ts'
import type { PracticePart } from '../../prepaid/rules.ts'
import type { ReceiptTotals } from '../receipt-contract.ts'
import type { ReceiptFilters } from '../filter.ts'
import { refundedCents, salesReceipts } from '../../payments/table.ts'

const columns = {
  ...getTableColumns(salesReceipts),
  contactId: contactCustomers.contactId,
  refundedCents,
  differenceCents: sql<
    number | null
  >`nullif(${salesReceipts.qbTotalCents} - ${salesReceipts.totalCents} + ${salesReceipts.prepaidCents}, 0)::float8`,
  exact: exactInstant(salesReceipts.createdAt),
}
const isOfCustomer = eq(contactCustomers.customerId, salesReceipts.customerId)

/** Receipts as the API returns them. */
export const receipts = (db: Db) => db.select(columns).from(salesReceipts).leftJoin(contactCustomers, isOfCustomer).$dynamic()

/** Days run from midnight to midnight in the practice's time zone, also when that takes 23 or 25 hours. */
function matching(filters: ReceiptFilters, timeZone: string): SQL | undefined {
  const { from, to, method, accountId, classId, staffId, contactId, search, state } = filters
  const { createdAt, customerName, docNumber } = salesReceipts
  return and(
    eq(salesReceipts.state, state),
    from ? gte(createdAt, beginningOf(from, timeZone)) : undefined,
    to ? lt(createdAt, beginningOf(daysLater(to, 1), timeZone)) : undefined,
    method ? eq(salesReceipts.paymentMethod, method) : undefined,
    accountId ? eq(salesReceipts.depositAccountId, accountId) : undefined,
    classId ? eq(salesReceipts.classId, classId) : undefined,
    staffId ? eq(salesReceipts.createdBy, staffId) : undefined,
    contactId ? eq(contactCustomers.contactId, contactId) : undefined,
    search ? or(sql`position(fold(${search}::text) in fold(${customerName})) > 0`, eq(docNumber, search)) : undefined,
  )
}

export type ReceiptPage = ReceiptFilters & { cursor?: InstantPlace | undefined; limit: number }

/** A page of receipts, newest first, as the transaction sees them. */
export async function readReceipts(db: Db, timeZone: string, { cursor, limit, ...filters }: ReceiptPage) {
  const rows = await receipts(db)
    .where(and(matching(filters, timeZone), isOlderThan(cursor, salesReceipts.createdAt, salesReceipts.id)))
    .orderBy(desc(salesReceipts.createdAt), desc(salesReceipts.id))
    .limit(limit + 1)
  return cursorPage(rows, limit, placeOf)
}

/** The patients of these receipts, without duplicates. */
export const contactIdsOf = (rows: readonly { contactId: string | null }[]): string[] => [
  ...new Set(rows.map(({ contactId }) => contactId).filter((id) => id !== null)),
]

export async function listReceipts(scope: Scope, page: ReceiptPage) {
  const found = await readReceipts(scope.db, scope.env.PRACTICE_TIME_ZONE, page)
  const contactIds = contactIdsOf(found.data)
  if (contactIds.length > 0) await scope.recordView({ kind: 'sales receipt', contactIds })
  return found
}

/** What changed hands, in cents. */
const money = sql<number>`${salesReceipts.totalCents} - ${salesReceipts.prepaidCents}`
const total = sum(money).mapWith(Number)
const sumOf = (column: SQL | (typeof salesReceipts)['taxCents' | 'prepaidCents']) =>
  sql<number>`coalesce(sum(${column}), 0)`.mapWith(Number)

const borneAs = (part: PracticePart) =>
  sql`(select sum((use ->> 'amountCents')::bigint) from jsonb_array_elements(${salesReceipts.prepaid}) as use where use ->> 'kind' = ${part})`

/** Totals of the receipts in a list, all read from one snapshot. */
export async function totalsOfReceipts(scope: Scope, filters: ReceiptFilters): Promise<ReceiptTotals> {
  const where = matching(filters, scope.env.PRACTICE_TIME_ZONE)
  if (filters.contactId) await scope.recordView({ kind: 'sales receipt', contactIds: [filters.contactId] })
  return scope.db.transaction(
    async (tx) => {
      const [all] = await tx
        .select({
          count: count(),
          subtotalCents: sumOf(salesReceipts.subtotalCents),
          discountCents: sumOf(salesReceipts.discountCents),
          taxCents: sumOf(salesReceipts.taxCents),
          totalCents: sumOf(salesReceipts.totalCents),
          prepaidCents: sumOf(salesReceipts.prepaidCents),
          goodwillCents: sumOf(borneAs('goodwill')),
          feeCents: sumOf(borneAs('fee')),
          refundCount: sql<number>`count(*) filter (where ${salesReceipts.kind} = 'refund')`.mapWith(Number),
          refundCents: sumOf(sql`-${salesReceipts.totalCents}) filter (where ${salesReceipts.kind} = 'refund'`),
          differing:
            sql<number>`count(*) filter (where ${salesReceipts.qbTotalCents} <> ${salesReceipts.totalCents} - ${salesReceipts.prepaidCents})`.mapWith(
              Number,
            ),
        })
        .from(salesReceipts)
        .leftJoin(contactCustomers, isOfCustomer)
        .where(where)
      const taxes = await tx
        .select({
          taxCodeId: sql<string>`tax_line.line->>'taxCodeId'`,
          name: sql<string>`max(tax_line.line->>'name')`,
          rate: sql<number>`(tax_line.line->>'rate')::int`,
          base: sumOf(sql`(tax_line.line->>'base')::bigint`),
          tax: sumOf(sql`(tax_line.line->>'tax')::bigint`),
        })
        .from(salesReceipts)
        .leftJoin(contactCustomers, isOfCustomer)
        .innerJoin(sql`lateral jsonb_array_elements(${salesReceipts.taxes}) as tax_line (line)`, sql`true`)
        .where(where)
        .groupBy(sql`1`, sql`3`)
        .orderBy(sql`3 desc`, sql`2`)
      const parts = await tx
        .select({
          id: salesReceipts.depositAccountId,
          name: sql<string>`max(${salesReceipts.depositAccountName})`,
          method: salesReceipts.paymentMethod,
          count: count(),
          totalCents: total,
        })
        .from(salesReceipts)
        .leftJoin(contactCustomers, isOfCustomer)
        .where(where)
        .groupBy(salesReceipts.depositAccountId, salesReceipts.paymentMethod)
        .orderBy(desc(sum(money)), salesReceipts.paymentMethod)
      const { refundCount, refundCents, ...sums } = all!
      const refunds = { count: refundCount, totalCents: refundCents }
      return { ...sums, refunds, taxes, accounts: byAccount(parts.map((part) => ({ ...part, totalCents: part.totalCents ?? 0 }))) }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

type Part = { id: string; name: string; method: string | null; count: number; totalCents: number }

function byAccount(parts: readonly Part[]): ReceiptTotals['accounts'] {
  const accounts = new Map<string, ReceiptTotals['accounts'][number]>()
  for (const { id, name, ...part } of parts) {
    const account = accounts.get(id) ?? { id, name, count: 0, totalCents: 0, methods: [] }
    account.count += part.count
    account.totalCents += part.totalCents
    account.methods.push(part)
    accounts.set(id, account)
  }
  return [...accounts.values()].toSorted((a, b) => b.totalCents - a.totalCents || a.name.localeCompare(b.name))
}

/** Each value used by any receipt; for renamed ones, the latest name. */
export async function receiptChoices({ db }: Scope) {
  const { paymentMethod, depositAccountId, depositAccountName, classId, className, createdBy } = salesReceipts
  const newest = (column: typeof depositAccountName | typeof className) =>
    sql<string>`(array_agg(${column} order by ${salesReceipts.createdAt} desc))[1]`
  const [methods, accounts, classes, staff] = await Promise.all([
    db.selectDistinct({ method: paymentMethod }).from(salesReceipts).where(isNotNull(paymentMethod)).orderBy(paymentMethod),
    db
      .select({ Id: depositAccountId, Name: newest(depositAccountName) })
      .from(salesReceipts)
      .groupBy(depositAccountId)
      .orderBy(sql`2`),
    db
      .select({ Id: sql<string>`${classId}`, Name: newest(className) })
      .from(salesReceipts)
      .where(isNotNull(classId))
      .groupBy(classId)
      .orderBy(sql`2`),
    db
      .selectDistinct({ id: profiles.id, name: profiles.name })
      .from(salesReceipts)
      .innerJoin(profiles, eq(profiles.id, createdBy))
      .orderBy(profiles.name),
  ])
  return { methods: methods.map(({ method }) => method!), accounts, classes, staff }
}
