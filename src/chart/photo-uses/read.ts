import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { readOfPatient } from '../../crm/contacts/service.ts'
import { photos } from '../photos/table.ts'
import { consentsOf } from './consent-of-photo.ts'
import type { PatientUses } from './contract.ts'
import { isLive } from './live.ts'
import { photoLinks, photoReleases, photoUses } from './table.ts'

/** Where the photos of a patient are used, now and earlier, and by which consents. Null: no such patient. */
export async function listUses(scope: Scope, contactId: string): Promise<PatientUses | null> {
  return readOfPatient(scope, 'photo use', contactId, usesOf(scope.db, scope, contactId))
}

export async function usesOf(db: Db, scope: Pick<Scope, 'env' | 'now'>, contactId: string): Promise<PatientUses> {
  const consents = await consentsOf(db, scope, contactId)
  const rows = await db
    .select({ use: photoUses, isLive: sql<boolean>`${isLive(scope)}` })
    .from(photoUses)
    .innerJoin(photos, eq(photos.id, photoUses.photoId))
    .where(eq(photos.contactId, contactId))
    .orderBy(desc(photoUses.begunAt), desc(photoUses.id))
  const links = await db
    .select()
    .from(photoLinks)
    .where(eq(photoLinks.contactId, contactId))
    .orderBy(desc(photoLinks.createdAt), asc(photoLinks.id))
  const releases = await db
    .select({ photoId: photoReleases.photoId, releasedAt: photoReleases.releasedAt, releasedBy: photoReleases.releasedBy })
    .from(photoReleases)
    .innerJoin(photos, and(eq(photos.id, photoReleases.photoId), eq(photos.contactId, photoReleases.contactId)))
    .where(and(eq(photoReleases.contactId, contactId), isNull(photoReleases.takenBackAt), isNull(photos.deletedAt)))
    .orderBy(asc(photoReleases.id))
  return {
    releases,
    consents: consents.map(({ formScope: _, ...shown }) => shown),
    uses: rows.map(({ use, isLive: live }) => ({
      id: use.id,
      photoId: use.photoId,
      purpose: use.purpose,
      consentId: (use.consentFormId ?? use.photoConsentId)!,
      linkId: use.linkId,
      place: use.place,
      begunAt: use.begunAt,
      begunBy: use.begunBy,
      isLive: live,
      endedAt: use.endedAt,
      endReason: use.endReason,
      removedAt: use.removedAt,
    })),
    links: links.map(({ id, purpose, recipient, email, createdAt, expiresAt, endedAt, opened, openedAt }) => ({
      id,
      purpose,
      recipient,
      email,
      photoIds: rows.flatMap(({ use }) => (use.linkId === id ? [use.photoId] : [])),
      createdAt,
      expiresAt,
      endedAt,
      opened,
      openedAt,
    })),
  }
}
