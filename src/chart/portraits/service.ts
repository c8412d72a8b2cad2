import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { renderPortrait } from '../../documents/service.ts'
import { type Portrait, portraitMessages } from './contract.ts'
import { portraits } from './table.ts'

export const sealPurpose = 'portrait'

/** Null: the patient does not exist. */
export async function getPortrait(scope: Scope, contactId: string): Promise<Portrait | null> {
  const [row] = await scope.db
    .select({ sealedImage: portraits.sealedImage, updatedAt: portraits.updatedAt })
    .from(contacts)
    .leftJoin(portraits, eq(portraits.contactId, contacts.id))
    .where(eq(contacts.id, contactId))
  if (!row) return null
  await scope.recordView({ kind: 'contact', contactIds: [contactId] })
  // One that was sealed with a secret that the server no longer has is shown as none.
  const image = row.sealedImage && unseal(scope.env, sealPurpose, row.sealedImage)
  return { portrait: image && row.updatedAt ? { image, updatedAt: row.updatedAt } : null }
}

/** Stores a picture, cropped and without its metadata. UNREADABLE_IMAGE: it is no picture. Null: the patient does not exist. */
export async function setPortrait(scope: Scope, { contactId, image }: { contactId: string; image: string }) {
  const picture = await renderPortrait(Buffer.from(image, 'base64'))
  if (!picture) return refuse('UNREADABLE_IMAGE', { fields: { image: portraitMessages.unreadable } })
  const text = Buffer.from(picture).toString('base64')
  return scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    const updatedAt = scope.now()
    const values = { sealedImage: seal(scope.env, sealPurpose, text), updatedAt }
    await tx
      .insert(portraits)
      .values({ contactId, ...values })
      .onConflictDoUpdate({ target: portraits.contactId, set: values })
    await recordChange(tx, scope, { action: 'changed', kind: 'portrait', contactIds: [contactId] })
    await publish(tx, 'contact', contactId)
    return { portrait: { image: text, updatedAt } }
  })
}

/** Null: the patient does not exist. */
export const removePortrait = (scope: Scope, contactId: string): Promise<{ portrait: null } | null> =>
  scope.db.transaction(async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    const removed = await tx.delete(portraits).where(eq(portraits.contactId, contactId)).returning({ id: portraits.id })
    if (removed.length > 0) {
      await recordChange(tx, scope, { action: 'deleted', kind: 'portrait', contactIds: [contactId] })
      await publish(tx, 'contact', contactId)
    }
    return { portrait: null }
  })
