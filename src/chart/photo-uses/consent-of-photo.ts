import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { consentForms, consentTemplateVersions } from '../consent-forms/table.ts'
import { photos, photoSeries } from '../photos/table.ts'
import type { ShownConsent } from './contract.ts'
import { todayOf } from './live.ts'
import { type ConsentGap, consentFor, type Purpose, purposeNames, scopesFor } from './rules.ts'
import { photoConsents } from './table.ts'

/** Every consent of a patient to a use of photos, also those that no longer count: one line for each purpose. */
export async function consentsOf(db: Db, { env }: Pick<Scope, 'env'>, contactId: string): Promise<FoundConsent[]> {
  const forms = await db
    .select({ form: consentForms, definition: consentTemplateVersions.definition })
    .from(consentForms)
    .innerJoin(consentTemplateVersions, eq(consentTemplateVersions.id, consentForms.versionId))
    .where(and(eq(consentForms.contactId, contactId), inArray(consentForms.status, ['signed', 'withdrawn'])))
  const recorded = await db.select().from(photoConsents).where(eq(photoConsents.contactId, contactId))
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
  const treated = await treatedDays(db, photoIds)
  const today = todayOf(scope)
  return photoIds.map((id) => ({ id, consent: consentFor(consents, { id, treatedOn: treated.get(id) ?? null }, purpose, today) }))
}

/** Why a photo may not be used for a purpose today; null: it may. */
export async function gapOfUse(
  scope: Scope,
  { photoId, ...wanted }: { contactId: string; photoId: string; purpose: Purpose },
): Promise<ConsentGap | null> {
  const [found] = await consentsFor(scope.db, scope, { ...wanted, photoIds: [photoId] })
  return found && 'gap' in found.consent ? found.consent.gap : null
}

/** The day from which a consent to public use of a photo counts: its own, or of one before treatment, that of the first series after it. */
async function treatedDays(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
  const rows = await db
    .select({
      id: photos.id,
      day: sql<string | null>`case when ${photoSeries.timePoint} = 'pre_op' then (
        select min(later.taken_on)::text from photo_series as later
        where later.contact_id = ${photoSeries.contactId} and later.shot_list = ${photoSeries.shotList}
          and later.time_point <> 'pre_op' and later.taken_on >= ${photoSeries.takenOn}
            and exists (select from photos as shot where shot.series_id = later.id and shot.deleted_at is null)) else ${photoSeries.takenOn}::text end`,
    })
    .from(photos)
    .innerJoin(photoSeries, eq(photoSeries.id, photos.seriesId))
    .where(inArray(photos.id, [...ids]))
  return new Map(rows.map(({ id, day }) => [id, day]))
}
