import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contactCustomers } from '../quickbooks/table.ts'
import { type PrepaidEntryKind, giftCardCode } from './rules.ts'
import { type PrepaidAccount, prepaidAccounts, prepaidEntries } from './table.ts'

const sealedAs = 'gift card code'

/** Codes have 80 random bits, so a plain hash cannot be reversed by trying. */
export const hashOfCode = (code: string): string => createHash('sha256').update(code).digest('hex')

/** The code of a gift card, for its receipt. Null: its secret is no longer configured. */
export const codeOf = (env: Scope['env'], { sealedCode }: Pick<PrepaidAccount, 'sealedCode'>): string | null =>
  sealedCode === null ? null : unseal(env, sealedAs, sealedCode)

/** What a new gift card is stored with. */
export function newCode(env: Scope['env']) {
  const code = giftCardCode(randomBytes(16))
  return { codeHash: hashOfCode(code), sealedCode: seal(env, sealedAs, code), last4: code.slice(-4) }
}

export type NewEntry = {
  accountId: string
  kind: PrepaidEntryKind
  /** In cents, and of a package also in sessions: negative takes from the balance. */
  amountCents: number
  sessions?: number
  receiptId: string
  reason?: string | null
  createdBy: string | null
}

/** Adds an entry, once for each receipt and kind. A trigger changes the balance, which the database never lets become negative. */
export async function addEntry(tx: Db, scope: Scope, entry: NewEntry): Promise<void> {
  const [row] = await tx
    .insert(prepaidEntries)
    .values({ ...entry, createdAt: scope.now() })
    .onConflictDoNothing()
    .returning()
  if (row) await recordChange(tx, scope, { action: 'created', kind: 'prepaid balance', contactIds: [], after: row })
}

/** These accounts, locked in the order of their ids, so that two desks wait for each other. */
export async function lockAccounts(tx: Db, ids: readonly string[]): Promise<Map<string, PrepaidAccount>> {
  const rows =
    ids.length === 0
      ? []
      : await tx
          .select()
          .from(prepaidAccounts)
          .where(inArray(prepaidAccounts.id, [...ids]))
          .orderBy(asc(prepaidAccounts.id))
          .for('update')
  return new Map(rows.map((row) => [row.id, row]))
}

/** The store credit of a customer, opened if there is none. */
export async function creditAccountOf(tx: Db, scope: Scope, customerId: string): Promise<PrepaidAccount> {
  const isCredit = and(eq(prepaidAccounts.customerId, customerId), eq(prepaidAccounts.kind, 'credit'))
  await tx.insert(prepaidAccounts).values({ kind: 'credit', customerId, createdAt: scope.now() }).onConflictDoNothing()
  const [row] = await tx.select().from(prepaidAccounts).where(isCredit)
  return row!
}

/** Customers of the same patient as this one, itself included. */
export async function customersOfSamePatient(db: Db, customerId: string): Promise<string[]> {
  const patient = db.select({ id: contactCustomers.contactId }).from(contactCustomers).where(eq(contactCustomers.customerId, customerId))
  const rows = await db
    .select({ customerId: contactCustomers.customerId })
    .from(contactCustomers)
    .where(inArray(contactCustomers.contactId, patient))
  return [...new Set([customerId, ...rows.map((row) => row.customerId)])]
}
