import { and, asc, eq, inArray, min, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { QuickBooks } from '../../integrations/quickbooks/client.ts'
import type { QuickBooksFailure, Result } from '../../integrations/quickbooks/failure.ts'
import type { Customer, Item } from '../../integrations/quickbooks/shapes.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type ListKind, listKinds } from './rules.ts'
import { quickbooksLists, quickbooksObjects } from './table.ts'

type Kept = typeof quickbooksObjects.$inferInsert
type Read = Omit<Kept, 'kind' | 'readAt'>

/** Data stored per kind besides the name: JSON written by this module, in these shapes. */
export const factsOf = {
  account: z.object({ type: z.string(), subType: z.string().nullable() }),
  class: z.object({}),
  /** Rates in percent, as in QuickBooks. */
  'tax-code': z.object({ rates: z.array(z.object({ id: z.string(), percent: z.number() })) }),
  /** In dollars, as in QuickBooks. */
  item: z.object({ description: z.string().nullable(), unitPrice: z.number(), taxCodeId: z.string().nullable() }),
  customer: z.object({ syncToken: z.string(), givenName: z.string().nullable(), familyName: z.string().nullable() }),
} as const

export const customerToKeep = ({ Id, DisplayName, GivenName, FamilyName, PrimaryEmailAddr, SyncToken, Active }: Customer): Read => ({
  id: Id,
  name: DisplayName,
  email: PrimaryEmailAddr?.Address ?? null,
  isActive: Active,
  facts: { syncToken: SyncToken, givenName: GivenName ?? null, familyName: FamilyName ?? null } satisfies z.output<typeof factsOf.customer>,
})

const itemToKeep = ({ Id, Name, Description, UnitPrice, SalesTaxCodeRef, Active }: Item): Read => ({
  id: Id,
  name: Name,
  email: null,
  isActive: Active,
  facts: { description: Description ?? null, unitPrice: UnitPrice ?? 0, taxCodeId: SalesTaxCodeRef?.value ?? null } satisfies z.output<
    typeof factsOf.item
  >,
})

/** Items that can be sold; a category only groups them. */
const sold = ({ Type }: Item): boolean => Type !== 'Category'

const plain = (id: string, name: string, isActive: boolean, facts: Record<string, unknown> = {}): Read => ({
  id,
  name,
  email: null,
  isActive,
  facts,
})

const readers: Record<ListKind, (quickBooks: QuickBooks) => Promise<Result<Read[]>>> = {
  account: async (quickBooks) =>
    mapped(await quickBooks.queryAll('Account'), (all) =>
      all.map(({ Id, Name, AccountType, AccountSubType, Active }) =>
        plain(Id, Name, Active, { type: AccountType, subType: AccountSubType ?? null }),
      ),
    ),
  class: async (quickBooks) =>
    mapped(await quickBooks.queryAll('Class'), (all) => all.map(({ Id, Name, Active }) => plain(Id, Name, Active))),
  'tax-code': async (quickBooks) => {
    const rates = await quickBooks.queryAll('TaxRate')
    if (!rates.ok) return rates
    const percents = new Map(rates.value.map(({ Id, RateValue }) => [Id, RateValue ?? 0]))
    return mapped(await quickBooks.queryAll('TaxCode'), (all) =>
      all.map(({ Id, Name, Active, SalesTaxRateList }) => {
        const ids = (SalesTaxRateList?.TaxRateDetail ?? []).map(({ TaxRateRef }) => TaxRateRef.value)
        return plain(Id, Name, Active, { rates: ids.map((id) => ({ id, percent: percents.get(id) ?? 0 })) })
      }),
    )
  },
  item: async (quickBooks) => mapped(await quickBooks.queryAll('Item'), (all) => all.filter(sold).map(itemToKeep)),
  customer: async (quickBooks) => mapped(await quickBooks.queryAll('Customer'), (all) => all.map(customerToKeep)),
}

const mapped = <From, To>(result: Result<From[]>, change: (all: From[]) => To[]): Result<To[]> =>
  result.ok ? { ok: true, value: change(result.value) } : result

/** Refreshes all lists, each in its own transaction. Objects gone from QuickBooks become inactive, because receipts reference them. */
export async function readLists(
  scope: Scope,
  quickBooks: QuickBooks,
  kinds: readonly ListKind[] = listKinds,
): Promise<QuickBooksFailure | null> {
  for (const kind of kinds) {
    const readAt = scope.now()
    const result = await readers[kind](quickBooks)
    if (!result.ok) return result
    await scope.db.transaction(async (tx) => {
      await keep(tx, kind, result.value, readAt)
      await tx.execute(
        sql`update quickbooks_objects set is_active = false where kind = ${kind} and read_at < ${readAt.toISOString()}::timestamptz and is_active`,
      )
      await tx.insert(quickbooksLists).values({ kind, readAt }).onConflictDoUpdate({ target: quickbooksLists.kind, set: { readAt } })
    })
  }
  await publish(scope.db, 'quickbooks', 'lists')
  return null
}

const batch = 1_000

export async function keep(tx: Db, kind: ListKind, all: readonly Read[], readAt: Date): Promise<void> {
  for (let at = 0; at < all.length; at += batch) {
    const rows = all.slice(at, at + batch).map((read) => ({ ...read, kind, readAt }))
    await tx
      .insert(quickbooksObjects)
      .values(rows)
      .onConflictDoUpdate({
        target: [quickbooksObjects.kind, quickbooksObjects.id],
        set: {
          name: sql`excluded.name`,
          email: sql`excluded.email`,
          isActive: sql`excluded.is_active`,
          facts: sql`excluded.facts`,
          readAt: sql`excluded.read_at`,
        },
      })
  }
}

/** When the oldest list was read; null until all have been read once. */
export async function listsReadAt(db: Db): Promise<Date | null> {
  const [row] = await db.select({ oldest: min(quickbooksLists.readAt), kinds: sql<number>`count(*)::int` }).from(quickbooksLists)
  return row?.kinds === listKinds.length ? row.oldest : null
}

/** Active objects of a kind, by name. */
export const listOf = (db: Db, kind: ListKind) =>
  db
    .select()
    .from(quickbooksObjects)
    .where(and(eq(quickbooksObjects.kind, kind), quickbooksObjects.isActive))
    .orderBy(asc(sql`fold(${quickbooksObjects.name})`), asc(quickbooksObjects.id))

/** Which of these IDs are known and active. */
export const objectsOf = (db: Db, kind: ListKind, ids: readonly string[]) =>
  db
    .select()
    .from(quickbooksObjects)
    .where(and(eq(quickbooksObjects.kind, kind), inArray(quickbooksObjects.id, [...ids]), quickbooksObjects.isActive))

/** Maximum search results. */
const maxFound = 25

/** Active objects with all words of `query` in name, description or email, ignoring case and accents; name prefix matches first. */
export function searchObjects(db: Db, kind: ListKind, query: string, by: 'name' | 'email' = 'name') {
  const { search, email, name, id, isActive } = quickbooksObjects
  const words = query.trim().split(/\s+/)
  const has = (column: SQL | typeof search): SQL[] => words.map((word) => sql`${column} like contains_pattern(${word})`)
  const found = by === 'email' ? [...has(search), ...has(sql`fold(${email})`)] : has(search)
  return db
    .select()
    .from(quickbooksObjects)
    .where(and(eq(quickbooksObjects.kind, kind), isActive, ...found))
    .orderBy(sql`not starts_with(fold(${name}), fold(${query.trim()}))`, asc(sql`fold(${name})`), asc(id))
    .limit(maxFound)
}
