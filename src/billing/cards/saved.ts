import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { addInteraction } from '../../crm/interactions/service.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { cardAccountOf, cardRefusalOf } from './account.ts'
import { savedCards } from './table.ts'

/** The cards that a patient agreed to have kept, with the wording, latest first. Null: patient not found. */
export const listSavedCards = (scope: Scope, contactId: string) =>
  readOfPatient(
    scope,
    'saved card',
    contactId,
    scope.db
      .select({
        id: savedCards.id,
        brand: savedCards.brand,
        last4: savedCards.last4,
        expiryMonth: savedCards.expiryMonth,
        expiryYear: savedCards.expiryYear,
        consentText: savedCards.consentText,
        consentedAt: savedCards.consentedAt,
      })
      .from(savedCards)
      .where(and(eq(savedCards.contactId, contactId), isNull(savedCards.removedAt)))
      .orderBy(desc(savedCards.consentedAt), desc(savedCards.id)),
  )

/**
 * The card that is charged without the patient: the one that they agreed to last. A card that was left for a visit pays the fee of that visit alone.
 * @param booking the visit whose fee is charged, and whose own card comes first.
 */
export async function latestCard(db: Db, contactId: string, booking?: string): Promise<typeof savedCards.$inferSelect | null> {
  const mayCharge = or(isNull(savedCards.bookingId), booking === undefined ? undefined : eq(savedCards.bookingId, booking))
  const [card] = await db
    .select()
    .from(savedCards)
    .where(and(eq(savedCards.contactId, contactId), isNull(savedCards.removedAt), mayCharge))
    .orderBy(sql`${savedCards.bookingId} is null`, desc(savedCards.consentedAt), desc(savedCards.id))
    .limit(1)
  return card ?? null
}

/** Removes a card at Stripe and here, because the patient has withdrawn the consent. Idempotent. Null: there is no such card. */
export async function removeSavedCard(scope: Scope, id: string) {
  const account = cardAccountOf(scope)
  const [row] = await scope.db.select().from(savedCards).where(eq(savedCards.id, id))
  if (!row) return null
  if (!account) return refuse('CARDS_UNAVAILABLE')
  const { contactId, methodId, last4 } = row
  if (!row.removedAt) {
    const removed = await account.client.removeCard(methodId)
    // Stripe no longer knows a card that was removed there.
    if (!removed.ok && removed.kind !== 'refused') return cardRefusalOf(removed)
    await scope.db.transaction(async (tx) => {
      const isKept = and(eq(savedCards.id, id), isNull(savedCards.removedAt))
      const [changed] = await tx.update(savedCards).set({ removedAt: scope.now() }).where(isKept).returning()
      if (!changed) return
      await recordChange(tx, scope, { action: 'deleted', kind: 'saved card', contactIds: [contactId], before: { id, last4 } })
      await addInteraction(tx, scope, { contactId, type: 'contact_updated', description: `Saved card ending in ${last4} removed` })
      await publish(tx, 'contact', contactId)
    })
  }
  return listSavedCards(scope, contactId)
}
