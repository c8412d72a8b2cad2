import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { transact } from '../../kernel/postgres/transact.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { queueMail } from '../../platform/mail/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { photos, photoSeries } from '../photos/table.ts'
import { sharedMail } from './emails.ts'
import { isLive } from './live.ts'
import { usesOf } from './read.ts'
import type { Purpose } from './rules.ts'
import { photoLinks, photoUses } from './table.ts'
import { addUses, consentOfEach } from './uses.ts'

interface Shared {
  contactId: string
  photoIds: string[]
  purpose: Purpose
  recipient: string
  email: string
  days: number
}

/** Emails a link that shows photos to one person. NO_CONSENT: of which photos a consent is missing. Null: no such patient. */
export const sharePhotos = (scope: Scope, { contactId, photoIds, purpose, recipient, email, days }: Shared) =>
  transact(scope.db, async (tx) => {
    const allowed = await consentOfEach(tx, scope, { contactId, photoIds, purpose })
    if (allowed === null || isRefusal(allowed)) return allowed
    const token = newToken()
    const now = scope.now()
    const [link] = await tx
      .insert(photoLinks)
      .values({
        contactId,
        purpose,
        recipient,
        email,
        tokenHash: hashToken(token),
        createdBy: staff(scope).id,
        createdAt: now,
        expiresAt: new Date(now.getTime() + days * 24 * 3_600_000),
      })
      .returning()
    await addUses(tx, scope, allowed, { purpose, place: null, linkId: link!.id })
    const after = { id: link!.id, purpose, photoIds, recipient, email, expiresAt: link!.expiresAt }
    await recordChange(tx, scope, { action: 'created', kind: 'photo link', contactIds: [contactId], after })
    await publish(tx, 'photo', contactId)
    await queueMail(tx, sharedMail(scope.env, { to: email, recipient, token, expiresAt: link!.expiresAt }))
    return usesOf(tx, scope, contactId)
  })

/** Null: no such link. */
export const endLink = (scope: Scope, id: string) =>
  transact(scope.db, async (tx) => {
    const [before] = await tx.select().from(photoLinks).where(eq(photoLinks.id, id)).for('update')
    if (!before) return null
    const { contactId } = before
    if (before.endedAt === null) {
      const ended = { endedAt: scope.now() }
      await tx.update(photoLinks).set(ended).where(eq(photoLinks.id, id))
      await tx
        .update(photoUses)
        .set({ ...ended, endedBy: staff(scope).id, endReason: 'ended' })
        .where(and(eq(photoUses.linkId, id), isNull(photoUses.endedAt)))
      await recordChange(tx, scope, { action: 'changed', kind: 'photo link', contactIds: [contactId], after: { id, ...ended } })
      await publish(tx, 'photo', contactId)
    }
    return usesOf(tx, scope, contactId)
  })

/** The photos that a link shows now. */
async function shownBy(scope: Scope, token: string) {
  return scope.db
    .select({ link: photoLinks, photo: photos, series: photoSeries, contact: contacts })
    .from(photoLinks)
    .innerJoin(photoUses, eq(photoUses.linkId, photoLinks.id))
    .innerJoin(photos, eq(photos.id, photoUses.photoId))
    .innerJoin(photoSeries, eq(photoSeries.id, photos.seriesId))
    .innerJoin(contacts, eq(contacts.id, photoLinks.contactId))
    .where(and(eq(photoLinks.tokenHash, hashToken(token)), isLive(scope)))
    .orderBy(asc(photoSeries.takenOn), asc(photos.takenAt), asc(photos.id))
}

/** What the link shows, without a sign-in. Null: the link has ended, or shows nothing any more. */
export async function openShared(scope: Scope, token: string) {
  if (!(await isWithinLimit(scope))) return refuse('TOO_MANY_REQUESTS')
  const rows = await shownBy(scope, token)
  const [first] = rows
  if (!first) return null
  const { link, contact } = first
  const opened = { opened: sql`${photoLinks.opened} + 1`, openedAt: scope.now() }
  await scope.db.update(photoLinks).set(opened).where(eq(photoLinks.id, link.id))
  await scope.recordView({ kind: 'photo link', contactIds: [link.contactId] })
  return {
    recipient: link.recipient,
    patient: link.purpose === 'referral' ? { name: `${contact.firstName} ${contact.lastName}`, dateOfBirth: contact.dateOfBirth } : null,
    expiresAt: link.expiresAt,
    photos: rows.map(({ photo, series }) => ({
      id: photo.id,
      view: photo.view,
      timePoint: series.timePoint,
      title: series.title,
      takenOn: series.takenOn,
    })),
  }
}

/** The photo of a link; null if the link does not show it now. */
export async function sharedPhoto(scope: Scope, token: string, photoId: string): Promise<{ id: string; contactId: string } | null> {
  const rows = await shownBy(scope, token)
  return rows.map(({ photo }) => photo).find(({ id }) => id === photoId) ?? null
}

export const isWithinLimit = ({ attempts, origin }: Scope): Promise<boolean> =>
  attempts.consume('sharedPhotos', rateLimitKey(origin.address))
