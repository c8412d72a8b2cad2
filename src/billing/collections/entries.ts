import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { slot } from '../../kernel/slot.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { type KeyColumns, recordOnce } from '../../platform/idempotency/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { accountOf, lockCharge } from './ledger.ts'
import type { EntryKind, Instalment } from './rules.ts'
import { ledgerEntries } from './table.ts'

export type NewEntry = Omit<typeof ledgerEntries.$inferInsert, 'createdAt' | 'createdBy'>

export type Keyed = { idempotencyKey?: string | undefined }

/** Creates an entry once per idempotency key. `kind` is part of the hashed payload. */
export const recordEntryOnce = <Made>(
  tx: Db,
  kind: EntryKind,
  { idempotencyKey, ...sent }: Keyed,
  make: (keyed: KeyColumns) => Promise<Made>,
) => recordOnce(tx, { table: ledgerEntries, key: idempotencyKey, payload: { kind, ...sent } }, make)

/** What else happens in the transaction in which a payment is applied to a charge: a visit fee whose card was refused may be paid. */
export const onPaymentApplied = slot<(tx: Db, scope: Scope, chargeId: string) => Promise<void>>('onPaymentApplied')

/** Writes an entry with its audit row; undefined when its key was used before. */
export async function write(tx: Db, scope: Scope, entry: NewEntry, createdBy: string | null = staff(scope).id) {
  const [row] = await tx
    .insert(ledgerEntries)
    .values({ ...entry, createdAt: scope.now(), createdBy })
    .onConflictDoNothing({ target: ledgerEntries.idempotencyKey })
    .returning()
  if (!row) return undefined
  await recordChange(tx, scope, { action: 'created', kind: 'ledger entry', contactIds: [entry.contactId], after: row })
  if (row.kind === 'payment' && row.chargeId) await onPaymentApplied(tx, scope, row.chargeId)
  return row
}

/** Runs `work` with the patient locked, so that changes to one ledger run one at a time. Null: patient not found. */
export async function withLedger<Result>(scope: Scope, contactId: string, work: (tx: Db) => Promise<Result>) {
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
    if (!contact) return null
    const result = await work(tx)
    if (isRefusal(result)) return result
    await publish(tx, 'contact', contactId)
    return accountOf(tx, scope, contactId)
  })
}

/** The same for a charge and its patient. The charge is locked first because a merge may move it to another patient at any time. */
export async function withCharge<Result>(
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
