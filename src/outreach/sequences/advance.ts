import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { describeError } from '../../kernel/errors.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { announceSequence } from './announce.ts'
import type { Definition } from './definition-contract.ts'
import { carryOut } from './effects.ts'
import { type Patient, readCalendar, readFacts, readPatients, type Run } from './facts.ts'
import { retryAt, type RunStatus, type StepOutcome } from './rules.ts'
import { automationState, sequenceSteps, sequenceVersions } from './table.ts'
import type { Calendar } from './timing-rules.ts'
import { type Facts, mapOf, nextMove, type Place, placeAfter, type StepMap } from './walk-rules.ts'

/** Patients who are advanced in one transaction. */
const batchSize = 50

/** A version as it is walked through. */
interface Walked {
  definition: Definition
  map: StepMap
}

type Entry = { step: string; outcome: StepOutcome; reason?: string | null; refId?: string | null }
/** What a run becomes, and its entries in the log. */
type Advanced = { set: Partial<Run>; log: Entry[] }

/** Carries out the due steps. A step's effect, its entry in the log and the patient's next place are written in one transaction. */
export const advanceSequences = defineJob({
  name: 'sequences.advance',
  payload: z.object({}),
  cron: '* * * * *',
  run: advanceDue,
})

/** Advances until nothing is due. Several processes share the work: each locks the rows that it takes. */
export async function advanceDue(scope: Scope): Promise<void> {
  const calendar = await readCalendar(scope.db, scope)
  while (await advanceBatch(scope, calendar));
}

async function advanceBatch({ now: clock, ...rest }: Scope, calendar: Calendar): Promise<boolean> {
  // One moment for all of a batch: what was decided, and when it was done.
  const now = clock()
  const scope = { ...rest, now: () => now }
  return scope.db.transaction(async (tx) => {
    const runs = await tx
      .select()
      .from(automationState)
      .where(and(eq(automationState.status, 'active'), lte(automationState.dueAt, scope.now())))
      .orderBy(asc(automationState.dueAt))
      .limit(batchSize)
      .for('update', { skipLocked: true })
    if (runs.length === 0) return false
    const [versions, facts, patients] = await Promise.all([
      versionsOf(tx, runs),
      readFacts(tx, scope, runs, calendar),
      readPatients(
        tx,
        runs.map(({ contactId }) => contactId),
      ),
    ])
    const results: { run: Run; advanced: Advanced }[] = []
    for (const run of runs) {
      const walked = versions.get(`${run.sequenceId} ${run.number}`)!
      const advanced = await advanceOne(tx, scope, { run, walked, facts: facts.get(run.id)!, patient: patients.get(run.contactId)! })
      results.push({ run, advanced })
    }
    await write(tx, scope, results)
    return true
  })
}

async function versionsOf(tx: Db, runs: readonly Run[]): Promise<Map<string, Walked>> {
  const ids = [...new Set(runs.map(({ sequenceId }) => sequenceId!))]
  const rows = await tx.select().from(sequenceVersions).where(inArray(sequenceVersions.sequenceId, ids))
  return new Map(rows.map(({ sequenceId, number, definition }) => [`${sequenceId} ${number}`, { definition, map: mapOf(definition) }]))
}

type Subject = { run: Run; walked: Walked; facts: Facts; patient: Patient }

/** Walks a patient until the next wait or the end. A step that fails is undone alone, and tried again later. */
async function advanceOne(tx: Db, scope: Scope, { run, walked: { definition, map }, facts, patient }: Subject): Promise<Advanced> {
  const now = scope.now()
  const log: Entry[] = []
  let place: Place = { step: run.step, arrivedAt: run.arrivedAt! }
  const sent = [...facts.sent]
  const happened = { ...facts.happened }
  let { since } = run
  const standing = () => ({ ...place, since })
  const end = (status: RunStatus, reason: string | null): Advanced => ({
    set: { ...standing(), status, reason, dueAt: null, endedAt: now, attempts: 0 },
    log: [...log, { step: 'end', outcome: 'ended', reason: reason ?? status }],
  })
  for (;;) {
    const move = nextMove(definition, map, place, { ...facts, happened, sent }, now)
    switch (move.kind) {
      case 'finish':
        return end('finished', null)
      case 'leave':
        return end('left', move.reason)
      case 'pause':
        return {
          set: { ...standing(), status: 'paused', reason: 'reply', dueAt: null, attempts: 0 },
          log: [...log, { step: 'hand', outcome: 'changed', reason: 'paused-reply' }],
        }
      case 'wait':
        return { set: { ...standing(), dueAt: move.until, reason: move.why === 'cap' ? 'cap' : null, attempts: 0 }, log }
      case 'pass':
        log.push({ step: move.step, outcome: move.outcome })
        place = move.to
        break
      case 'taken':
        log.push({ step: move.step, outcome: 'yes' })
        place = move.to
        happened[move.event] = null
        since = now
        break
      case 'act': {
        try {
          const done = await tx.transaction((savepoint) => carryOut(savepoint, scope, run, patient, move.step))
          if (done.outcome === 'later') return { set: { ...standing(), dueAt: done.at, reason: 'day', attempts: 0 }, log }
          if (done.outcome === 'refused') log.push({ step: move.step.id, outcome: 'refused', reason: done.reason })
          else log.push({ step: move.step.id, outcome: done.outcome, refId: done.refId })
          if (done.outcome === 'sent') sent.push(now)
        } catch (error) {
          return failed(scope, run, standing(), log, error)
        }
        place = placeAfter(map, move.step.id, now)
      }
    }
  }
}

function failed(scope: Scope, run: Run, place: Place & { since: Date | null }, log: Entry[], error: unknown): Advanced {
  const now = scope.now()
  scope.log.error({ sequenceId: run.sequenceId, step: place.step, error: describeError(error) }, 'A step of a sequence failed')
  const attempts = run.step === place.step ? run.attempts + 1 : 1
  const dueAt = retryAt(attempts, now)
  const kind = error instanceof Error ? error.name : 'failed'
  if (dueAt) return { set: { ...place, dueAt, attempts, reason: 'retry' }, log }
  return {
    set: { ...place, status: 'failed', reason: kind, dueAt: null, endedAt: now, attempts },
    log: [...log, { step: 'end', outcome: 'failed', reason: kind }],
  }
}

/** Writes the places and the log of a batch, each in one statement. */
async function write(tx: Db, scope: Scope, results: readonly { run: Run; advanced: Advanced }[]): Promise<void> {
  const now = scope.now()
  const rows = results.map(({ run, advanced: { set } }) => {
    const row = { ...run, ...set }
    return {
      id: run.id,
      step: row.step,
      arrived_at: row.arrivedAt,
      since: row.since,
      due_at: row.dueAt,
      status: row.status,
      reason: row.reason,
      ended_at: row.endedAt,
      attempts: row.attempts,
    }
  })
  await tx.execute(sql`
    update automation_state set step = row.step, arrived_at = row.arrived_at, since = row.since, due_at = row.due_at, status = row.status, reason = row.reason,
      ended_at = row.ended_at, attempts = row.attempts, updated_at = ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row(id uuid, step text, arrived_at timestamptz, since timestamptz, due_at timestamptz, status text,
      reason text, ended_at timestamptz, attempts int)
    where automation_state.id = row.id`)
  const entries = results.flatMap(({ run, advanced: { log } }) =>
    log.map((entry) => ({ reason: null, refId: null, ...entry, stateId: run.id, run: run.run, number: run.number!, at: now })),
  )
  if (entries.length > 0) await tx.insert(sequenceSteps).values(entries)
  const ended = results.filter(({ advanced }) => advanced.set.status !== undefined)
  for (const id of new Set(ended.map(({ run }) => run.sequenceId!))) await announceSequence(tx, id)
  for (const { run } of ended) await publish(tx, 'contact', run.contactId)
}
