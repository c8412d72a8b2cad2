import { and, eq, inArray, isNull } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { toLanguage } from '../../shared/translations.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { suppressionReasons } from '../../platform/mail/rules.ts'
import { queueMail, suppressionOf } from '../../platform/mail/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { photos } from '../photos/table.ts'
import { areOfPatient } from './consent-of-photo.ts'
import { photoUseMessages } from './contract.ts'
import { usesOf } from './read.ts'
import { releasedMail } from './released-emails.ts'
import { photoReleases } from './table.ts'

interface Chosen {
  contactId: string
  photoIds: string[]
}

/**
 * Shows a patient their own photos in the portal, which needs no consent: they are the patient's. What is released already stays as it is. Null: no
 * such patient.
 */
export const releasePhotos = (scope: Scope, { contactId, photoIds, notify }: Chosen & { notify: boolean }) =>
  transact(scope.db, async (tx) => {
    const [contact] = await tx
      .select({ email: contacts.email, language: contacts.preferredLanguage })
      .from(contacts)
      .where(eq(contacts.id, contactId))
      .for('key share')
    if (!contact) return null
    if (!(await areOfPatient(tx, photoIds, contactId))) return invalidReference({ photoIds: photoUseMessages.otherPatient })
    if (notify && !contact.email) return invalidReference({ notify: photoUseMessages.noEmail })
    const suppression = notify && contact.email ? await suppressionOf(tx, contact.email) : null
    if (suppression) return invalidReference({ notify: `The patient can’t be notified: ${suppressionReasons[suppression]}` })
    const added = await tx
      .insert(photoReleases)
      .values(photoIds.map((photoId) => ({ photoId, contactId, releasedBy: staff(scope).id, releasedAt: scope.now() })))
      .onConflictDoNothing()
      .returning({ photoId: photoReleases.photoId })
    if (added.length > 0) {
      const after = { photoIds: added.map(({ photoId }) => photoId), notify }
      await recordChange(tx, scope, { action: 'created', kind: 'photo release', contactIds: [contactId], after })
      await publish(tx, 'photo', contactId)
    }
    if (added.length > 0 && notify && contact.email)
      await queueMail(tx, releasedMail(scope.env, contact.email, toLanguage(contact.language) ?? 'en'))
    return usesOf(tx, scope, contactId)
  })

/** Ends releases with the patient's next request. Null: no such patient. */
export const takeBackPhotos = (scope: Scope, { contactId, photoIds }: Chosen) =>
  transact(scope.db, async (tx) => {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('key share')
    if (!contact) return null
    // Also photos that were deleted in the meantime.
    const own = await tx.$count(photos, and(inArray(photos.id, photoIds), eq(photos.contactId, contactId)))
    if (own < photoIds.length) return invalidReference({ photoIds: photoUseMessages.otherPatient })
    const ended = await tx
      .update(photoReleases)
      .set({ takenBackAt: scope.now(), takenBackBy: staff(scope).id })
      .where(and(eq(photoReleases.contactId, contactId), inArray(photoReleases.photoId, photoIds), isNull(photoReleases.takenBackAt)))
      .returning({ photoId: photoReleases.photoId })
    if (ended.length > 0) {
      const after = { photoIds: ended.map(({ photoId }) => photoId), takenBack: true }
      await recordChange(tx, scope, { action: 'changed', kind: 'photo release', contactIds: [contactId], after })
      await publish(tx, 'photo', contactId)
    }
    return usesOf(tx, scope, contactId)
  })
