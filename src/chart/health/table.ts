import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { BloodType, EntryKind, EntrySource, EntryStatus, NegativeTopic, Section, Severity } from './rules.ts'

const key = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)
const patient = () =>
  uuid('contact_id')
    .notNull()
    .references(() => contacts.id)

/** The health summary: what is known about a patient's health. Rows are never deleted, only with the patient. */
export const healthEntries = pgTable(
  'health_entries',
  {
    id: key(),
    contactId: patient(),
    version: integer('version').notNull().default(1),
    kind: text('kind').$type<EntryKind>().notNull(),
    /** The text of an alert. */
    name: text('name').notNull(),
    /** The reaction to an allergen, or anything else worth knowing. */
    detail: text('detail'),
    /** Of allergies; null if unknown. */
    severity: text('severity').$type<Severity>(),
    dose: text('dose'),
    /** Days before a surgery on which to stop a medication or nicotine; null to continue. */
    stopDays: integer('stop_days'),
    isWeightLoss: boolean('is_weight_loss').notNull().default(false),
    /** Of surgeries and implants. */
    year: integer('year'),
    anaesthesia: text('anaesthesia'),
    status: text('status').$type<EntryStatus>().notNull(),
    /** Why it was entered in error. */
    errorReason: text('error_reason'),
    source: text('source').$type<EntrySource>().notNull().default('staff'),
    /** The form that it came from. */
    sourceId: uuid('source_id'),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedBy: uuid('updated_by').references(() => profiles.id),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check(
      'health_entries_kind',
      sql`${t.kind} in ('allergy', 'medication', 'condition', 'surgery', 'nicotine', 'pregnancy', 'implant', 'alert')`,
    ),
    check('health_entries_status', sql`${t.status} in ('active', 'past', 'entered_in_error')`),
    check('health_entries_error', sql`(${t.status} = 'entered_in_error') = (${t.errorReason} is not null)`),
    check('health_entries_severity', sql`${t.severity} in ('mild', 'moderate', 'severe')`),
    index('health_entries_contact').on(t.contactId),
  ],
)

/** Who confirmed a section of the health summary, or one thing that the patient does not have, and when. The newest of each counts. */
export const healthReviews = pgTable(
  'health_reviews',
  {
    id: key(),
    contactId: patient(),
    section: text('section').$type<Section>().notNull(),
    /** Active entries of the section at that moment: without any, the patient has no known allergies. */
    activeEntries: integer('active_entries').notNull(),
    /** What the patient reported not to have, if the review is about that alone, and how it is said: 'Never smoked'. */
    topic: text('topic').$type<NegativeTopic>(),
    statement: text('statement'),
    source: text('source').$type<EntrySource>().notNull().default('staff'),
    /** The form that it came from. */
    sourceId: uuid('source_id'),
    reviewedBy: uuid('reviewed_by').references(() => profiles.id),
    reviewedAt: instant('reviewed_at').notNull(),
  },
  (t) => [
    check('health_reviews_section', sql`${t.section} in ('allergies', 'medications', 'history')`),
    index('health_reviews_contact').on(t.contactId, t.section, t.reviewedAt.desc()),
  ],
)

/** Vital signs and measurements over time. Each row has what was measured that time. */
export const measurements = pgTable(
  'measurements',
  {
    id: key(),
    contactId: patient(),
    heightCm: integer('height_cm'),
    weightKg: numeric('weight_kg', { precision: 4, scale: 1, mode: 'number' }),
    /** Blood pressure in mmHg. */
    systolic: integer('systolic'),
    diastolic: integer('diastolic'),
    bloodType: text('blood_type').$type<BloodType>(),
    asaClass: integer('asa_class'),
    measuredOn: date('measured_on', { mode: 'string' }).notNull(),
    source: text('source').$type<EntrySource>().notNull().default('staff'),
    /** The form in which the patient reported it. */
    sourceId: uuid('source_id'),
    /** Who measured it, or accepted what the patient reported. */
    measuredBy: uuid('measured_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('measurements_contact').on(t.contactId, t.measuredOn.desc(), t.id.desc())],
)
