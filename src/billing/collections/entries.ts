import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type KeyColumns, recordOnce } from '../../platform/idempotency/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { accountOf, lockCharge } from './ledger.ts'
import type { EntryKind, Instalment } from './rules.ts'
import { ledgerEntries } from './table.ts'

export type NewEntry = Omit<typeof ledgerEntries.$inferInsert, 'createdAt' | 'createdBy'>

export type Keyed = { idempotencyKey?: string | undefined }

/** What was sent makes an entry once for its key. `kind` is part of what the key stands for. */
export const entryOnce = <Made>(tx: Db, kind: EntryKind, { idempotencyKey, ...sent }: Keyed, make: (keyed: KeyColumns) => Promise<Made>) =>
  recordOnce(tx, { table: ledgerEntries, key: idempotencyKey, payload: { kind, ...sent } }, make)

/** Writes an entry with its audit row; undefined where its key is known. */
export async function write(tx: Db, scope: Scope, entry: NewEntry, createdBy: string | null = staff(scope).id) {
  const [row] = await tx
    .insert(ledgerEntries)
    .values({ ...entry, createdAt: scope.now(), createdBy })
    .onConflictDoNothing({ target: ledgerEntries.idempotencyKey })
    .returning()
  if (row) await recordChange(tx, scope, { action: 'created', kind: 'ledger entry', contactIds: [entry.contactId], after: row })
  return row
}

/** Anyone who changes a patient's ledger waits here for one another; null when there is no such patient. */
export async function inLedger<Result>(scope: Scope, contactId: string, work: (tx: Db) => Promise<Result>) {
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
    if (!contact) return null
    const result = await work(tx)
    if (isRefusal(result)) return result
    await publish(tx, 'contact', contactId)
    return accountOf(tx, scope, contactId)
  })
}

/** The same for a charge, whose patient is the one concerned. A merge may give it another patient at any time, so the charge is locked first. */
export async function onCharge<Result>(
  scope: Scope,
  id: string,
  work: (tx: Db, charge: NonNullable<Awaited<ReturnType<typeof lockCharge>>>) => Promise<Result>,
) {
  return scope.db.transaction(async (tx) => {
    const charge = await lockCharge(tx, id)
    if (!charge) return null
    const result = await work(tx, charge)
    if (isRefusal(result)) return result
    await publish(tx, 'contact', charge.entry.contactId)
    return accountOf(tx, scope, charge.entry.contactId)
  })
}

export type NewCharge = {
  contactId: string
  description: string
  amountCents: number
  dueOn: string
  isBeforeSurgery: boolean
  plan: Instalment[]
}

export const entryOf = (charge: NewCharge) => ({ ...charge, kind: 'charge', plan: charge.plan.length > 0 ? charge.plan : null }) as const

export const voidOf = ({ id, amountCents, entry }: NonNullable<Awaited<ReturnType<typeof lockCharge>>>, reason: string): NewEntry => ({
  contactId: entry.contactId,
  kind: 'void',
  amountCents: -amountCents,
  chargeId: id,
  description: reason,
})
