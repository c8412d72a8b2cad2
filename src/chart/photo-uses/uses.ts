import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { consentForms } from '../consent-forms/table.ts'
import { addFollowUp } from '../forms/service.ts'
import { photos } from '../photos/table.ts'
import { photoUseMessages } from './contract.ts'
import { areOfPatient, consentsFor, type FoundConsent } from './consent-of-photo.ts'
import { isLive } from './live.ts'
import { usesOf } from './read.ts'
import { type ConsentGap, isPlaced, type Purpose } from './rules.ts'
import { photoConsents, photoUses } from './table.ts'

interface Begun {
  contactId: string
  photoIds: string[]
  purpose: Purpose
  place: string | null
}

/** Uses photos for a purpose. NO_CONSENT says of which photos a consent is missing, and what. Null: no such patient. */
export const beginUse = (scope: Scope, { contactId, photoIds, purpose, place }: Begun) =>
  transact(scope.db, async (tx) => {
    if (isPlaced(purpose) && place === null) return invalidReference({ place: photoUseMessages.place })
    const allowed = await consentOfEach(tx, scope, { contactId, photoIds, purpose })
    if (allowed === null || isRefusal(allowed)) return allowed
    await addUses(tx, scope, allowed, { purpose, place: isPlaced(purpose) ? place : null, linkId: null })
    await publish(tx, 'gallery', photoIds[0]!)
    await recordChange(tx, scope, { action: 'created', kind: 'photo use', contactIds: [contactId], after: { purpose, photoIds, place } })
    await publish(tx, 'photo', contactId)
    return usesOf(tx, scope, contactId)
  })

export interface Allowed {
  photoId: string
  consent: FoundConsent
}

/**
 * The consent of each photo for a purpose. The patient, the signed forms and the recorded consents are locked in this order, so that a withdrawal
 * that comes later finds what is begun here. Null: no such patient.
 */
export async function consentOfEach(
  tx: Db,
  scope: Scope,
  { contactId, photoIds, purpose }: { contactId: string; photoIds: readonly string[]; purpose: Purpose },
) {
  const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
  if (!contact) return null
  if (!(await areOfPatient(tx, photoIds, contactId))) return invalidReference({ photoIds: photoUseMessages.otherPatient })
  await tx
    .select({ id: consentForms.id })
    .from(consentForms)
    .where(eq(consentForms.contactId, contactId))
    .orderBy(consentForms.id)
    .for('share')
  await tx
    .select({ id: photoConsents.id })
    .from(photoConsents)
    .where(eq(photoConsents.contactId, contactId))
    .orderBy(photoConsents.id)
    .for('share')
  const found = await consentsFor(tx, scope, { contactId, photoIds, purpose })
  const missing = found.flatMap(({ id, consent }): { id: string; gap: ConsentGap }[] =>
    'gap' in consent ? [{ id, gap: consent.gap }] : [],
  )
  if (missing.length > 0) return refuse('NO_CONSENT', { photos: missing })
  return found.map(({ id, consent }): Allowed => ({ photoId: id, consent: consent as FoundConsent }))
}

/** What is in use already goes on, under the consent that was found now: the one that it began with may have expired. */
export async function addUses(
  tx: Db,
  scope: Scope,
  allowed: readonly Allowed[],
  given: { purpose: Purpose; place: string | null; linkId: string | null },
): Promise<void> {
  await tx
    .insert(photoUses)
    .values(
      allowed.map(({ photoId, consent }) => ({
        photoId,
        ...given,
        ...(consent.source === 'form' ? { consentFormId: consent.id, formScope: consent.formScope } : { photoConsentId: consent.id }),
        begunBy: staff(scope).id,
        begunAt: scope.now(),
      })),
    )
    .onConflictDoUpdate({
      target: [photoUses.photoId, photoUses.purpose],
      targetWhere: sql`ended_at is null and link_id is null and place is null`,
      set: {
        consentFormId: sql`excluded.consent_form_id`,
        formScope: sql`excluded.form_scope`,
        photoConsentId: sql`excluded.photo_consent_id`,
      },
    })
}

/** Ends a use, however often it is asked. `removed`: of a use that shows nothing any more, notes that staff removed the photo from its place. Null: no such use. */
export const endUse = (scope: Scope, { id, removed }: { id: string; removed: boolean }) =>
  transact(scope.db, async (tx) => {
    const [found] = await tx
      .select({ use: photoUses, contactId: photos.contactId, isLive: sql<boolean>`${isLive(scope)}` })
      .from(photoUses)
      .innerJoin(photos, eq(photos.id, photoUses.photoId))
      .where(eq(photoUses.id, id))
      .for('update', { of: photoUses })
    if (!found) return null
    const { use, contactId } = found
    const isOver = use.endedAt !== null || !found.isLive
    const ending = use.endedAt === null ? { endedAt: scope.now(), endedBy: staff(scope).id, endReason: 'ended' as const } : {}
    const removing =
      removed && isOver && use.place !== null && use.removedAt === null ? { removedAt: scope.now(), removedBy: staff(scope).id } : {}
    const change = { ...ending, ...removing }
    if (Object.keys(change).length > 0) {
      await tx.update(photoUses).set(change).where(eq(photoUses.id, id))
      await recordChange(tx, scope, { action: 'changed', kind: 'photo use', contactIds: [contactId], after: { id, ...change } })
      await publish(tx, 'photo', contactId)
      await publish(tx, 'gallery', use.photoId)
    }
    return usesOf(tx, scope, contactId)
  })

/** The uses that a consent form no longer allows. */
export const withdrawnUsesOf = ({
  id,
  status,
  withdrawnScopes,
}: Pick<typeof consentForms.$inferSelect, 'id' | 'status' | 'withdrawnScopes'>): SQL =>
  and(eq(photoUses.consentFormId, id), status === 'withdrawn' ? undefined : inArray(photoUses.formScope, withdrawnScopes))!

/** Titles of tasks are seen by other roles too: they name neither the photos nor the place. */
const taskTitles = {
  withdrawn: 'A patient has withdrawn a consent: remove what was published',
  expired: 'A patient’s consent has expired: remove what was published',
} as const

/**
 * Ends the uses that a consent no longer allows. They show nothing since the withdrawal or the last day itself: this keeps when and why, and gives the
 * people who put photos elsewhere a task to remove them, or an administrator if they have left.
 */
export async function endUses(
  tx: Db,
  scope: Scope,
  contactId: string,
  { ofConsent, reason }: { ofConsent: SQL; reason: keyof typeof taskTitles },
): Promise<void> {
  const ended = await tx
    .update(photoUses)
    .set({ endedAt: scope.now(), endedBy: scope.actor?.id ?? null, endReason: reason })
    .where(and(ofConsent, isNull(photoUses.endedAt)))
    .returning({ id: photoUses.id, photoId: photoUses.photoId, place: photoUses.place, begunBy: photoUses.begunBy })
  if (ended.length > 0) {
    await publish(tx, 'gallery', ended[0]!.photoId)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'photo use',
      contactIds: [contactId],
      after: { ids: ended.map(({ id }) => id), endReason: reason },
    })
  }
  const placed = Map.groupBy(
    ended.filter(({ place }) => place !== null),
    ({ begunBy }) => begunBy,
  )
  for (const [begunBy, uses] of placed) {
    const taskId = await addFollowUp(tx, scope, { sentBy: begunBy, contactId }, taskTitles[reason], await firstAdmin(tx))
    const ids = uses.map(({ id }) => id)
    await tx.update(photoUses).set({ taskId }).where(inArray(photoUses.id, ids))
  }
  await publish(tx, 'photo', contactId)
}

/** The administrator who has been here longest. */
async function firstAdmin(tx: Db): Promise<string | null> {
  const [admin] = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    .orderBy(profiles.createdAt, profiles.id)
    .limit(1)
  return admin?.id ?? null
}
