import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Language } from '../../shared/translations.ts'
import { templateColumns, versionColumns, versionIndexes } from '../templates/table.ts'
import type { ConsentDefinition, PhotoScope } from './definition-rules.ts'
import type { EventKind } from './event-rules.ts'
import type { ConsentText, Signing } from './rules.ts'
import type { StarterKey } from './starter-rules.ts'
import type { ConsentStatus, SentVia } from './status-rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

export const consentTemplates = pgTable('consent_templates', templateColumns<StarterKey>())

export const consentTemplateVersions = pgTable(
  'consent_template_versions',
  {
    ...versionColumns<ConsentDefinition>(() => consentTemplates.id),
    /** Those who signed an earlier version have to sign this one. */
    mustResign: boolean('must_resign').notNull().default(false),
  },
  (t) => versionIndexes('consent_template_versions', t),
)

/**
 * Consent forms given to patients, or signed on paper, of which only the scan says what was signed. A trigger keeps one that is no longer open
 * unchanged, except for its patient after a merge, its countersignature, its withdrawal, and why an email was not sent.
 */
export const consentForms = pgTable(
  'consent_forms',
  {
    id: id(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    versionId: uuid('version_id')
      .notNull()
      .references(() => consentTemplateVersions.id),
    /** The surgery that it was given for. Surgeries belong to a later domain, and their rows move with the patient's. */
    surgeryId: uuid('surgery_id'),
    status: text('status').$type<ConsentStatus>().notNull().default('sent'),
    sentVia: text('sent_via').$type<SentVia>().notNull(),
    /** The address, if it was emailed. */
    sentTo: text('sent_to'),
    sentAt: instant('sent_at').notNull(),
    sentBy: uuid('sent_by').references(() => profiles.id),
    /** The scan of one that was signed on paper. Not a foreign key: the order in which a patient's rows are deleted stays free. */
    documentId: uuid('document_id'),
    /** Why the latest email about it was not sent. */
    emailProblem: text('email_problem'),
    /** The language that it was signed in; until then the one of the email. */
    language: text('language').$type<Language>().notNull(),
    /** Who signs instead of the patient, as staff decided. */
    substituteName: text('substitute_name'),
    substituteRelation: text('substitute_relation'),
    askedAt: instant('asked_at'),
    /** What was signed: the text with its fields filled in, its hash, the procedures that it names, and what the signer gave. */
    text: jsonb('text').$type<ConsentText>(),
    textHash: text('text_hash'),
    procedureIds: uuid('procedure_ids').array().notNull().default([]),
    signing: jsonb('signing').$type<Signing>(),
    scopes: text('scopes').array().$type<PhotoScope[]>().notNull().default([]),
    /** On paper: the beginning of the day. */
    signedAt: instant('signed_at'),
    declinedAt: instant('declined_at'),
    declineReason: text('decline_reason'),
    countersignedAt: instant('countersigned_at'),
    countersignedBy: uuid('countersigned_by').references(() => profiles.id),
    /** The day on which it was withdrawn, by whom, and when that was recorded. Without a recorder the patient did it in the portal. */
    withdrawnOn: date('withdrawn_on', { mode: 'string' }),
    withdrawnBy: text('withdrawn_by'),
    withdrawnAt: instant('withdrawn_at'),
    withdrawalRecordedBy: uuid('withdrawal_recorded_by').references(() => profiles.id),
    /** Uses of photos that were withdrawn while the rest stays. */
    withdrawnScopes: text('withdrawn_scopes').array().$type<PhotoScope[]>().notNull().default([]),
    cancelledAt: instant('cancelled_at'),
    cancelledBy: uuid('cancelled_by').references(() => profiles.id),
  },
  (t) => [
    check('consent_forms_status', sql`${t.status} in ('sent', 'signed', 'declined', 'withdrawn', 'cancelled')`),
    check('consent_forms_sent', sql`${t.sentVia} in ('email', 'link', 'paper') and (${t.sentVia} = 'email') = (${t.sentTo} is not null)`),
    check('consent_forms_paper', sql`(${t.sentVia} = 'paper') = (${t.documentId} is not null)`),
    check('consent_forms_language', sql`${t.language} in ('en', 'fr')`),
    check('consent_forms_substitute', sql`(${t.substituteName} is null) = (${t.substituteRelation} is null)`),
    check('consent_forms_signed', sql`(${t.status} in ('signed', 'withdrawn')) = (${t.signedAt} is not null)`),
    check(
      'consent_forms_complete',
      sql`${t.signedAt} is null or ${t.sentVia} = 'paper' or (${t.text} is not null and ${t.textHash} is not null and ${t.signing} is not null)`,
    ),
    check('consent_forms_declined', sql`(${t.status} = 'declined') = (${t.declinedAt} is not null)`),
    check('consent_forms_cancelled', sql`(${t.status} = 'cancelled') = (${t.cancelledAt} is not null)`),
    check('consent_forms_withdrawn', sql`${t.status} <> 'withdrawn' or ${t.withdrawnAt} is not null`),
    index('consent_forms_contact').on(t.contactId, t.sentAt),
    index('consent_forms_surgery').on(t.surgeryId),
    index('consent_forms_version').on(t.versionId),
  ],
)

/** The steps of a consent form, each with a hash over itself and the one before. A trigger refuses changes. */
export const consentEvents = pgTable(
  'consent_events',
  {
    id: id(),
    consentFormId: uuid('consent_form_id')
      .notNull()
      .references(() => consentForms.id),
    kind: text('kind').$type<EventKind>().notNull(),
    at: instant('at').notNull(),
    /** Null: the patient, or someone who signs for them. */
    actorId: uuid('actor_id').references(() => profiles.id),
    actorName: text('actor_name').notNull(),
    address: text('address'),
    device: text('device'),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull(),
    hash: text('hash').notNull(),
  },
  (t) => [index('consent_events_form').on(t.consentFormId, t.id)],
)

/** The sealed PDFs of a consent form: one for its signature, its countersignature and its withdrawal. The bytes are in the file store. */
export const consentFiles = pgTable(
  'consent_files',
  {
    id: id(),
    consentFormId: uuid('consent_form_id')
      .notNull()
      .references(() => consentForms.id),
    /** The step that it was made for. Unique, so that each is sealed once. */
    eventId: uuid('event_id')
      .notNull()
      .unique()
      .references(() => consentEvents.id),
    storageKey: text('storage_key').notNull().unique(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    /** Whether a time-stamp authority confirmed when it was sealed. */
    timestamp: text('timestamp').$type<'none' | 'pending' | 'added'>().notNull(),
    sealedAt: instant('sealed_at').notNull(),
  },
  (t) => [
    check('consent_files_timestamp', sql`${t.timestamp} in ('none', 'pending', 'added')`),
    index('consent_files_form').on(t.consentFormId, t.id),
  ],
)
