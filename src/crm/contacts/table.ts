import {
  bigint,
  boolean,
  check,
  date,
  type ExtraConfigColumn,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { profiles } from '../../platform/auth/table.ts'
import { leadSources } from '../lead-sources/table.ts'
import { funnelStages } from '../pipeline/table.ts'
import { procedures } from '../procedures/table.ts'
import { type ColumnOf, columnsOf, filteredControl, type FilteredField, filteredFields } from './fields.ts'
import type { Attribution } from './rules.ts'

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

type FilteredColumn = ColumnOf<Exclude<FilteredField, 'funnelStage'>> | 'createdAt'

/**
 * A text as a filter compares it: without case and accents. Folding can make a text longer (㍿ becomes 株式会社), and an index entry has a
 * limit, so it is cut to as many characters as the field may have.
 */
export const foldedText = (text: SQLWrapper, max: number): SQL => sql`left(fold(${text}), ${sql.raw(String(max))})`

/**
 * Besides the stage, what a filter looks at; an index that has it all is read in the table's place. Texts are in it folded, too, because folding
 * a million of them would take seconds; PostgreSQL reads that from the index only if the column itself is there as well.
 */
const filteredOf = (t: Record<FilteredColumn, ExtraConfigColumn>): (ExtraConfigColumn | SQL)[] => [
  t.createdAt,
  ...filteredFields
    .filter((name) => name !== 'funnelStage')
    .flatMap((name) => {
      const control = filteredControl(name)
      const columns = columnsOf(name).map((column) => t[column])
      return control.kind === 'text' ? columns.flatMap((column) => [column, foldedText(column, control.max)]) : columns
    }),
]

/** A number from 0 to 255 that says nothing of a row: some of them first in an index, and a fair part of a time is read as one stretch each. */
const drawOf = (id: ExtraConfigColumn) => sql`get_byte(uuid_send(${id}), 15)`

/** Patients, also called leads (spec 3: contacts). */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    /** The order in which contacts were added: "newest first", and the blocks of the search index (see search.ts). */
    seq: bigint('seq', { mode: 'number' }).generatedByDefaultAsIdentity(),
    /** Raised by every change; a writer names the version it read, so that nothing is silently overwritten. */
    version: integer('version').notNull().default(1),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** The primary one; further ones beside it. Matching uses all of them: see contact-points.ts. */
    email: text('email'),
    otherEmails: text('other_emails').array().notNull().default([]),
    phone: text('phone'),
    otherPhones: text('other_phones').array().notNull().default([]),
    address: text('address'),
    city: text('city'),
    state: text('state'),
    zipCode: text('zip_code'),
    company: text('company'),
    title: text('title'),
    dateOfBirth: date('date_of_birth', { mode: 'string' }),
    pronouns: text('pronouns'),
    preferredLanguage: text('preferred_language'),
    notes: text('notes'),
    status: text('status').notNull().default('active'),
    leadSourceId: uuid('lead_source').references(() => leadSources.id, { onDelete: 'set null' }),
    /** What the lead form or the import literally said; shown when no source has that name. */
    leadSourceText: text('lead_source_text'),
    funnelStageId: uuid('funnel_stage')
      .notNull()
      .references(() => funnelStages.id),
    stageEnteredAt: instant('stage_entered_at').notNull().defaultNow(),
    /** Why the lead was lost, for as long as it is in a stage of that kind; each loss's own reason stays in the history. */
    lostReason: text('lost_reason'),
    procedureId: uuid('procedure_of_interest').references(() => procedures.id, { onDelete: 'set null' }),
    procedureText: text('procedure_text'),
    assignedSalesRepId: uuid('assigned_sales_rep_id').references(() => profiles.id),
    assignedProviderId: uuid('assigned_provider_id').references(() => profiles.id),
    lastContactDate: instant('last_contact_date'),
    nextFollowUpDate: instant('next_follow_up_date'),
    consentToCommunicate: boolean('consent_to_communicate').notNull().default(false),
    importSource: text('import_source'),
    weightLossMedication: text('weight_loss_medication'),
    requiresSpecialistConsult: boolean('requires_specialist_consult').notNull().default(false),
    specialistConsultType: text('specialist_consult_type'),
    specialistConsultReason: text('specialist_consult_reason'),
    specialistResultsReceived: boolean('specialist_results_received').notNull().default(false),
    specialistResultsDate: date('specialist_results_date', { mode: 'string' }),
    specialistNotes: text('specialist_notes'),
    surgicalDate: date('surgical_date', { mode: 'string' }),
    /** In cents (money is never a float). */
    revenueCents: bigint('revenue', { mode: 'number' }),
    appointmentDate: date('appointment_date', { mode: 'string' }),
    /** HH:MM in the practice's time zone. */
    appointmentTime: text('appointment_time'),
    appointmentLocation: text('appointment_location'),
    metadata: jsonb('metadata').$type<Record<string, unknown>>(),
    /** Where the first lead form of this person said they came from, written once; and the latest one. */
    firstAttribution: jsonb('first_attribution').$type<Attribution>(),
    latestAttribution: jsonb('latest_attribution').$type<Attribution>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Folded (case and accents) first name, last name, emails and phones, a line each; kept by the database. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`contact_search_text(first_name, last_name, email, phone, other_emails, other_phones)`),
    /** Folded last name, then first name: what the list is sorted by, stored for its index to be read without the table. */
    sortName: text('sort_name').notNull().generatedAlwaysAs(sql`contact_sort_name(first_name, last_name)`),
  },
  (t) => [
    uniqueIndex('contacts_seq').on(t.seq.desc().nullsFirst()),
    index('contacts_stage').on(t.funnelStageId, t.seq.desc().nullsFirst()),
    index('contacts_source').on(t.leadSourceId, t.seq.desc().nullsFirst()),
    index('contacts_procedure').on(t.procedureId, t.seq.desc().nullsFirst()),
    index('contacts_email').on(sql`lower(${t.email})`),
    index('contacts_phone').on(sql`phone_e164(phone)`),
    // Of the few who have several. To be asked with the same words: `other_phones <> '{}' and phones_e164(other_phones) @> array[number]`.
    index('contacts_other_emails').using('gin', sql`lower_all(${t.otherEmails})`).where(sql`${t.otherEmails} <> '{}'`),
    index('contacts_other_phones').using('gin', sql`phones_e164(${t.otherPhones})`).where(sql`${t.otherPhones} <> '{}'`),
    index('contacts_name_key').on(sql`contact_name_key(first_name, last_name)`),
    index('contacts_name').on(t.sortName, t.seq),
    index('contacts_follow_up').on(t.nextFollowUpDate, t.seq),
    index('contacts_last_contact').on(t.lastContactDate.desc().nullsLast(), t.seq),
    index('contacts_sales_rep').on(t.assignedSalesRepId, t.seq.desc().nullsFirst()),
    index('contacts_provider').on(t.assignedProviderId, t.seq.desc().nullsFirst()),
    index('contacts_surgery').on(t.surgicalDate, t.seq),
    index('contacts_added').on(t.createdAt, t.seq),
    // Those whom the clinic is to answer: an import brings people whom it knows. To be asked with the same words (see dashboard/figures.ts).
    index('contacts_arrived').on(drawOf(t.id), t.createdAt, t.id).where(sql`import_source is null or import_source not like 'Import: %'`),
    // All that a filter looks at, newest first: whatever the conditions, and however rare, this is read and not the table.
    index('contacts_filter').on(t.seq.desc().nullsFirst(), t.id, t.funnelStageId, ...filteredOf(t)),
    // The same for the board: the columns in their order, each read no further than it is shown, whatever the filter.
    index('contacts_board').on(t.funnelStageId, t.stageEnteredAt, t.seq, t.id, ...filteredOf(t)),
    index('contacts_search')
      .using(
        'gin',
        sql`(seq >> 15)`,
        sql`(seq >> 11)`,
        t.funnelStageId,
        sql`search_text gin_trgm_ops`,
        sql`split_part(search_text, chr(10), 1) gin_trgm_ops`,
        sql`split_part(search_text, chr(10), 2) gin_trgm_ops`,
        sql`contact_search_keys(search_text)`,
      )
      .with({ fastupdate: false }),
    check('contacts_appointment_time', sql`${t.appointmentTime} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
)

/** Each stage a contact was in, with who moved it and when: time in stage and conversion are reported from it. */
export const stageHistory = pgTable(
  'contact_stage_history',
  {
    id: uuid('id').primaryKey().default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    fromStageId: uuid('from_stage').references(() => funnelStages.id),
    toStageId: uuid('to_stage')
      .notNull()
      .references(() => funnelStages.id),
    changedAt: instant('changed_at').notNull().defaultNow(),
    changedBy: uuid('changed_by').references(() => profiles.id),
    /** Since when it had been in the stage that it left; null of its first one, and of a slip: a move that was taken back at once. */
    fromEnteredAt: instant('from_entered_at'),
    /** Of a move to a stage where leads are lost: why, as far as it was said. */
    lostReason: text('lost_reason'),
  },
  (t) => [
    index('contact_stage_history_contact').on(t.contactId, t.changedAt),
    // All that reports ask of the moves to some stages, from some stages: read and not the table.
    index('contact_stage_history_ways').on(t.toStageId, t.fromStageId, t.changedAt, t.contactId, t.fromEnteredAt),
    // All that the dashboard asks of the moves of a time, which is read and not the table.
    index('contact_stage_history_moves')
      .on(drawOf(t.id), t.changedAt, t.fromStageId, t.toStageId, t.fromEnteredAt, t.contactId)
      .where(sql`from_entered_at is not null`),
  ],
)

/** The rows of patients who were deleted, for as long as that can be undone. No foreign keys: the patients are gone. */
export const deletedContactRows = pgTable(
  'deleted_contact_rows',
  {
    deletionId: uuid('deletion_id').notNull(),
    /** With whom the row went. */
    contactId: uuid('contact_id').notNull(),
    /** The table that it was in; of what the patient referred to by name, that table. */
    place: text('place').notNull(),
    row: jsonb('row').$type<Record<string, unknown>>().notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (t) => [index('deleted_contact_rows_deletion').on(t.deletionId, t.contactId), index('deleted_contact_rows_deleted_at').on(t.deletedAt)],
)

/** What the database makes of a contact's other columns. */
export const generatedColumns = ['searchText', 'sortName'] as const

/** A row (by its alias) as PostgreSQL writes it, without what it can make again: no instant loses its microseconds, no large number its last digits. */
export const storedRow = (alias: string): SQL =>
  sql`(to_jsonb(${sql.identifier(alias)}) - ${sql.param(generatedColumns.map((key) => contacts[key].name))}::text[])`

/** Number of contacts per stage, as changes that only ever are added: inserts never wait for one another. Folded by a job. */
export const contactCounts = pgTable('contact_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  funnelStageId: uuid('funnel_stage').notNull(),
  change: integer('change').notNull(),
})

/**
 * The same by when they were added, stage and procedure. `since`: the quarter of an hour, which begins in every time zone; once folded, the
 * beginning of the practice's day, and -infinity of all that is too old to be asked for by day.
 */
export const contactDayCounts = pgTable('contact_day_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  since: timestamp('since', { withTimezone: true, mode: 'string' }).notNull(),
  funnelStageId: uuid('funnel_stage').notNull(),
  procedureId: uuid('procedure_of_interest'),
  change: integer('change').notNull(),
})

/** The same by source; where there is none, by what was said of it. */
export const contactSourceCounts = pgTable('contact_source_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  leadSourceId: uuid('lead_source'),
  leadSourceText: text('lead_source_text'),
  change: integer('change').notNull(),
})
