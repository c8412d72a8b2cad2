import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { recordOnce } from '../../platform/idempotency/service.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { type Account, collectionMessages } from './account-contract.ts'
import { entryOf, recordEntryOnce, withLedger, type Keyed, type NewCharge, type NewEntry, withCharge, voidOf, write } from './entries.ts'
import { accountOf, chargesOf, lockCharge, lockReceipt, surgeryDaysOf } from './ledger.ts'
import { type Instalment, portionsOf, spread, sumsTo } from './rules.ts'
import { collectionNotes, ledgerEntries } from './table.ts'

export { onPaymentApplied } from './entries.ts'
export { appliedByReceipt, appliedOf, creditAmong, openOfCharge } from './ledger.ts'
export { countOutstanding, listOutstanding, owedByContacts, outstandingAmong } from './outstanding.ts'
export { addFeeCharge, addQuotedCharge, voidFeeCharge, voidQuotedCharge } from './quoted.ts'
export { renderStatement } from './statement.ts'

/** A patient's ledger. Null: patient not found. */
export const getAccount = (scope: Scope, contactId: string): Promise<Account | null> =>
  readOfPatient(scope, 'ledger', contactId, accountOf(scope.db, scope, contactId))

export function addCharge(scope: Scope, charge: NewCharge & Keyed) {
  return withLedger(scope, charge.contactId, (tx) =>
    recordEntryOnce(tx, 'charge', charge, (keyed) => write(tx, scope, { ...entryOf(charge), ...keyed })),
  )
}

/** Changes a charge's due dates, not its amount. */
export const setPlan = (scope: Scope, { id, plan, ...days }: { id: string; dueOn: string; isBeforeSurgery: boolean; plan: Instalment[] }) =>
  withCharge(scope, id, async (tx, { entry, amountCents }) => {
    if (plan.length > 0 && !sumsTo(plan, amountCents)) return refuse('PLAN', { fields: { plan: collectionMessages.plan } })
    const after = { ...days, plan: plan.length > 0 ? plan : null }
    await tx.update(ledgerEntries).set(after).where(eq(ledgerEntries.id, id))
    const { dueOn, isBeforeSurgery, plan: was } = entry
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'ledger entry',
      contactIds: [entry.contactId],
      before: { id, dueOn, isBeforeSurgery, plan: was },
      after,
    })
    return undefined
  })

const tooMuch = (openCents: number) => refuse('TOO_MUCH', { openCents, fields: { amountCents: collectionMessages.tooMuch } })

type OfReceipt = { id: string; receiptId: string; amountCents: number }

/** Applies part of a receipt to a charge: at most what is left of the receipt and at most what is open. */
export function applyPayment(scope: Scope, given: OfReceipt & Keyed) {
  const { id, receiptId, amountCents } = given
  return withCharge(scope, id, (tx, { entry: { contactId }, amountCents: charged, creditedCents }) =>
    recordEntryOnce(tx, 'payment', given, async (keyed) => {
      const receipt = await lockReceipt(tx, contactId, receiptId)
      if (!receipt) return refuse('NO_RECEIPT')
      const openCents = Math.min(charged - creditedCents, receipt.leftCents)
      if (amountCents > openCents) return tooMuch(openCents)
      return write(tx, scope, { ...paymentOf(contactId, id, receiptId, receipt.docNumber, amountCents), ...keyed })
    }),
  )
}

const paymentOf = (contactId: string, chargeId: string, receiptId: string, docNumber: string | null, amountCents: number): NewEntry => ({
  contactId,
  kind: 'payment',
  amountCents: -amountCents,
  chargeId,
  receiptId,
  description: `Sales receipt ${docNumber ?? ''}`.trim(),
})

/** The patient who owes a charge. Null: charge not found. */
export async function debtorOf(tx: Db, chargeId: string): Promise<string | null> {
  return (await lockCharge(tx, chargeId))?.entry.contactId ?? null
}

/**
 * Applies a newly completed receipt to the charge that it was taken for, up to the open amount. Any excess stays a deposit, and so
 * does all of it if the charge no longer belongs to this patient.
 */
export async function payCharge(
  tx: Db,
  scope: Scope,
  paid: { chargeId: string; contactId: string; receiptId: string; createdBy: string | null },
): Promise<void> {
  const charge = await lockCharge(tx, paid.chargeId)
  const receipt = await lockReceipt(tx, paid.contactId, paid.receiptId)
  if (charge?.entry.contactId !== paid.contactId || !receipt) return
  const amountCents = Math.min(charge.amountCents - charge.creditedCents, receipt.leftCents)
  if (amountCents <= 0) return
  await write(tx, scope, paymentOf(paid.contactId, paid.chargeId, paid.receiptId, receipt.docNumber, amountCents), paid.createdBy)
}

/** Applies the rest of a receipt to open charges, most urgent first. Any excess stays a deposit. */
export const applyAll = (scope: Scope, { contactId, receiptId }: { contactId: string; receiptId: string }) =>
  withLedger(scope, contactId, (tx) => applyToBalance(tx, scope, { contactId, receiptId, createdBy: staff(scope).id }))

/** The same within a transaction. NO_RECEIPT: the patient has no such receipt. */
export async function applyToBalance(
  tx: Db,
  scope: Scope,
  { contactId, receiptId, createdBy }: { contactId: string; receiptId: string; createdBy: string | null },
) {
  const charges = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.contactId, contactId)).for('update')
  const receipt = await lockReceipt(tx, contactId, receiptId)
  if (!receipt) return refuse('NO_RECEIPT')
  const surgeryDays = await surgeryDaysOf(tx, scope.env, eq(ledgerEntries.contactId, contactId))
  const portions = chargesOf(charges, surgeryDays).flatMap(portionsOf)
  for (const { chargeId, amountCents } of spread(portions, receipt.leftCents)) {
    await write(tx, scope, paymentOf(contactId, chargeId, receiptId, receipt.docNumber, amountCents), createdBy)
  }
  return undefined
}

/** Unapplies a payment from a charge, at most the amount applied. */
export function releasePayment(scope: Scope, given: OfReceipt & Keyed) {
  const { id, receiptId, amountCents } = given
  const entry = { kind: 'release', amountCents, chargeId: id, receiptId, description: 'Payment unapplied' } as const
  return withCharge(scope, id, (tx, { entry: { contactId }, others }) =>
    recordEntryOnce(tx, 'release', given, async (keyed) => {
      const paid = others.filter((other) => other.receiptId === receiptId).reduce((sum, other) => sum - other.amountCents, 0)
      if (amountCents > paid) return tooMuch(paid)
      return write(tx, scope, { ...entry, ...keyed, contactId })
    }),
  )
}

export function writeOff(scope: Scope, given: { id: string; amountCents: number; reason: string } & Keyed) {
  const { id, amountCents, reason } = given
  return withCharge(scope, id, (tx, { entry: { contactId }, amountCents: charged, creditedCents }) =>
    recordEntryOnce(tx, 'write_off', given, async (keyed) => {
      const openCents = charged - creditedCents
      if (amountCents > openCents) return tooMuch(openCents)
      return write(tx, scope, { ...keyed, contactId, kind: 'write_off', amountCents: -amountCents, chargeId: id, description: reason })
    }),
  )
}

export function voidCharge(scope: Scope, given: { id: string; reason: string } & Keyed) {
  const { id, reason } = given
  return withCharge(scope, id, (tx, charge) =>
    recordEntryOnce(tx, 'void', given, async (keyed) => {
      if (charge.creditedCents !== 0) return refuse('CREDITED')
      return write(tx, scope, { ...keyed, ...voidOf(charge, reason) })
    }),
  )
}

type NewNote = Omit<typeof collectionNotes.$inferInsert, 'createdAt' | 'createdBy' | keyof Keyed>

/** `check` runs in the transaction and returns a refusal or undefined. */
function addNote<Refused>(
  scope: Scope,
  { idempotencyKey, ...note }: NewNote & Keyed,
  check: (tx: Db) => Promise<Refused | undefined> = async () => undefined,
) {
  return withLedger(scope, note.contactId, (tx) =>
    recordOnce(tx, { table: collectionNotes, key: idempotencyKey, payload: note }, async (keyed) => {
      const refused = await check(tx)
      if (refused) return refused
      const [row] = await tx
        .insert(collectionNotes)
        .values({ ...note, ...keyed, createdAt: scope.now(), createdBy: staff(scope).id })
        .onConflictDoNothing({ target: collectionNotes.idempotencyKey })
        .returning()
      if (row) await recordChange(tx, scope, { action: 'created', kind: 'collection note', contactIds: [note.contactId], after: row })
      return row
    }),
  )
}

/** Records a promise to pay: at most the balance, by today or a later day. */
export const promise = (scope: Scope, given: { contactId: string; amountCents: number; dueOn: string; note: string | null } & Keyed) =>
  addNote(scope, { ...given, kind: 'promise' }, async (tx) => {
    if (given.dueOn < dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE))
      return refuse('PAST', { fields: { dueOn: collectionMessages.past } })
    const { balanceCents } = await accountOf(tx, scope, given.contactId)
    return given.amountCents > balanceCents ? tooMuch(balanceCents) : undefined
  })

/** Puts a patient's surgery on hold until the balance is paid, or releases the hold. */
export const hold = (scope: Scope, { isHeld, ...given }: { contactId: string; isHeld: boolean; note: string | null } & Keyed) =>
  addNote<never>(scope, { ...given, kind: isHeld ? 'hold' : 'release' })
