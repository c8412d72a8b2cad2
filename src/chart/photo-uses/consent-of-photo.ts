import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { consentForms, consentTemplateVersions } from '../consent-forms/table.ts'
import type { ChartChange } from '../photos/service.ts'
import { photos, photoSeries } from '../photos/table.ts'
import type { ShownConsent } from './contract.ts'
import { isLive, todayOf } from './live.ts'
import {
  type ConsentGap,
  consentFor,
  type DatedSeries,
  isBeforeTreatment,
  publicPurposes,
  type Purpose,
  purposeNames,
  scopesFor,
  treatedDayOf,
} from './rules.ts'
import { photoConsents, photoUses } from './table.ts'

/** Every consent of a patient to a use of photos, also those that no longer count: one line for each purpose. */
export async function consentsOf(db: Db, { env }: Pick<Scope, 'env'>, contactId: string): Promise<FoundConsent[]> {
  const forms = await db
    .select({ form: consentForms, definition: consentTemplateVersions.definition })
    .from(consentForms)
    .innerJoin(consentTemplateVersions, eq(consentTemplateVersions.id, consentForms.versionId))
    .where(and(eq(consentForms.contactId, contactId), inArray(consentForms.status, ['signed', 'withdrawn'])))
  const recorded = await db.select().from(photoConsents).where(eq(photoConsents.contactId, contactId)).orderBy(photoConsents.id)
  return [
    ...forms.flatMap(({ form, definition }) =>
      purposeNames.flatMap((purpose): FoundConsent[] => {
        const formScope = form.scopes.find((scope) => (scopesFor[purpose] as readonly string[]).includes(scope))
        if (!formScope) return []
        const isWithdrawn = form.status === 'withdrawn' || form.withdrawnScopes.includes(formScope)
        return [
          {
            id: form.id,
            source: 'form',
            formScope,
            purpose,
            givenOn: dayAt(form.signedAt!, env.PRACTICE_TIME_ZONE),
            expiresOn: null,
            isWithdrawn,
            withdrawnOn: isWithdrawn ? form.withdrawnOn : null,
            withdrawnBy: isWithdrawn ? form.withdrawnBy : null,
            note: definition.title.en,
            photoIds: null,
          },
        ]
      }),
    ),
    ...recorded.flatMap(({ id, purposes, givenOn, expiresOn, withdrawnOn, withdrawnBy, note, photoIds }) =>
      purposes.map((purpose): FoundConsent => ({
        id,
        source: 'recorded',
        formScope: null,
        purpose,
        givenOn,
        expiresOn,
        isWithdrawn: withdrawnOn !== null,
        withdrawnOn,
        withdrawnBy,
        note,
        photoIds,
      })),
    ),
  ]
}
export type FoundConsent = ShownConsent & { formScope: (typeof consentForms.$inferSelect)['scopes'][number] | null }

export async function areOfPatient(tx: Db, ids: readonly string[], contactId: string): Promise<boolean> {
  const found = await tx
    .select({ id: photos.id })
    .from(photos)
    .where(and(inArray(photos.id, [...ids]), eq(photos.contactId, contactId), isNull(photos.deletedAt)))
  return found.length === ids.length
}

interface Wanted {
  contactId: string
  photoIds: readonly string[]
  purpose: Purpose
}

/** For each photo the consent that allows a purpose today, or what is missing. */
export async function consentsFor(db: Db, scope: Pick<Scope, 'env' | 'now'>, { contactId, photoIds, purpose }: Wanted) {
  const consents = await consentsOf(db, scope, contactId)
  const all = await seriesOf(db, contactId)
  const rows = await db
    .select({ id: photos.id, seriesId: photos.seriesId })
    .from(photos)
    .where(inArray(photos.id, [...photoIds]))
  const today = todayOf(scope)
  return photoIds.map((id) => {
    const series = all.find((one) => one.id === rows.find((row) => row.id === id)?.seriesId)
    return { id, consent: consentFor(consents, { id, treatedOn: series ? treatedDayOf(series, all) : null }, purpose, today) }
  })
}

/** Why a photo may not be used for a purpose today; null: it may. */
export async function gapOfUse(
  scope: Scope,
  { photoId, ...wanted }: { contactId: string; photoId: string; purpose: Purpose },
): Promise<ConsentGap | null> {
  const [found] = await consentsFor(scope.db, scope, { ...wanted, photoIds: [photoId] })
  return found && 'gap' in found.consent ? found.consent.gap : null
}

/** The patient's series. `without`: a photo that is left out. */
const seriesOf = (db: Db, contactId: string, without: string | null = null): Promise<DatedSeries[]> =>
  db
    .select({
      id: photoSeries.id,
      shotList: photoSeries.shotList,
      timePoint: photoSeries.timePoint,
      takenOn: photoSeries.takenOn,
      hasPhotos: sql<boolean>`exists (select from photos as shot where shot.series_id = photo_series.id and shot.deleted_at is null
        and shot.id is distinct from ${without}::uuid)`,
    })
    .from(photoSeries)
    .where(eq(photoSeries.contactId, contactId))

/**
 * Whether a public use would go on under a consent from before the treatment, if this changed in the chart. Locks the patient, so that no use begins
 * before the change is committed.
 */
export async function wouldLackConsent(
  tx: Db,
  scope: Pick<Scope, 'env' | 'now'>,
  contactId: string,
  change: ChartChange,
): Promise<boolean> {
  await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId)).for('no key update')
  const uses = await tx
    .select({ use: photoUses, seriesId: photos.seriesId })
    .from(photoUses)
    .innerJoin(photos, eq(photos.id, photoUses.photoId))
    .where(and(eq(photos.contactId, contactId), inArray(photoUses.purpose, [...publicPurposes]), isLive(scope)))
  if (uses.length === 0) return false
  const consents = await consentsOf(tx, scope, contactId)
  const before = await seriesOf(tx, contactId)
  const left = 'photo' in change ? await seriesOf(tx, contactId, change.photo.id) : before
  const after = left.map((one) => {
    if ('photo' in change) return one.id === change.photo.seriesId ? { ...one, hasPhotos: true } : one
    return one.id === change.series.id ? { ...one, ...change.series } : one
  })
  return uses.some(({ use, seriesId }) => {
    const id = use.consentFormId ?? use.photoConsentId
    const consent = consents.find((one) => one.id === id && one.purpose === use.purpose)
    const isBefore = (inSeries: string, all: readonly DatedSeries[]) => {
      const series = all.find((one) => one.id === inSeries)
      return series && consent && isBeforeTreatment(consent, { id: use.photoId, treatedOn: treatedDayOf(series, all) })
    }
    const moved = 'photo' in change && change.photo.id === use.photoId ? change.photo.seriesId : seriesId
    return !isBefore(seriesId, before) && isBefore(moved, after) === true
  })
}
