import { createHash } from 'node:crypto'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { describeError } from '../../kernel/errors.ts'
import { defineJob, enqueue } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { beginningOf, dayAt } from '../../shared/zoned-time.ts'
import { matchingContacts } from '../../crm/contacts/service.ts'
import { advanceSequences } from './advance.ts'
import { announceSequence } from './announce.ts'
import type { Definition, Trigger } from './definition-contract.ts'
import { comesWithTime, occurrencesOf } from './occurrences.ts'
import { refusedFor } from './reach.ts'
import { day } from '../../shared/durations.ts'
import { type MessageRefusal, signalOf, type SignalKind } from './rules.ts'
import { automationState, sequences, sequenceSignals, sequenceVersions } from './table.ts'
import { messagesOf } from './walk-rules.ts'

/** A sequence that is on, with its published version. */
export interface Live {
  id: string
  number: number
  definition: Definition
}

export interface Occurrence {
  contactId: string
  subjectId: string | null
  /** Exactly as in the database: a run is not started twice by the same event. */
  at: string
}

/** Events of which time and patients are looked at; up to now unless `until` says otherwise. */
type Looked = { since: Date; until?: Date; contacts: SQL | null }

/** What the check before the start says of a patient. */
export type StartRefusal = MessageRefusal | 'under-way' | 'been-through'
export type Verdict = { kind: 'start' } | { kind: 'held-out' } | { kind: 'refused'; reason: StartRefusal }
export type Judged = Occurrence & {
  verdict: Verdict
  previous: Previous | null
  /** The messages that could not be sent now, by step. */
  refusedSteps: ReadonlyMap<string, MessageRefusal>
}

type Previous = { id: string; run: number; status: string | null }

/** Patients who are looked at together. */
const batchSize = 500

const subjects: Partial<Record<Trigger['kind'], string>> = {
  'appointment-booked': 'appointment',
  'appointment-missed': 'appointment',
  'appointment-before': 'appointment',
  'surgery-before': 'surgery',
  'surgery-after': 'surgery',
  'quote-sent': 'quote',
  'quote-expiring': 'quote',
  'form-unanswered': 'form',
}

/**
 * Selects the events of a trigger that could start a run: the last one of each patient who meets the filter and has not started by it or a later
 * one. `contact_id`, `subject_id`, `at`, and the patient's earlier run.
 */
async function startable(scope: Scope, live: Live, looked: { since: Date; until: Date; contacts: SQL | null }): Promise<SQL> {
  const { definition, id } = live
  const occurrences = occurrencesOf(definition.trigger, looked, scope.env.PRACTICE_TIME_ZONE)
  const matching = definition.filter === '' ? null : await matchingContacts({ ...scope, actor: null }, { filter: definition.filter })
  return sql`
    select distinct on (found.contact_id) found.contact_id, found.subject_id, found.at::text as at,
      earlier.id as earlier_id, earlier.run as earlier_run, earlier.status as earlier_status, earlier.ended_at as earlier_ended
    from (${occurrences}) as found
    left join automation_state as earlier on earlier.contact_id = found.contact_id and earlier.automation = ${id}
    where (earlier.id is null or earlier.occurred_at < found.at)
      ${matching ? sql`and found.contact_id in (${matching})` : sql``}
    order by found.contact_id, found.at desc`
}

type StartableRow = {
  contact_id: string
  subject_id: string | null
  at: string
  earlier_id: string | null
  earlier_run: number | null
  earlier_status: string | null
  earlier_ended: string | null
}

/**
 * The patients for whom a sequence would start by events after `since`, up to now, each with the verdict of the check before the start. Both
 * the start and the dry run use it, so that they do not differ.
 */
export async function* judge(tx: Db, scope: Scope, live: Live, { since, until = scope.now(), contacts }: Looked): AsyncGenerator<Judged[]> {
  const rows = await tx.execute<StartableRow>(await startable(scope, live, { since, until, contacts }))
  const messages = messagesOf(live.definition.steps)
  for (let from = 0; from < rows.rows.length; from += batchSize) {
    const batch = rows.rows.slice(from, from + batchSize)
    const refused = await refusedFor(
      tx,
      scope,
      messages,
      batch.map((row) => row.contact_id),
    )
    yield batch.map((row) => {
      const refusedSteps = new Map(
        messages.flatMap(({ id }) => {
          const reason = refused.get(id)?.get(row.contact_id)
          return reason ? [[id, reason]] : []
        }),
      )
      // Who gets one of the messages is not refused: the others are, when they are due.
      const isUnreachable = messages.length > 0 && refusedSteps.size === messages.length
      return {
        contactId: row.contact_id,
        subjectId: row.subject_id,
        at: row.at,
        previous: row.earlier_id === null ? null : { id: row.earlier_id, run: row.earlier_run!, status: row.earlier_status },
        verdict: verdictOf(scope, live, row, isUnreachable ? refusedSteps.get(messages[0]!.id)! : null),
        refusedSteps,
      }
    })
  }
}

function verdictOf(scope: Scope, { id, definition }: Live, row: StartableRow, refused: MessageRefusal | null): Verdict {
  if (row.earlier_status === 'active' || row.earlier_status === 'paused') return { kind: 'refused', reason: 'under-way' }
  const wasThrough = row.earlier_status !== null && row.earlier_status !== 'refused'
  const mayAgain =
    definition.again !== null &&
    (row.earlier_ended === null || new Date(row.earlier_ended).getTime() + definition.again * day <= scope.now().getTime())
  if (wasThrough && !mayAgain) return { kind: 'refused', reason: 'been-through' }
  if (refused) return { kind: 'refused', reason: refused }
  if (isHeldOut(id, row.contact_id, definition.holdOut)) return { kind: 'held-out' }
  return { kind: 'start' }
}

/** Whether the patient is in the comparison group: by chance, and the same each time. */
function isHeldOut(sequenceId: string, contactId: string, percent: number): boolean {
  const number = createHash('sha256').update(`${sequenceId} ${contactId}`).digest().readUInt32BE()
  return number % 100 < percent
}

/** Starts a sequence for the patients of events after `since`, in the caller's transaction. Returns how many started. */
export async function startFor(tx: Db, scope: Scope, live: Live, looked: Looked): Promise<number> {
  const now = scope.now()
  let started = 0
  for await (const batch of judge(tx, scope, live, looked)) {
    // A patient under way or through keeps that place: the event is passed over.
    const written = batch.filter(
      ({ verdict }) => verdict.kind !== 'refused' || (verdict.reason !== 'under-way' && verdict.reason !== 'been-through'),
    )
    const rows = written.map(({ contactId, subjectId, at, previous, verdict }) => ({
      contact_id: contactId,
      run: (previous?.run ?? 0) + 1,
      status: verdict.kind === 'start' ? 'active' : verdict.kind,
      reason: verdict.kind === 'refused' ? verdict.reason : null,
      occurred_at: at,
      subject_id: subjectId,
      ended_at: verdict.kind === 'start' ? null : now,
      due_at: verdict.kind === 'start' ? now : null,
    }))
    const isStarted = rows.filter(({ status }) => status === 'active').length
    if (rows.length === 0) continue
    await tx.execute(sql`
      with entered as (
        insert into automation_state (contact_id, automation, state, updated_at, sequence_id, number, run, status, reason, occurred_at, subject_id,
          started_at, since, ended_at, step, arrived_at, due_at)
        select row.contact_id, ${live.id}, jsonb_build_object('trigger', ${live.definition.trigger.kind}::text,
            'subject', ${subjects[live.definition.trigger.kind] ?? null}::text, 'stage', contacts.funnel_stage), ${now.toISOString()}::timestamptz,
          ${live.id}::uuid, ${live.number}::int, row.run, row.status, row.reason, row.occurred_at, row.subject_id,
          ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz, row.ended_at, ${live.definition.steps[0]?.id ?? null}::text,
          ${now.toISOString()}::timestamptz, row.due_at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(contact_id uuid, run int, status text, reason text,
          occurred_at timestamptz, subject_id uuid, ended_at timestamptz, due_at timestamptz)
        join contacts on contacts.id = row.contact_id
        order by row.contact_id
        on conflict (contact_id, automation) do update set state = excluded.state, updated_at = excluded.updated_at, number = excluded.number,
          run = excluded.run, status = excluded.status, reason = excluded.reason, occurred_at = excluded.occurred_at,
          subject_id = excluded.subject_id, started_at = excluded.started_at, since = excluded.since, ended_at = excluded.ended_at,
          step = excluded.step, arrived_at = excluded.arrived_at, due_at = excluded.due_at, attempts = 0, sequence_id = excluded.sequence_id
        where automation_state.occurred_at < excluded.occurred_at and automation_state.status not in ('active', 'paused')
        returning id, run, status, reason
      )
      insert into sequence_steps (state_id, run, number, step, at, outcome, reason)
      select id, run, ${live.number}::int, 'start', ${now.toISOString()}::timestamptz,
        case status when 'active' then 'started' when 'refused' then 'refused' else 'ended' end,
        case status when 'active' then null when 'refused' then reason else status end
      from entered`)
    started += isStarted
  }
  if (started > 0) {
    await tx.update(sequences).set({ lastEnteredAt: now }).where(eq(sequences.id, live.id))
    await announceSequence(tx, live.id)
  }
  return started
}

/** The sequences that are on. */
async function liveSequences(db: Db): Promise<(Live & { onSince: Date; scannedUntil: Date | null })[]> {
  const rows = await db
    .select({
      id: sequences.id,
      number: sequences.published,
      onSince: sequences.onSince,
      scannedUntil: sequences.scannedUntil,
      definition: sequenceVersions.definition,
    })
    .from(sequences)
    .innerJoin(sequenceVersions, and(eq(sequenceVersions.sequenceId, sequences.id), eq(sequenceVersions.number, sequences.published)))
    .where(isNotNull(sequences.onSince))
    .orderBy(sequences.id)
  return rows.map((row) => ({ ...row, number: row.number!, onSince: row.onSince! }))
}

/** Signals that are looked at in one transaction. */
const signalsPerBatch = 500

/** Looks at what has happened to patients: starts sequences, and wakes those that an event may end or decide. Returns whether there was anything. */
async function takeSignals(scope: Scope): Promise<boolean> {
  return scope.db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ kind: SignalKind; subject_id: string }>(sql`
      delete from ${sequenceSignals} where id in (
        select id from ${sequenceSignals} order by id limit ${signalsPerBatch} for update skip locked)
      returning kind, subject_id`)
    if (rows.length === 0) return false
    const byKind = Map.groupBy(rows, ({ kind }) => kind)
    let started = 0
    for (const live of await liveSequences(tx)) {
      const kind = signalOf[live.definition.trigger.kind]
      const of = kind && byKind.get(kind)
      if (!of) continue
      const contacts = sql`${sql.param([...new Set(of.map((row) => row.subject_id))])}::uuid[]`
      // The clock of the database may be a little ahead of ours.
      const until = new Date(scope.now().getTime() + 60_000)
      // In the order in which the scan by time locks them.
      await tx.select({ id: sequences.id }).from(sequences).where(eq(sequences.id, live.id)).for('no key update')
      try {
        started += await tx.transaction((savepoint) => startFor(savepoint, scope, live, { since: live.onSince, until, contacts }))
      } catch (error) {
        // It does not hold up the others.
        scope.log.error({ sequenceId: live.id, error: describeError(error) }, 'A sequence could not be started')
      }
    }
    const woken = await tx
      .update(automationState)
      .set({ dueAt: scope.now() })
      .where(
        and(
          eq(automationState.status, 'active'),
          isNotNull(automationState.sequenceId),
          sql`${automationState.contactId} = any(${sql.param([...new Set(rows.map((row) => row.subject_id))])}::uuid[])`,
        ),
      )
      .returning({ id: automationState.id })
    if (started + woken.length > 0) await enqueue(tx, advanceSequences, {}, 'sequences')
    return true
  })
}

/** How far back events that come with time are looked for again, for those that were written late. */
const overlap = 60 * 60_000

/** Starts a sequence for the events that have come with time since the last scan. */
const scanTime = (scope: Scope, live: Awaited<ReturnType<typeof liveSequences>>[number]): Promise<void> =>
  scope.db.transaction(async (tx) => {
    // Two processes do not scan the same sequence at a time.
    const [locked] = await tx
      .select({ id: sequences.id })
      .from(sequences)
      .where(eq(sequences.id, live.id))
      .for('no key update', { skipLocked: true })
    if (!locked) return
    const from = live.scannedUntil ? new Date(Math.max(live.scannedUntil.getTime() - overlap, live.onSince.getTime())) : live.onSince
    // Birthdays come at midnight, and no index finds them.
    const zone = scope.env.PRACTICE_TIME_ZONE
    if (live.definition.trigger.kind === 'birthday' && beginningOf(dayAt(scope.now(), zone), zone) <= from) return
    const started = await startFor(tx, scope, live, { since: from, contacts: null })
    await tx.update(sequences).set({ scannedUntil: scope.now() }).where(eq(sequences.id, live.id))
    if (started > 0) await enqueue(tx, advanceSequences, {}, 'sequences')
  })

/** Starts sequences: by what has happened, and by time. One sequence that fails does not hold up the others. */
export async function startSequences(scope: Scope): Promise<void> {
  while (await takeSignals(scope));
  const failures: unknown[] = []
  for (const live of (await liveSequences(scope.db)).filter(({ definition }) => comesWithTime(definition.trigger)))
    await scanTime(scope, live).catch((error: unknown) => {
      scope.log.error({ sequenceId: live.id, error: describeError(error) }, 'A sequence could not be started')
      failures.push(error)
    })
  if (failures.length > 0) throw failures[0]
}

/** Queued by the triggers of the database when a patient's event is written. */
export const takeSequenceSignals = defineJob({
  name: 'sequences.signals',
  payload: z.object({}),
  async run(scope) {
    while (await takeSignals(scope));
  },
})

export const startSequencesByTime = defineJob({
  name: 'sequences.start',
  payload: z.object({}),
  cron: '* * * * *',
  run: startSequences,
})
