import { eq } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { photoUseMessages } from './contract.ts'
import { areOfPatient } from './consent-of-photo.ts'
import { todayOf } from './live.ts'
import { usesOf } from './read.ts'
import type { Purpose } from './rules.ts'
import { photoConsents, photoUses } from './table.ts'
import { endUses } from './uses.ts'

interface Recorded {
  contactId: string
  purposes: Purpose[]
  photoIds: string[] | null
  givenOn: string
  expiresOn: string | null
  note: string
}

/** Records consents that were given without a form, one for each purpose, because each can be withdrawn. Null: the patient does not exist. */
export const recordConsent = (scope: Scope, { contactId, purposes, ...given }: Recorded) =>
  transact(scope.db, async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    const today = todayOf(scope)
    if (given.givenOn > today) return invalidReference({ givenOn: photoUseMessages.future })
    if (given.expiresOn !== null && given.expiresOn < today) return invalidReference({ expiresOn: photoUseMessages.past })
    if (given.photoIds !== null && !(await areOfPatient(tx, given.photoIds, contactId)))
      return invalidReference({ photoIds: photoUseMessages.otherPatient })
    const recorded = { recordedBy: staff(scope).id, recordedAt: scope.now() }
    const rows = await tx
      .insert(photoConsents)
      .values(purposes.map((purpose) => ({ ...given, ...recorded, contactId, purposes: [purpose] })))
      .returning({ id: photoConsents.id })
    const after = { ids: rows.map(({ id }) => id), purposes, ...given }
    await recordChange(tx, scope, { action: 'created', kind: 'photo consent', contactIds: [contactId], after })
    await publish(tx, 'photo', contactId)
    return usesOf(tx, scope, contactId)
  })

/** Records that a patient withdrew a consent that was recorded apart, and ends what it allowed. Null: no such consent. */
export const withdrawConsent = (scope: Scope, { id, on, by }: { id: string; on: string; by: string }) =>
  transact(scope.db, async (tx) => {
    const [before] = await tx.select().from(photoConsents).where(eq(photoConsents.id, id)).for('update')
    if (!before) return null
    const { contactId } = before
    if (before.withdrawnOn !== null) return usesOf(tx, scope, contactId)
    if (on > todayOf(scope)) return invalidReference({ on: photoUseMessages.future })
    if (on < before.givenOn) return invalidReference({ on: photoUseMessages.beforeGiven })
    await tx
      .update(photoConsents)
      .set({ withdrawnOn: on, withdrawnBy: by, withdrawalRecordedBy: staff(scope).id, withdrawalRecordedAt: scope.now() })
      .where(eq(photoConsents.id, id))
    await recordChange(tx, scope, { action: 'changed', kind: 'photo consent', contactIds: [contactId], after: { id, withdrawnOn: on } })
    await endUses(tx, scope, contactId, { ofConsent: eq(photoUses.photoConsentId, id), reason: 'withdrawn' })
    return usesOf(tx, scope, contactId)
  })
