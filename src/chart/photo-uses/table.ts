import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, pgView, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { PhotoScope } from '../consent-forms/definition-rules.ts'
import { consentForms } from '../consent-forms/table.ts'
import type { PhotoView, ShotList, TimePoint } from '../photos/rules.ts'
import { photos } from '../photos/table.ts'
import type { EndReason, Purpose } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Consents to uses of photos that were given otherwise than by a consent form: in an email, in words, by another clinic's form. */
export const photoConsents = pgTable(
  'photo_consents',
  {
    id: id(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** One. Consents recorded before 2026-11-28 may have several, which are withdrawn together. */
    purposes: text('purposes').array().$type<Purpose[]>().notNull(),
    /** Null: every photo of the patient. */
    photoIds: uuid('photo_ids').array(),
    givenOn: date('given_on').notNull(),
    /** The last day on which it counts. */
    expiresOn: date('expires_on'),
    /** How it was given: 'Email of November 3'. */
    note: text('note').notNull(),
    recordedBy: uuid('recorded_by').references(() => profiles.id),
    recordedAt: instant('recorded_at').notNull(),
    withdrawnOn: date('withdrawn_on'),
    withdrawnBy: text('withdrawn_by'),
    withdrawalRecordedBy: uuid('withdrawal_recorded_by').references(() => profiles.id),
    withdrawalRecordedAt: instant('withdrawal_recorded_at'),
  },
  (t) => [
    index('photo_consents_contact').on(t.contactId),
    check('photo_consents_purposes', sql`cardinality(${t.purposes}) > 0`),
    check('photo_consents_withdrawn', sql`(${t.withdrawnOn} is null) = (${t.withdrawnBy} is null)`),
  ],
)

/** Links that show photos to one person outside the practice. Only the hash of their secret is stored. */
export const photoLinks = pgTable(
  'photo_links',
  {
    id: id(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    purpose: text('purpose').$type<Purpose>().notNull(),
    recipient: text('recipient').notNull(),
    email: text('email').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    opened: integer('opened').notNull().default(0),
    openedAt: instant('opened_at'),
  },
  (t) => [index('photo_links_contact').on(t.contactId)],
)

/**
 * A photo in use outside the chart. It is live while it has not ended, the photo is in the chart, and the consent that it names still allows it:
 * nothing has to run for a withdrawal to take effect.
 */
export const photoUses = pgTable(
  'photo_uses',
  {
    id: id(),
    photoId: uuid('photo_id')
      .notNull()
      .references(() => photos.id),
    purpose: text('purpose').$type<Purpose>().notNull(),
    /** The consent: a signed form with the use that it allows, or one recorded apart. */
    consentFormId: uuid('consent_form_id').references(() => consentForms.id),
    formScope: text('form_scope').$type<PhotoScope>(),
    photoConsentId: uuid('photo_consent_id').references(() => photoConsents.id),
    linkId: uuid('link_id').references(() => photoLinks.id),
    /** Where staff have put it: 'Instagram, November 3'. */
    place: text('place'),
    begunBy: uuid('begun_by').references(() => profiles.id),
    begunAt: instant('begun_at').notNull(),
    endedAt: instant('ended_at'),
    /** Null with an end: the patient withdrew the consent, or it expired. */
    endedBy: uuid('ended_by').references(() => profiles.id),
    endReason: text('end_reason').$type<EndReason>(),
    /** The task to remove it from a place that Refyne cannot reach. Not a foreign key: tasks may be deleted. */
    taskId: uuid('task_id'),
    /** When staff removed it from a place that Refyne cannot reach. */
    removedAt: instant('removed_at'),
    removedBy: uuid('removed_by').references(() => profiles.id),
  },
  (t) => [
    index('photo_uses_photo').on(t.photoId),
    index('photo_uses_form').on(t.consentFormId),
    index('photo_uses_consent').on(t.photoConsentId),
    index('photo_uses_link').on(t.linkId),
    index('photo_uses_live')
      .on(t.purpose, t.photoId)
      .where(sql`${t.endedAt} is null`),
    uniqueIndex('photo_uses_once')
      .on(t.photoId, t.purpose)
      .where(sql`${t.endedAt} is null and ${t.linkId} is null and ${t.place} is null`),
    check('photo_uses_consent_named', sql`(${t.consentFormId} is null) <> (${t.photoConsentId} is null)`),
    check('photo_uses_scope', sql`(${t.consentFormId} is null) = (${t.formScope} is null)`),
    check('photo_uses_ended', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
  ],
)

/**
 * A photo released to the portal of the patient whom it shows. It is shown while it is not taken back, the photo is in the chart, and the photo
 * belongs to the patient to whom it was released: a merge hands no photo to another person's portal.
 */
export const photoReleases = pgTable(
  'photo_releases',
  {
    id: id(),
    photoId: uuid('photo_id')
      .notNull()
      .references(() => photos.id),
    /** Not a foreign key, and not moved by a merge: the photo then belongs to another record, which ends the release. */
    contactId: uuid('contact_id').notNull(),
    releasedBy: uuid('released_by').references(() => profiles.id),
    releasedAt: instant('released_at').notNull(),
    takenBackBy: uuid('taken_back_by').references(() => profiles.id),
    takenBackAt: instant('taken_back_at'),
  },
  (t) => [
    index('photo_releases_photo').on(t.photoId),
    uniqueIndex('photo_releases_once')
      .on(t.contactId, t.photoId)
      .where(sql`${t.takenBackAt} is null`),
  ],
)

/** What the portal's role may read: released photos of the patient whose id is in the transaction (see portal/guard.ts). */
export const ownPhotos = pgView('own_photos', {
  id: uuid('id').notNull(),
  view: text('view').$type<PhotoView>().notNull(),
  takenAt: instant('taken_at').notNull(),
  seriesId: uuid('series_id').notNull(),
  shotList: text('shot_list').$type<ShotList>().notNull(),
  timePoint: text('time_point').$type<TimePoint>().notNull(),
  takenOn: date('taken_on').notNull(),
}).existing()
