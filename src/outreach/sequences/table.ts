import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { profiles } from '../../platform/auth/table.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Definition } from './definition-contract.ts'
import type { RunStatus, StepOutcome, SignalKind } from './rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Sequences: messages and tasks that follow an event of a patient by rule. */
export const sequences = pgTable(
  'sequences',
  {
    id: id(),
    /** Raised by every change; an editor names the version that it read. */
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    /** What is being edited. Patients follow published versions only. */
    draft: jsonb('draft').$type<Definition>().notNull(),
    /** The newest published version; null: none yet. */
    published: integer('published'),
    /** Since when it starts for patients; null: it is off. Patients under way go on all the same. */
    onSince: instant('on_since'),
    /** Up to when events that come with time alone, such as a birthday, have been looked for. */
    scannedUntil: instant('scanned_until'),
    lastEnteredAt: instant('last_entered_at'),
    /** When administrators were last notified that something is wrong with it; null: nothing is. */
    alertedAt: instant('alerted_at'),
    /** Whose turn it is, by step. */
    turns: jsonb('turns').$type<Record<string, number>>().notNull().default({}),
    createdBy: uuid('created_by').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    uniqueIndex('sequences_name')
      .on(sql`lower(${t.name})`)
      .where(sql`${t.deletedAt} is null`),
    check('sequences_on', sql`${t.onSince} is null or (${t.published} is not null and ${t.deletedAt} is null)`),
  ],
)

/** Published versions, which never change. */
export const sequenceVersions = pgTable(
  'sequence_versions',
  {
    sequenceId: uuid('sequence_id')
      .notNull()
      .references(() => sequences.id),
    number: integer('number').notNull(),
    definition: jsonb('definition').$type<Definition>().notNull(),
    publishedAt: instant('published_at').notNull(),
    publishedBy: uuid('published_by').references(() => profiles.id),
  },
  (t) => [primaryKey({ columns: [t.sequenceId, t.number] })],
)

/**
 * Where a patient stands in an automation (spec 3): one row for each sequence that the patient has entered. `run` counts the times. Rows of
 * other systems, which were imported, have no sequence.
 */
export const automationState = pgTable(
  'automation_state',
  {
    id: id(),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The id of the sequence, or the name of another system's automation. */
    automation: text('automation').notNull(),
    state: jsonb('state').$type<Record<string, unknown>>().notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    sequenceId: uuid('sequence_id').references(() => sequences.id),
    number: integer('number'),
    run: integer('run').notNull().default(1),
    status: text('status').$type<RunStatus>(),
    /** Why it ended, waits or was refused. */
    reason: text('reason'),
    /** When the event happened that started this run: one that is no later starts no other. */
    occurredAt: instant('occurred_at'),
    /** The appointment, surgery, quote or form of that event. */
    subjectId: uuid('subject_id'),
    startedAt: instant('started_at'),
    /** Replies and bookings count from here: from the start, or from when staff resumed it. */
    since: instant('since'),
    endedAt: instant('ended_at'),
    /** The step at which the patient stands since `arrivedAt`; null: past the last one. */
    step: text('step'),
    arrivedAt: instant('arrived_at'),
    /** When the next step is due; null: never by itself. */
    dueAt: instant('due_at'),
    /** Failures of the next step in a row. */
    attempts: integer('attempts').notNull().default(0),
  },
  (t) => [
    uniqueIndex('automation_state_contact').on(t.contactId, t.automation),
    index('automation_state_due')
      .on(t.dueAt)
      .where(sql`${t.status} = 'active' and ${t.dueAt} is not null`),
    index('automation_state_failed')
      .on(t.endedAt)
      .where(sql`${t.status} = 'failed'`),
    index('automation_state_sequence').on(t.sequenceId, t.startedAt.desc(), t.id),
  ],
)

/** What each step did for a patient; written together with what it did, so that neither is without the other. */
export const sequenceSteps = pgTable(
  'sequence_steps',
  {
    id: id(),
    stateId: uuid('state_id')
      .notNull()
      .references(() => automationState.id, { onDelete: 'cascade' }),
    run: integer('run').notNull(),
    number: integer('number').notNull(),
    /** The step; 'start' and 'end' frame a run. */
    step: text('step').notNull(),
    at: instant('at').notNull(),
    outcome: text('outcome').$type<StepOutcome>().notNull(),
    /** Which rule refused it, why the patient left, or what failed. */
    reason: text('reason'),
    /** The message or task. Not a foreign key: a task may be deleted permanently. */
    refId: uuid('ref_id'),
    /** Of an email whose opened links count: the token and the addresses of its links, and when one was first opened. */
    clickToken: text('click_token'),
    links: text('links').array(),
    clickedAt: instant('clicked_at'),
    /** Null: by itself. */
    by: uuid('by').references(() => profiles.id),
  },
  (t) => [
    // A step is carried out once in a run.
    uniqueIndex('sequence_steps_once')
      .on(t.stateId, t.run, t.step)
      .where(sql`${t.step} not in ('start', 'end', 'hand')`),
    uniqueIndex('sequence_steps_click')
      .on(t.clickToken)
      .where(sql`${t.clickToken} is not null`),
    index('sequence_steps_state').on(t.stateId, t.run, t.id),
  ],
)

/** Something happened to a patient that may start or end a sequence; written by triggers in the transaction of the change, and deleted when it was looked at. */
export const sequenceSignals = pgTable('sequence_signals', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').$type<SignalKind>().notNull(),
  /** The patient. A patient who is deleted or merged before it is looked at is passed over. */
  subjectId: uuid('subject_id').notNull(),
})
