import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isDuplicate } from '../../kernel/errors.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { publish } from '../../kernel/events/events.ts'
import { invalidReference, isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { closedDays } from '../../platform/practice/table.ts'
import { leadSources } from '../../crm/lead-sources/table.ts'
import { funnelStages } from '../../crm/pipeline/table.ts'
import { tags } from '../../crm/tags/table.ts'
import { findOrAddTemplates, missingForAll } from '../../messages/email-templates/service.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { textingOf } from '../../messages/inbox/service.ts'
import { advanceSequences } from './advance.ts'
import { announceSequence } from './announce.ts'
import type { DryRun } from './contract.ts'
import { type Definition, stepsOf } from './definition-contract.ts'
import { capped } from '../frequency.ts'
import { getRun, readNames } from './read.ts'
import { day } from '../../shared/durations.ts'
import { type StarterKey, starterNames } from './starter-rules.ts'
import { definitionOf, starterTemplates, templateKeysOf } from './starters.ts'
import { judge, startFor } from './start.ts'
import { automationState, sequences, sequenceSteps, sequenceVersions } from './table.ts'
import { titleOf } from './title-rules.ts'
import { mapOf, messagesOf, stepAfterSkip } from './walk-rules.ts'

export { getSequence, listRuns, listSequences, readLog, runsOfContact } from './read.ts'

type Row = typeof sequences.$inferSelect

const lock = async (tx: Db, id: string): Promise<Row | null> =>
  (
    await tx
      .select()
      .from(sequences)
      .where(and(eq(sequences.id, id), isNull(sequences.deletedAt)))
      .for('update')
  )[0] ?? null

const orTaken = <Result>(writing: Promise<Result>) =>
  writing.catch((error: unknown) => {
    if (isDuplicate(error, 'sequences_name')) return refuse('NAME_TAKEN')
    throw error
  })

/** What of a definition no longer exists, by field; null: nothing. */
async function problemsOf(tx: Db, { trigger, steps }: Definition): Promise<Record<string, string> | null> {
  const all = stepsOf(steps)
  const wanted = {
    templates: all.flatMap((step) => (step.kind === 'text' || step.kind === 'email' ? [step.templateId] : [])),
    stages: [
      ...all.flatMap((step) => (step.kind === 'stage' ? [step.stageId] : [])),
      ...(trigger.kind === 'stage' ? [trigger.stageId] : []),
    ],
    tags: [...all.flatMap((step) => (step.kind === 'tag' ? [step.tagId] : [])), ...(trigger.kind === 'tag' ? [trigger.tagId] : [])],
    people: all.flatMap((step) => (step.kind === 'task' || step.kind === 'owner' ? step.people : [])),
    sources: trigger.kind === 'lead' ? trigger.sourceIds : [],
  }
  for (const kind of ['text', 'email'] as const) {
    const templateIds = all.flatMap((step) => (step.kind === kind ? [step.templateId] : []))
    const wrong = and(inArray(emailTemplates.id, templateIds), ne(emailTemplates.channel, kind))
    const [found] = templateIds.length > 0 ? await tx.select({ id: emailTemplates.id }).from(emailTemplates).where(wrong).limit(1) : []
    if (found)
      return {
        draft:
          kind === 'text' ? 'A step that sends a text has a template of an email' : 'A step that sends an email has a template of a text',
      }
  }
  const tables = { templates: emailTemplates, stages: funnelStages, tags, people: profiles, sources: leadSources }
  const messages = {
    templates: 'A template of a step no longer exists',
    stages: 'A stage no longer exists',
    tags: 'A tag no longer exists',
    people: 'A person no longer exists',
    sources: 'A source no longer exists',
  }
  for (const key of Object.keys(wanted) as (keyof typeof wanted)[]) {
    const ids = [...new Set(wanted[key])]
    if (ids.length === 0) continue
    const found = await tx.select({ id: tables[key].id }).from(tables[key]).where(inArray(tables[key].id, ids))
    if (found.length < ids.length) return { draft: messages[key] }
  }
  return null
}

const insertSequence = async (tx: Db, scope: Scope, { name, draft }: { name: string; draft: Definition }): Promise<{ id: string }> => {
  const at = scope.now()
  const [row] = await tx
    .insert(sequences)
    .values({ name, draft, createdBy: staff(scope).id, createdAt: at, updatedAt: at })
    .returning()
  await recordChange(tx, scope, { action: 'created', kind: 'sequence', contactIds: [], after: { id: row!.id, name, draft } })
  await announceSequence(tx, row!.id)
  return { id: row!.id }
}

export const createSequence = (scope: Scope, { name, draft }: { name: string; draft: Definition }) =>
  orTaken(
    scope.db.transaction(async (tx) => {
      const problems = await problemsOf(tx, draft)
      if (problems) return invalidReference(problems)
      return insertSequence(tx, scope, { name, draft })
    }),
  )

/** Creates a sequence from an example, which is off, and adds those of its templates that do not exist yet, in both languages. */
export const createFromStarter = (scope: Scope, key: StarterKey) =>
  scope.db.transaction(async (tx) => {
    const hasTexts = textingOf(scope.env) !== null
    const keys = new Set(templateKeysOf(key, hasTexts).flatMap((name) => [name, `${name}_fr`]))
    const ids = await findOrAddTemplates(
      tx,
      scope,
      starterTemplates.filter(({ name }) => keys.has(name)),
    )
    if (isRefusal(ids)) return refuse('TOO_MANY')
    // Two people who add the same example do not choose the same name.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sequence-names', 0))`)
    const taken = await tx.select({ name: sequences.name }).from(sequences).where(isNull(sequences.deletedAt))
    const name = freeName(
      starterNames[key],
      taken.map((row) => row.name),
    )
    const draft = definitionOf(key, hasTexts, ids, () => randomUUID().replaceAll('-', '').slice(0, 12))
    return insertSequence(tx, scope, { name, draft })
  })

/** The name, or the first of 'Name 2', 'Name 3' that is free. */
function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((one) => one.toLowerCase()))
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name} ${n}`
    if (!names.has(candidate.toLowerCase())) return candidate
  }
}

/** Null: it does not exist. */
export const updateSequence = (
  scope: Scope,
  { id, version, ...given }: { id: string; version: number; name?: string | undefined; draft?: Definition | undefined },
) =>
  orTaken(
    scope.db.transaction(async (tx) => {
      const before = await lock(tx, id)
      if (!before) return null
      if (before.version !== version) return refuse('CHANGED_MEANWHILE')
      const problems = given.draft && (await problemsOf(tx, given.draft))
      if (problems) return invalidReference(problems)
      const set = { ...(given.name !== undefined && { name: given.name }), ...(given.draft && { draft: given.draft }) }
      await tx
        .update(sequences)
        .set({ ...set, version: version + 1, updatedAt: scope.now() })
        .where(eq(sequences.id, id))
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'sequence',
        contactIds: [],
        before: { id, name: before.name, draft: before.draft },
        after: { id, ...set },
      })
      await announceSequence(tx, id)
      return { version: version + 1 }
    }),
  )

/** Ends the runs that are under way, and logs why. Returns how many. */
async function stopRuns(tx: Db, scope: Scope, id: string): Promise<number> {
  const at = scope.now()
  const rows = await tx
    .update(automationState)
    .set({ status: 'stopped', reason: 'deleted', dueAt: null, endedAt: at, updatedAt: at })
    .where(and(eq(automationState.sequenceId, id), inArray(automationState.status, ['active', 'paused'])))
    .returning({ stateId: automationState.id, run: automationState.run, number: automationState.number })
  const by = scope.actor?.id ?? null
  for (let from = 0; from < rows.length; from += 1_000)
    await tx.insert(sequenceSteps).values(
      rows.slice(from, from + 1_000).map((row) => ({
        ...row,
        number: row.number!,
        step: 'end',
        at,
        outcome: 'ended' as const,
        reason: 'deleted',
        by,
      })),
    )
  return rows.length
}

/** Deletes a sequence; patients under way leave it, and its log stays. Null: it does not exist. */
export const deleteSequence = (scope: Scope, id: string) =>
  scope.db.transaction(async (tx) => {
    const before = await lock(tx, id)
    if (!before) return null
    const at = scope.now()
    await tx.update(sequences).set({ deletedAt: at, onSince: null, updatedAt: at }).where(eq(sequences.id, id))
    const stopped = await stopRuns(tx, scope, id)
    await recordChange(tx, scope, { action: 'deleted', kind: 'sequence', contactIds: [], before: { id, name: before.name } })
    await announceSequence(tx, id)
    return { stopped }
  })

/** Publishes the draft as the next version, and moves patients under way to it where they can go on. Null: it does not exist. */
export const publishSequence = (scope: Scope, { id, version, moves }: { id: string; version: number; moves: boolean }) =>
  scope.db.transaction(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return null
    if (row.version !== version) return refuse('CHANGED_MEANWHILE')
    if (row.draft.steps.length === 0) return refuse('NO_STEPS')
    const problems = await problemsOf(tx, row.draft)
    if (problems) return invalidReference(problems)
    const number = (row.published ?? 0) + 1
    const at = scope.now()
    await tx
      .insert(sequenceVersions)
      .values({ sequenceId: id, number, definition: row.draft, publishedAt: at, publishedBy: staff(scope).id })
    await tx
      .update(sequences)
      .set({ published: number, version: version + 1, updatedAt: at })
      .where(eq(sequences.id, id))
    const moved = moves ? await moveRuns(tx, scope, id, number, row.draft) : 0
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'sequence',
      contactIds: [],
      after: { id, published: number, moved, definition: row.draft },
    })
    await announceSequence(tx, id)
    return { number, moved }
  })

async function moveRuns(tx: Db, scope: Scope, id: string, number: number, definition: Definition): Promise<number> {
  const ids = stepsOf(definition.steps).map((step) => step.id)
  const rows = await tx
    .update(automationState)
    .set({ number, dueAt: scope.now() })
    .where(
      and(
        eq(automationState.sequenceId, id),
        inArray(automationState.status, ['active', 'paused']),
        or(isNull(automationState.step), inArray(automationState.step, ids)),
      ),
    )
    .returning({ id: automationState.id })
  if (rows.length > 0) await enqueue(tx, advanceSequences, {}, 'sequences')
  return rows.length
}

async function publishedOf(tx: Db, id: string, number: number): Promise<Definition> {
  const [published] = await tx
    .select({ definition: sequenceVersions.definition })
    .from(sequenceVersions)
    .where(and(eq(sequenceVersions.sequenceId, id), eq(sequenceVersions.number, number)))
  return published!.definition
}

/** What the templates of the steps need and have for no patient: each such message would be refused. */
const missingOfSteps = (db: Db, { env }: Pick<Scope, 'env'>, { steps }: Definition) =>
  missingForAll(
    db,
    env,
    messagesOf(steps).map(({ templateId }) => templateId),
  )

const missingText = ([first]: Awaited<ReturnType<typeof missingForAll>>): string =>
  first!.isPractice
    ? `“${first!.template}” contains {{${first!.variable}}}, which is empty. Set it in Settings, Practice.`
    : `“${first!.template}” contains {{${first!.variable}}}, which has no value in a sequence. Change the template.`

/** Turns a sequence on, for new events and those of the last days, or off: patients under way go on. Null: it does not exist. */
export const setSequenceOn = (scope: Scope, { id, on, days }: { id: string; on: boolean; days: number }) =>
  scope.db.transaction(async (tx) => {
    const row = await lock(tx, id)
    if (!row) return null
    if (on === (row.onSince !== null)) return { started: 0 }
    if (on && row.published === null) return refuse('NOT_PUBLISHED')
    const published = on ? await publishedOf(tx, id, row.published!) : null
    const missing = published ? await missingOfSteps(tx, scope, published) : []
    if (missing.length > 0) return refuse('MISSING_VALUES', { missing }, missingText(missing))
    const now = scope.now()
    const onSince = on ? new Date(now.getTime() - days * day) : null
    await tx
      .update(sequences)
      .set({ onSince, scannedUntil: on ? now : row.scannedUntil, alertedAt: null, updatedAt: now })
      .where(eq(sequences.id, id))
    let started = 0
    if (onSince && published) {
      const live = { id, number: row.published!, definition: published }
      started = await startFor(tx, scope, live, { since: onSince, contacts: null })
      if (started > 0) await enqueue(tx, advanceSequences, {}, 'sequences')
    }
    await recordChange(tx, scope, { action: 'changed', kind: 'sequence', contactIds: [], after: { id, isOn: on, days, started } })
    await announceSequence(tx, id)
    return { started }
  })

/** For whom the draft would start by the events of the last days, by the same check as a real start. Null: it does not exist. */
export async function dryRun(scope: Scope, { id, days }: { id: string; days: number }): Promise<DryRun | null> {
  const [row] = await scope.db
    .select()
    .from(sequences)
    .where(and(eq(sequences.id, id), isNull(sequences.deletedAt)))
  if (!row) return null
  const live = { id, number: (row.published ?? 0) + 1, definition: row.draft }
  const messages = messagesOf(row.draft.steps)
  const skipped = new Map(messages.map(({ id: step }) => [step, new Map<string, number>()]))
  const result: DryRun = {
    total: 0,
    start: 0,
    heldOut: 0,
    refused: {},
    held: 0,
    skipped: [],
    missing: await missingOfSteps(scope.db, scope, row.draft),
  }
  for await (const batch of judge(scope.db, scope, live, { since: new Date(scope.now().getTime() - days * day), contacts: null })) {
    result.total += batch.length
    const starting = batch.filter(({ verdict }) => verdict.kind === 'start')
    result.start += starting.length
    result.heldOut += batch.filter(({ verdict }) => verdict.kind === 'held-out').length
    for (const { verdict } of batch)
      if (verdict.kind === 'refused') result.refused[verdict.reason] = (result.refused[verdict.reason] ?? 0) + 1
    for (const { refusedSteps } of starting)
      for (const [step, reason] of refusedSteps) skipped.get(step)!.set(reason, (skipped.get(step)!.get(reason) ?? 0) + 1)
    const ids = starting.map(({ contactId }) => contactId)
    if (messages.length > 0 && ids.length > 0) result.held += await countHeld(scope, ids)
  }
  const names = await readNames(scope.db)
  result.skipped = messages.flatMap((step) => {
    const refused = Object.fromEntries(skipped.get(step.id)!)
    return Object.keys(refused).length > 0 ? [{ step: step.id, title: titleOf(step, names, row.draft.trigger), refused }] : []
  })
  return result
}

/** How many of these patients have had as many automatic messages in seven days as they may get. */
async function countHeld(scope: Scope, contactIds: readonly string[]): Promise<number> {
  const { rows } = await scope.db.execute<{ n: number }>(
    sql`select count(*)::int as n from (${capped(scope, sql`select unnest(${sql.param([...contactIds])}::uuid[])`)}) as held`,
  )
  return rows[0]!.n
}

export type Control = 'pause' | 'resume' | 'stop' | 'skip' | 'retry'

/** Changes a patient's run by hand. `step`: the one to skip, so that no other is skipped in its place. Null: it does not exist. */
export const controlRun = (scope: Scope, { id, action, step }: { id: string; action: Control; step?: string | undefined }) =>
  scope.db.transaction(async (tx) => {
    const [run] = await tx.select().from(automationState).where(eq(automationState.id, id)).for('update')
    if (!run?.sequenceId || !run.status) return null
    const allowed: Record<Control, readonly string[]> = {
      pause: ['active'],
      resume: ['paused'],
      stop: ['active', 'paused', 'failed'],
      skip: ['active', 'paused', 'failed'],
      retry: ['failed'],
    }
    if (!allowed[action].includes(run.status)) return refuse('WRONG_STATUS')
    if (action === 'skip' && run.step !== step) return refuse('STEP_CHANGED')
    const at = scope.now()
    const entry = { stateId: id, run: run.run, number: run.number!, at, by: staff(scope).id, refId: null }
    const [version] = await tx
      .select({ definition: sequenceVersions.definition })
      .from(sequenceVersions)
      .where(and(eq(sequenceVersions.sequenceId, run.sequenceId), eq(sequenceVersions.number, run.number!)))
    switch (action) {
      case 'pause':
        await set({ status: 'paused', reason: 'staff', dueAt: null })
        await tx.insert(sequenceSteps).values({ ...entry, step: 'hand', outcome: 'changed', reason: 'paused' })
        break
      case 'resume':
        await set({ status: 'active', reason: null, since: at, dueAt: at })
        await tx.insert(sequenceSteps).values({ ...entry, step: 'hand', outcome: 'changed', reason: 'resumed' })
        break
      case 'stop':
        await set({ status: 'stopped', reason: 'staff', dueAt: null, endedAt: at })
        await tx.insert(sequenceSteps).values({ ...entry, step: 'end', outcome: 'ended', reason: 'stopped' })
        break
      case 'skip':
        if (run.step !== null) await tx.insert(sequenceSteps).values({ ...entry, step: run.step, outcome: 'skipped', reason: null })
        await set({
          status: 'active',
          reason: null,
          step: run.step === null ? null : stepAfterSkip(mapOf(version!.definition), run.step),
          arrivedAt: at,
          dueAt: at,
          endedAt: null,
          attempts: 0,
        })
        break
      case 'retry':
        await set({ status: 'active', reason: null, dueAt: at, endedAt: null, attempts: 0 })
        await tx.insert(sequenceSteps).values({ ...entry, step: 'hand', outcome: 'changed', reason: 'retried' })
    }
    if (action !== 'pause' && action !== 'stop') await enqueue(tx, advanceSequences, {}, 'sequences')
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'sequence',
      contactIds: [run.contactId],
      after: { id: run.sequenceId, patient: id, action },
    })
    await announceSequence(tx, run.sequenceId)
    await publish(tx, 'contact', run.contactId)
    return (await getRun(tx, id))!

    async function set(values: Partial<typeof automationState.$inferInsert>): Promise<void> {
      await tx
        .update(automationState)
        .set({ ...values, updatedAt: at })
        .where(eq(automationState.id, id))
    }
  })

export const listClosedDays = ({ db }: Scope) => db.select().from(closedDays).orderBy(closedDays.day)

/** Replaces the list of days on which the practice is closed. */
export const setClosedDays = (scope: Scope, days: readonly { day: string; name: string }[]) =>
  scope.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${closedDays} in share row exclusive mode`)
    const before = await tx.select().from(closedDays).orderBy(closedDays.day)
    await tx.delete(closedDays)
    const kept = [...new Map(days.map((one) => [one.day, one])).values()]
    if (kept.length > 0) await tx.insert(closedDays).values(kept)
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'practice hours',
      contactIds: [],
      before: { closedDays: before },
      after: { closedDays: kept },
    })
    await publish(tx, 'practice', 'closed-days')
    return { count: kept.length }
  })
