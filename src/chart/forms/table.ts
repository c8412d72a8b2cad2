import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { templateColumns, versionColumns, versionIndexes } from '../templates/table.ts'
import type { FormDefinition } from './definition-rules.ts'
import type { Language } from '../../shared/translations.ts'
import type { StarterKey } from './starter-rules.ts'
import type { Answers, RaisedFlag } from './rules.ts'
import type { FormPurpose, FormStatus, SentVia } from './status-rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** The forms that the practice can send. */
export const formTemplates = pgTable('form_templates', templateColumns<StarterKey>())

/** What a template asked at each time. */
export const formVersions = pgTable(
  'form_versions',
  versionColumns<FormDefinition>(() => formTemplates.id),
  (t) => versionIndexes('form_versions', t),
)

/** The review of a submitted form: waits from the submission until a reviewer has decided about each answer, or ends it. */
export const formReviews = pgTable(
  'form_reviews',
  {
    id: id(),
    formId: uuid('form_id')
      .notNull()
      .unique()
      .references(() => forms.id),
    submittedAt: instant('submitted_at').notNull(),
    reviewedAt: instant('reviewed_at'),
    reviewedBy: uuid('reviewed_by').references(() => profiles.id),
  },
  (t) => [
    index('form_reviews_waiting')
      .on(t.submittedAt)
      .where(sql`${t.reviewedAt} is null`),
    check('form_reviews_reviewed', sql`(${t.reviewedAt} is null) = (${t.reviewedBy} is null)`),
  ],
)

/** What was decided about an answer, once. */
export const formDecisions = pgTable(
  'form_decisions',
  {
    id: id(),
    formId: uuid('form_id')
      .notNull()
      .references(() => forms.id),
    question: text('question').notNull(),
    /** An answer can propose several things. */
    part: integer('part').notNull(),
    decision: text('decision').$type<'accepted' | 'kept'>().notNull(),
    /** What was written to the chart. */
    text: text('text'),
    decidedBy: uuid('decided_by')
      .notNull()
      .references(() => profiles.id),
    decidedAt: instant('decided_at').notNull(),
  },
  (t) => [
    uniqueIndex('form_decisions_once').on(t.formId, t.question, t.part),
    check('form_decisions_decision', sql`${t.decision} in ('accepted', 'kept')`),
  ],
)

/** Forms sent to patients, with their answers. A trigger keeps a submitted one unchanged, except for whose it is after a merge. */
export const forms = pgTable(
  'forms',
  {
    id: id(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    versionId: uuid('version_id')
      .notNull()
      .references(() => formVersions.id),
    purpose: text('purpose').$type<FormPurpose>().notNull().default('form'),
    status: text('status').$type<FormStatus>().notNull().default('sent'),
    sentVia: text('sent_via').$type<SentVia>().notNull(),
    /** The address, if it was emailed. */
    sentTo: text('sent_to'),
    sentAt: instant('sent_at').notNull(),
    sentBy: uuid('sent_by').references(() => profiles.id),
    /** Why the email was not sent. */
    emailProblem: text('email_problem'),
    expiresAt: instant('expires_at').notNull(),
    /** The language in which the patient fills it in; the one that the email was written in until then. */
    language: text('language').$type<Language>().notNull(),
    answers: jsonb('answers').$type<Answers>().notNull().default({}),
    /** Percent. */
    progress: integer('progress').notNull().default(0),
    /** Raised by every save, so that two devices do not overwrite each other. */
    revision: integer('revision').notNull().default(0),
    startedAt: instant('started_at'),
    submittedAt: instant('submitted_at'),
    /** Raised by the answers when they were submitted. */
    redFlags: jsonb('red_flags').$type<RaisedFlag[]>().notNull().default([]),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnBy: uuid('withdrawn_by').references(() => profiles.id),
  },
  (t) => [
    check('forms_purpose', sql`${t.purpose} in ('form', 'check_in')`),
    check('forms_status', sql`${t.status} in ('sent', 'started', 'submitted', 'withdrawn')`),
    check('forms_sent', sql`${t.sentVia} in ('email', 'link') and (${t.sentVia} = 'email') = (${t.sentTo} is not null)`),
    check('forms_language', sql`${t.language} in ('en', 'fr')`),
    check('forms_progress', sql`${t.progress} between 0 and 100`),
    check('forms_submitted', sql`(${t.status} = 'submitted') = (${t.submittedAt} is not null)`),
    check('forms_withdrawn', sql`(${t.status} = 'withdrawn') = (${t.withdrawnAt} is not null)`),
    index('forms_contact').on(t.contactId, t.sentAt),
    index('forms_version').on(t.versionId),
  ],
)
