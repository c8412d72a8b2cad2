import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { describeError } from '../../kernel/errors.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publishEach } from '../../kernel/events/events.ts'
import type { Scope } from '../../kernel/scope.ts'
import { announceSequence } from './announce.ts'
import { type Definition, stepsOf } from './definition-contract.ts'
import { type Act, carryOut, type Done } from './effects.ts'
import { type Known, readCalendar, readFacts, type Run } from './facts.ts'
import { retryAt, type RunStatus, type StepOutcome } from './rules.ts'
import { automationState, sequences, sequenceVersions } from './table.ts'
import type { Calendar } from './timing-rules.ts'
import { type Action, firstPlace, mapOf, nextMove, type Place, placeAfter, type StepMap } from './walk-rules.ts'

/** Patients who are advanced in one transaction. */
const batchSize = 50

/** A version as it is walked through. */
interface Walked {
  /** Of the sequence. */
  name: string
  definition: Definition
  map: StepMap
  /** A branch asks whether a link was opened. */
  countsLinks: boolean
}

type Versions = Map<string, Walked>
/** What is read once for all batches. */
type Read = { calendar: Calendar; versions: Versions }

type Entry = { step: string; outcome: StepOutcome; reason?: string | null; refId?: string | null; clickToken?: string; links?: string[] }
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
  const read: Read = { calendar: await readCalendar(scope.db, scope), versions: new Map() }
  while (await advanceNext(scope, read));
}

/** Advances the next patients together. If a step of one fails, they are advanced one by one, so that it alone is undone and tried again later. */
async function advanceNext(scope: Scope, read: Read): Promise<boolean> {
  try {
    return await advanceBatch(scope, read, batchSize)
  } catch (error) {
    scope.log.warn({ error: describeError(error) }, 'A step of a sequence failed: its batch is advanced one by one')
    for (let count = 0; count < batchSize; count++) if (!(await advanceBatch(scope, read, 1))) return false
    return true
  }
}

async function advanceBatch({ now: clock, ...rest }: Scope, { calendar, versions }: Read, size: number): Promise<boolean> {
  // One moment for all of a batch: what was decided, and when it was done.
  const now = clock()
  const scope = { ...rest, now: () => now }
  return scope.db.transaction(async (tx) => {
    const due = await tx
      .select()
      .from(automationState)
      .where(and(eq(automationState.status, 'active'), lte(automationState.dueAt, scope.now())))
      .orderBy(asc(automationState.dueAt))
      .limit(size)
      .for('update', { skipLocked: true })
    if (due.length === 0) return false
    // What one sequence sends a patient counts for the next one, which comes with a later batch.
    const runs = due.filter(({ contactId }, place) => due.findIndex((one) => one.contactId === contactId) === place)
    const followed = []
    for (const run of runs) followed.push({ run, walked: await versionOf(tx, run, versions) })
    const countingLinks = followed.filter(({ walked }) => walked.countsLinks).map(({ run }) => run.id)
    const facts = await readFacts(tx, scope, runs, { calendar, countingLinks })
    const subjects = followed.map((one) => ({ ...one, facts: facts.get(one.run.id)! }))
    await write(tx, scope, await advanceAll(tx, scope, subjects))
    return true
  })
}

/** The version that a patient follows. Versions never change, so that each is read once. */
async function versionOf(tx: Db, { sequenceId, number }: Run, known: Versions): Promise<Walked> {
  const key = `${sequenceId} ${number}`
  const found = known.get(key)
  if (found) return found
  const isIt = and(eq(sequenceVersions.sequenceId, sequenceId!), eq(sequenceVersions.number, number!))
  const [row] = await tx
    .select({ name: sequences.name, definition: sequenceVersions.definition })
    .from(sequenceVersions)
    .innerJoin(sequences, eq(sequences.id, sequenceVersions.sequenceId))
    .where(isIt)
  const { name, definition } = row!
  const countsLinks = stepsOf(definition.steps).some((step) => step.kind === 'branch' && step.on === 'link')
  const walked = { name, definition, map: mapOf(definition), countsLinks }
  known.set(key, walked)
  return walked
}

type Subject = { run: Run; walked: Walked; facts: Known }

/** Walks all patients until their next wait or the end. What they are to get at the same time is carried out together. */
async function advanceAll(tx: Db, scope: Scope, subjects: readonly Subject[]): Promise<{ run: Run; advanced: Advanced }[]> {
  const walks = subjects.map((subject) => {
    const walk = advanceOne(scope, subject)
    return { subject, walk, at: walk.next() }
  })
  for (;;) {
    const acting = walks.flatMap((one) => (one.at.done ? [] : [{ one, act: actOf(one.subject, one.at.value) }]))
    if (acting.length === 0) return walks.map(({ subject: { run }, at }) => ({ run, advanced: at.value as Advanced }))
    const acts = acting.map(({ act }) => act)
    try {
      const done = await (subjects.length === 1
        ? tx.transaction((savepoint) => carryOut(savepoint, scope, acts))
        : carryOut(tx, scope, acts))
      acting.forEach(({ one }, place) => (one.at = one.walk.next(done[place]!)))
    } catch (error) {
      if (subjects.length > 1) throw error
      acting[0]!.one.at = acting[0]!.one.walk.throw(error)
    }
  }
}

const actOf = ({ run, walked: { name, definition, countsLinks }, facts: { ownerId } }: Subject, step: Action): Act => ({
  run,
  ownerId,
  name,
  hours: definition.hours,
  step,
  countsLinks,
})

/** Walks a patient until the next wait or the end, and yields each step that is to be carried out. */
function* advanceOne(scope: Scope, { run, walked: { definition, map }, facts }: Subject): Generator<Action, Advanced, Done> {
  const now = scope.now()
  const log: Entry[] = []
  let place: Place =
    run.step === map.first && run.arrivedAt!.getTime() === run.startedAt!.getTime()
      ? firstPlace(definition, map, facts)
      : { step: run.step, arrivedAt: run.arrivedAt! }
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
      case 'skip':
        log.push({ step: move.step, outcome: 'skipped', reason: 'passed' })
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
          const done = yield move.step
          if (done.outcome === 'later') return { set: { ...standing(), dueAt: done.at, reason: 'day', attempts: 0 }, log }
          if (done.outcome === 'refused') log.push({ step: move.step.id, outcome: 'refused', reason: done.reason })
          else log.push({ step: move.step.id, ...done })
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
    log.map(({ step, outcome, reason = null, refId = null, clickToken = null, links = null }) => ({
      state_id: run.id,
      run: run.run,
      number: run.number,
      step,
      outcome,
      reason,
      ref_id: refId,
      click_token: clickToken,
      links,
    })),
  )
  if (entries.length > 0)
    await tx.execute(sql`
      insert into sequence_steps (state_id, run, number, step, at, outcome, reason, ref_id, click_token, links)
      select state_id, run, number, step, ${now.toISOString()}::timestamptz, outcome, reason, ref_id, click_token, links
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry(state_id uuid, run int, number int, step text, outcome text, reason text, ref_id uuid,
        click_token text, links text[])`)
  const ended = results.filter(({ advanced }) => advanced.set.status !== undefined)
  for (const id of new Set(ended.map(({ run }) => run.sequenceId!))) await announceSequence(tx, id)
  await publishEach(
    tx,
    'contact',
    ended.map(({ run }) => run.contactId),
  )
}
