import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Language } from '../../shared/translations.ts'
import type { Answer, AttemptState, Channel } from './rules.ts'

const key = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Recalls of devices by maker, model, lots and serial numbers. What they cover is refused at the scan permanently. */
export const recalls = pgTable(
  'recalls',
  {
    id: key(),
    title: text('title').notNull(),
    maker: text('maker').notNull(),
    model: text('model'),
    lotFrom: text('lot_from'),
    lotTo: text('lot_to'),
    serialFrom: text('serial_from'),
    serialTo: text('serial_to'),
    /** What patients read in the email and the letter. */
    messageEn: text('message_en').notNull(),
    messageFr: text('message_fr').notNull(),
    /** Every letter is made and every email queued. */
    isPrepared: boolean('is_prepared').notNull().default(false),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('recalls_maker').on(sql`lower(${t.maker})`)],
)

/** A patient with a recalled implant when the recall began. */
export const recallPatients = pgTable(
  'recall_patients',
  {
    id: key(),
    recallId: uuid('recall_id')
      .notNull()
      .references(() => recalls.id),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** Recall and patient as the recall began: each is listed once, and a merge later loses nothing. */
    key: text('key').notNull().unique('recall_patients_key'),
    version: integer('version').notNull().default(1),
    answer: text('answer').$type<Answer>().notNull().default('open'),
    note: text('note'),
    answeredBy: uuid('answered_by').references(() => profiles.id),
    answeredAt: instant('answered_at'),
    /** The task to call a patient whom no email reached. */
    taskId: uuid('task_id'),
  },
  (t) => [
    index('recall_patients_recall').on(t.recallId),
    index('recall_patients_contact').on(t.contactId),
    check('recall_patients_answer', sql`(${t.answer} = 'open') = (${t.answeredAt} is null)`),
  ],
)

/** Each attempt to reach a patient: the proof. One letter and one email for each patient, any number of calls. */
export const recallAttempts = pgTable(
  'recall_attempts',
  {
    id: key(),
    recallPatientId: uuid('recall_patient_id')
      .notNull()
      .references(() => recallPatients.id),
    channel: text('channel').$type<Channel>().notNull(),
    state: text('state').$type<AttemptState>().notNull(),
    language: text('language').$type<Language>(),
    /** The email or postal address, or the number that was called. */
    address: text('address'),
    note: text('note'),
    problem: text('problem'),
    by: uuid('by').references(() => profiles.id),
    at: instant('at').notNull(),
  },
  (t) => [
    uniqueIndex('recall_attempts_once')
      .on(t.recallPatientId, t.channel)
      .where(sql`${t.channel} in ('email', 'letter')`),
    index('recall_attempts_patient').on(t.recallPatientId),
  ],
)
