import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { readOfPatient } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import type { HealthCard } from './contract.ts'
import { type CardFields, lastFour, sealPurpose } from './rules.ts'
import { healthCards } from './table.ts'

type Row = typeof healthCards.$inferSelect

async function cardOf(db: Db, contactId: string): Promise<Row | null> {
  const [row] = await db.select().from(healthCards).where(eq(healthCards.contactId, contactId))
  return row ?? null
}

/** Whether the patient exists; their row stays until the end of the transaction. */
async function keepContact(tx: Db, contactId: string): Promise<boolean> {
  const rows = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
  return rows.length > 0
}

/** A patient's health card without its number, or `card: null`. Null: the patient does not exist. */
export const getHealthCard = (scope: Scope, contactId: string): Promise<{ card: HealthCard | null } | null> => {
  const read = cardOf(scope.db, contactId).then((card) => ({ card }))
  return readOfPatient(scope, 'contact', contactId, read)
}

/** The whole number. The view is in the audit log before the response leaves. Null: the patient has no card. */
export async function readNumber(scope: Scope, contactId: string) {
  const card = await cardOf(scope.db, contactId)
  if (!card) return null
  await scope.recordView({ kind: 'health card', contactIds: [contactId] })
  const number = unseal(scope.env, sealPurpose, card.sealedNumber)
  return number === null ? refuse('UNREADABLE') : { number }
}

interface NewCard extends CardFields {
  contactId: string
  version: number
}

/** Adds a card, or replaces the one with this version. Null: the patient does not exist. */
export async function setHealthCard(scope: Scope, { contactId, version, number, province, versionCode }: NewCard) {
  return scope.db.transaction(async (tx) => {
    if (!(await keepContact(tx, contactId))) return null
    const [before] = await tx.select().from(healthCards).where(eq(healthCards.contactId, contactId)).for('update')
    if ((before?.version ?? 0) !== version) return refuse('CONFLICT', { card: before ?? null })
    const now = scope.now()
    const values = {
      version: version + 1,
      province,
      sealedNumber: seal(scope.env, sealPurpose, number),
      lastDigits: lastFour(number),
      versionCode,
      updatedAt: now,
    }
    const [card] = before
      ? await tx.update(healthCards).set(values).where(eq(healthCards.id, before.id)).returning()
      : await tx
          .insert(healthCards)
          .values({ ...values, contactId, createdAt: now })
          .onConflictDoNothing()
          .returning()
    // Someone else added one at the same moment.
    if (!card) return refuse('CONFLICT', { card: await cardOf(tx, contactId) })
    await recordChange(tx, scope, {
      action: before ? 'changed' : 'created',
      kind: 'health card',
      contactIds: [contactId],
      ...(before && { before: audited(before) }),
      after: audited(card),
    })
    await publish(tx, 'contact', contactId)
    return { card }
  })
}

/** Removes the card, if there is one. Null: the patient does not exist. */
export async function removeHealthCard(scope: Scope, contactId: string): Promise<{ card: null } | null> {
  return scope.db.transaction(async (tx) => {
    if (!(await keepContact(tx, contactId))) return null
    const [removed] = await tx.delete(healthCards).where(eq(healthCards.contactId, contactId)).returning()
    if (removed) {
      await recordChange(tx, scope, { action: 'deleted', kind: 'health card', contactIds: [contactId], before: audited(removed) })
      await publish(tx, 'contact', contactId)
    }
    return { card: null }
  })
}

/** What the audit log keeps of a card: enough to tell one from another, never the number. */
const audited = ({ province, lastDigits, versionCode }: Row) => ({ province, lastDigits, versionCode })
