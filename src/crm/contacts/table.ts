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
import { instant } from '../../kernel/postgres/columns.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { profiles } from '../../platform/auth/table.ts'
import { leadSources } from '../lead-sources/table.ts'
import { funnelStages } from '../pipeline/table.ts'
import { procedures } from '../procedures/table.ts'
import { type ColumnOf, columnsOf, filteredControl, type FilteredField, filteredFields } from './derived-fields.ts'
import type { Attribution } from './rules.ts'

type FilteredColumn = ColumnOf<Exclude<FilteredField, 'funnelStage'>> | 'createdAt'

/**
 * The text as filters compare it: without case and accents. Folding can make a text longer (㍿ becomes 株式会社) and index entries have a
 * size limit, so it is truncated to the maximum length of the field.
 */
export const foldedText = (text: SQLWrapper, max: number): SQL => sql`left(fold(${text}), ${sql.raw(String(max))})`

/**
 * The columns that filters use, besides the stage, so that an index with all of them allows index-only scans. Texts are included folded,
 * too, because folding a million of them would take seconds; PostgreSQL reads the expression from the index only if the column is also in
 * it.
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

/** A random number from 0 to 255 per row. As the first index column it lets a query read a fair sample of a period as contiguous ranges. */
const sampleKey = (id: ExtraConfigColumn) => sql`get_byte(uuid_send(${id}), 15)`

/** Patients, also called leads (spec 3: contacts). */
export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    /** The order in which contacts were added, for "newest first" and the blocks of the search index (see search.ts). */
    seq: bigint('seq', { mode: 'number' }).generatedByDefaultAsIdentity(),
    /** Incremented by every change. A client sends the version it read, so that nothing is silently overwritten. */
    version: integer('version').notNull().default(1),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** The primary email. Matching also uses the others: see contact-points.ts. */
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
    preferredLanguage: text('preferred_language'),
    /** Where automatic messages go: 'text' if possible, otherwise email. */
    preferredChannel: text('preferred_channel'),
    preferredName: text('preferred_name'),
    dateOfBirth: date('date_of_birth', { mode: 'string' }),
    sexAtBirth: text('sex_at_birth'),
    gender: text('gender'),
    pronouns: text('pronouns'),
    emergencyContactName: text('emergency_contact_name'),
    emergencyContactPhone: text('emergency_contact_phone'),
    emergencyContactRelationship: text('emergency_contact_relationship'),
    familyPhysician: text('family_physician'),
    pharmacy: text('pharmacy'),
    notes: text('notes'),
    status: text('status').notNull().default('active'),
    leadSourceId: uuid('lead_source').references(() => leadSources.id, { onDelete: 'set null' }),
    /** The literal text of the lead form or import, shown when no source has that name. */
    leadSourceText: text('lead_source_text'),
    /** The practice or person who referred the patient, as named by the form, the import or staff. */
    referredBy: text('referred_by'),
    funnelStageId: uuid('funnel_stage')
      .notNull()
      .references(() => funnelStages.id),
    stageEnteredAt: instant('stage_entered_at').notNull().defaultNow(),
    /** Why the lead was lost, while it is in a lost stage; the stage history keeps the reason of each loss. */
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
    /** Whether the chart states it; then it cannot be changed on the record (docs/decisions/chart.md). */
    weightLossFromChart: boolean('weight_loss_from_chart').notNull().default(false),
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
    /** The attribution of the first lead, written once, and of the latest one. */
    firstAttribution: jsonb('first_attribution').$type<Attribution>(),
    latestAttribution: jsonb('latest_attribution').$type<Attribution>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Folded (case and accents) first name, last name, emails and phones, one per line; maintained by the database. */
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`contact_search_text(first_name, last_name, email, phone, other_emails, other_phones)`),
    /** Folded last name, then first name: the sort key of the list, stored so that its index can be read without the table. */
    sortName: text('sort_name')
      .notNull()
      .generatedAlwaysAs(sql`contact_sort_name(first_name, last_name)`),
  },
  (t) => [
    uniqueIndex('contacts_seq').on(t.seq.desc().nullsFirst()),
    index('contacts_stage').on(t.funnelStageId, t.seq.desc().nullsFirst()),
    index('contacts_source').on(t.leadSourceId, t.seq.desc().nullsFirst()),
    index('contacts_procedure').on(t.procedureId, t.seq.desc().nullsFirst()),
    index('contacts_email').on(sql`lower(${t.email})`),
    index('contacts_phone').on(sql`phone_e164(phone)`),
    // Partial: few contacts have several. Queries must use the same predicate: `other_phones <> '{}' and phones_e164(other_phones) @>
    // array[number]`.
    index('contacts_other_emails')
      .using('gin', sql`lower_all(${t.otherEmails})`)
      .where(sql`${t.otherEmails} <> '{}'`),
    index('contacts_other_phones')
      .using('gin', sql`phones_e164(${t.otherPhones})`)
      .where(sql`${t.otherPhones} <> '{}'`),
    index('contacts_name_key').on(sql`contact_name_key(first_name, last_name)`),
    index('contacts_name').on(t.sortName, t.seq),
    index('contacts_follow_up').on(t.nextFollowUpDate, t.seq),
    index('contacts_last_contact').on(t.lastContactDate.desc().nullsLast(), t.seq),
    index('contacts_sales_rep').on(t.assignedSalesRepId, t.seq.desc().nullsFirst()),
    index('contacts_provider').on(t.assignedProviderId, t.seq.desc().nullsFirst()),
    index('contacts_surgery').on(t.surgicalDate, t.seq),
    index('contacts_added').on(t.createdAt, t.seq),
    // New leads to respond to: imported patients are known already. Queries must use the same predicate (see dashboard/figures.ts).
    index('contacts_arrived')
      .on(sampleKey(t.id), t.createdAt, t.id)
      .where(sql`import_source is null or import_source not like 'Import: %'`),
    // Every filterable column, newest first, so that any combination of conditions is an index-only scan.
    index('contacts_filter').on(t.seq.desc().nullsFirst(), t.id, t.funnelStageId, ...filteredOf(t)),
    // The same for the board: each column in its order, read only as far as it is shown.
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
    // Phone numbers, by seven digits in a row.
    index('contacts_digits')
      .using('gin', sql`digit_runs(search_text)`)
      .with({ fastupdate: false }),
    check('contacts_appointment_time', sql`${t.appointmentTime} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`),
  ],
)

/** The columns that identify a patient where something is done to them: `PatientIdentity` shows them. */
export const identityColumns = {
  id: contacts.id,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  preferredName: contacts.preferredName,
  dateOfBirth: contacts.dateOfBirth,
}

/** Each stage move of a contact, with user and time. Reports compute time in stage and conversion from it. */
export const stageHistory = pgTable(
  'contact_stage_history',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    fromStageId: uuid('from_stage').references(() => funnelStages.id),
    toStageId: uuid('to_stage')
      .notNull()
      .references(() => funnelStages.id),
    changedAt: instant('changed_at').notNull().defaultNow(),
    changedBy: uuid('changed_by').references(() => profiles.id),
    /** When the contact entered the stage it left. Null for the first stage, and for an accidental move that was undone at once. */
    fromEnteredAt: instant('from_entered_at'),
    /** For a move to a lost stage: the reason, if given. */
    lostReason: text('lost_reason'),
  },
  (t) => [
    index('contact_stage_history_contact').on(t.contactId, t.changedAt),
    // Covers the reports' queries for moves between stages.
    index('contact_stage_history_ways').on(t.toStageId, t.fromStageId, t.changedAt, t.contactId, t.fromEnteredAt),
    // Covers the dashboard's query for moves in a period.
    index('contact_stage_history_moves')
      .on(sampleKey(t.id), t.changedAt, t.fromStageId, t.toStageId, t.fromEnteredAt, t.contactId)
      .where(sql`from_entered_at is not null`),
  ],
)

/** Rows of deleted patients, kept while the deletion can be undone. No foreign keys, because the patients no longer exist. */
export const deletedContactRows = pgTable(
  'deleted_contact_rows',
  {
    deletionId: uuid('deletion_id').notNull(),
    /** The deleted patient that the row belonged to. */
    contactId: uuid('contact_id').notNull(),
    /** The table of the row, or of the procedure or source whose name is kept. */
    place: text('place').notNull(),
    row: jsonb('row').$type<Record<string, unknown>>().notNull(),
    deletedAt: instant('deleted_at').notNull(),
  },
  (t) => [index('deleted_contact_rows_deletion').on(t.deletionId, t.contactId), index('deleted_contact_rows_deleted_at').on(t.deletedAt)],
)

/** Generated columns. */
export const generatedColumns = ['searchText', 'sortName'] as const

/**
 * A row (by its alias) as JSON, without generated columns. Built by PostgreSQL, so that times keep microseconds and large numbers all
 * digits.
 */
export const storedRow = (alias: string): SQL =>
  sql`(to_jsonb(${sql.identifier(alias)}) - ${sql.param(generatedColumns.map((key) => contacts[key].name))}::text[])`

/** Number of contacts per stage, as append-only changes, so that inserts never wait for each other. Folded by a job. */
export const contactCounts = pgTable('contact_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  funnelStageId: uuid('funnel_stage').notNull(),
  change: integer('change').notNull(),
})

/**
 * The same by time added, stage and procedure. `since` is the start of the quarter hour, which aligns with days in every time zone; once
 * folded, the start of the practice's day, or -infinity for contacts too old to be counted by day.
 */
export const contactDayCounts = pgTable('contact_day_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  since: timestamp('since', { withTimezone: true, mode: 'string' }).notNull(),
  funnelStageId: uuid('funnel_stage').notNull(),
  procedureId: uuid('procedure_of_interest'),
  change: integer('change').notNull(),
})

/** The same by source, or by source text if there is no source. */
export const contactSourceCounts = pgTable('contact_source_counts', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  leadSourceId: uuid('lead_source'),
  leadSourceText: text('lead_source_text'),
  change: integer('change').notNull(),
})
