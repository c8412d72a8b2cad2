import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { funnelStages } from '../../crm/pipeline/table.ts'
import { tags } from '../../crm/tags/table.ts'
import { templateTitle } from '../../messages/email-templates/rules.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import type { Figures, Health, Sequence, SequenceRun, SequenceSummary } from './contract.ts'
import { type Definition, stepsOf, type Trigger } from './definition-contract.ts'
import { day } from '../../shared/durations.ts'
import { differenceOf, failedSince, isQuiet, lateSince, type RunStatus } from './rules.ts'
import { automationState, sequences, sequenceSteps, sequenceVersions } from './table.ts'
import { type Names, titleOf } from './title-rules.ts'

const figuresDays = 90

/** The sequences that are not deleted, by name. */
export async function listSequences(scope: Scope): Promise<SequenceSummary[]> {
  const rows = await readRows(scope.db)
  const states = await readStates(scope.db, scope.now())
  return rows.map((row) => summaryOf(scope, row, states.get(row.sequence.id)))
}

type Row = { sequence: typeof sequences.$inferSelect; definition: Definition | null; publishedAt: Date | null }

const readRows = (db: Db): Promise<Row[]> =>
  db
    .select({ sequence: sequences, definition: sequenceVersions.definition, publishedAt: sequenceVersions.publishedAt })
    .from(sequences)
    .leftJoin(sequenceVersions, and(eq(sequenceVersions.sequenceId, sequences.id), eq(sequenceVersions.number, sequences.published)))
    .where(isNull(sequences.deletedAt))
    .orderBy(asc(sql`fold(${sequences.name})`), asc(sequences.id))

type State = { active: number; entered: number; late: number; failed: number; lastStepAt: Date | null }

/** How the sequences stand, by id. */
async function readStates(db: Db, at: Date): Promise<Map<string, State>> {
  const { rows } = await db.execute<Omit<State, 'lastStepAt'> & { id: string; last: string | null }>(sql`
    select sequence_id as id, count(*) filter (where status in ('active', 'paused'))::int as active,
      count(*) filter (where status not in ('refused', 'held-out'))::int as entered,
      count(*) filter (where status = 'active' and due_at < ${lateSince(at).toISOString()}::timestamptz)::int as late,
      count(*) filter (where status = 'failed' and ended_at > ${failedSince(at).toISOString()}::timestamptz)::int as failed,
      max(updated_at) filter (where status not in ('refused', 'held-out'))::text as last
    from automation_state where sequence_id is not null group by sequence_id`)
  return new Map(rows.map(({ id, last, ...row }) => [id, { ...row, lastStepAt: last === null ? null : new Date(last) }]))
}

const noState: State = { active: 0, entered: 0, late: 0, failed: 0, lastStepAt: null }

function summaryOf({ now }: Pick<Scope, 'now'>, { sequence, definition }: Row, state: State = noState): SequenceSummary {
  const { late, failed, lastStepAt } = state
  const health: Health = {
    late,
    failed,
    lastStepAt,
    lastEnteredAt: sequence.lastEnteredAt,
    isQuiet: isQuiet(sequence, definition?.alertDays ?? null, now()),
  }
  return {
    id: sequence.id,
    name: sequence.name,
    isOn: sequence.onSince !== null,
    published: sequence.published,
    hasChanges: definition === null || sorted(definition) !== sorted(sequence.draft),
    active: state.active,
    entered: state.entered,
    health,
  }
}

/** As text in which the order of keys does not matter. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

/** Whether one event can start both. */
function shareEvents(one: Trigger, other: Trigger): boolean {
  if (one.kind !== 'lead' || other.kind !== 'lead') return sorted(one) === sorted(other)
  const [ids, otherIds] = [one.sourceIds, other.sourceIds]
  return ids.length === 0 || otherIds.length === 0 || ids.some((id) => otherIds.includes(id))
}

/** Null: it does not exist. */
export async function getSequence(scope: Scope, id: string): Promise<Sequence | null> {
  const rows = await readRows(scope.db)
  const row = rows.find(({ sequence }) => sequence.id === id)
  if (!row) return null
  const { trigger } = row.sequence.draft
  const others = rows.filter(({ sequence }) => sequence.id !== id && sequence.onSince !== null)
  const since = new Date(scope.now().getTime() - figuresDays * day)
  const [states, steps, funnel] = await Promise.all([
    readStates(scope.db, scope.now()),
    readSteps(scope.db, id, since),
    readFunnel(scope.db, id, since),
  ])
  const compare = (key: 'booked' | 'surgery') =>
    differenceOf({ of: funnel.entered.entered, had: funnel.entered[key] }, { of: funnel.heldOut.entered, had: funnel.heldOut[key] })
  return {
    ...summaryOf(scope, row, states.get(id)),
    version: row.sequence.version,
    draft: row.sequence.draft,
    onSince: row.sequence.onSince,
    publishedAt: row.publishedAt,
    sameTrigger: others.flatMap(({ sequence, definition }) => (shareEvents(trigger, definition!.trigger) ? [sequence.name] : [])),
    steps,
    funnel: { ...funnel, booking: compare('booked'), surgery: compare('surgery') },
  }
}

async function readSteps(db: Db, id: string, since: Date): Promise<Sequence['steps']> {
  const { rows } = await db.execute<{ step: string; done: number; refused: number; yes: number; no: number }>(sql`
    select steps.step, count(*) filter (where outcome in ('sent', 'done'))::int as done, count(*) filter (where outcome = 'refused')::int as refused,
      count(*) filter (where outcome = 'yes')::int as yes, count(*) filter (where outcome = 'no')::int as no
    from automation_state as state join sequence_steps as steps on steps.state_id = state.id
    where state.sequence_id = ${id} and steps.at > ${since.toISOString()}::timestamptz and steps.step not in ('start', 'end', 'hand')
    group by steps.step`)
  return Object.fromEntries(rows.map(({ step, ...counts }) => [step, counts]))
}

/** What patients did after they entered, and what those of the comparison group did. */
async function readFunnel(db: Db, id: string, since: Date): Promise<{ entered: Figures; heldOut: Figures }> {
  const { rows } = await db.execute<Figures & { is_held_out: boolean }>(sql`
    select status = 'held-out' as is_held_out, count(*)::int as entered,
      count(*) filter (where exists (select 1 from conversations join messages on messages.conversation_id = conversations.id
        where conversations.contact_id = state.contact_id and direction = 'inbound' and messages.created_at > started_at))::int as replied,
      count(*) filter (where exists (select 1 from appointments where appointments.contact_id = state.contact_id and created_at > started_at
        and appointments.status <> 'cancelled' and appointments.id is distinct from state.subject_id))::int as booked,
      count(*) filter (where exists (select 1 from surgeries where surgeries.contact_id = state.contact_id and created_at > started_at
        and surgeries.status in ('tentative', 'confirmed', 'completed') and surgeries.id is distinct from state.subject_id))::int as surgery
    from automation_state as state
    where sequence_id = ${id} and status <> 'refused' and started_at > ${since.toISOString()}::timestamptz
    group by 1`)
  const of = (isHeldOut: boolean): Figures => {
    const { entered = 0, replied = 0, booked = 0, surgery = 0 } = rows.find((row) => row.is_held_out === isHeldOut) ?? {}
    return { entered, replied, booked, surgery }
  }
  return { entered: of(false), heldOut: of(true) }
}

/** The names that steps show. */
export async function readNames(db: Db): Promise<Names> {
  const [templates, stages, allTags] = await Promise.all([
    db.select({ id: emailTemplates.id, name: emailTemplates.name }).from(emailTemplates),
    db.select({ id: funnelStages.id, name: funnelStages.name }).from(funnelStages),
    db.select({ id: tags.id, name: tags.name }).from(tags),
  ])
  const byId = (rows: readonly { id: string; name: string }[], nameOf = (name: string) => name) =>
    new Map(rows.map(({ id, name }) => [id, nameOf(name)]))
  return { templates: byId(templates, templateTitle), stages: byId(stages), tags: byId(allTags) }
}

const runColumns = {
  state: automationState,
  sequenceName: sequences.name,
  firstName: contacts.firstName,
  lastName: contacts.lastName,
  definition: sequenceVersions.definition,
}

const selectRuns = (db: Db) =>
  db
    .select({ ...runColumns, exact: exactInstant(automationState.startedAt) })
    .from(automationState)
    .innerJoin(sequences, eq(sequences.id, automationState.sequenceId))
    .innerJoin(contacts, eq(contacts.id, automationState.contactId))
    .innerJoin(
      sequenceVersions,
      and(eq(sequenceVersions.sequenceId, automationState.sequenceId), eq(sequenceVersions.number, automationState.number)),
    )

type SelectedRun = Awaited<ReturnType<typeof selectRuns>>[number]

function runOf({ state, sequenceName, firstName, lastName, definition }: SelectedRun, names: Names): SequenceRun {
  const step = stepsOf(definition.steps).find(({ id }) => id === state.step)
  const isUnderWay = state.status === 'active' || state.status === 'paused' || state.status === 'failed'
  return {
    id: state.id,
    sequenceId: state.sequenceId!,
    sequenceName,
    contactId: state.contactId,
    firstName,
    lastName,
    number: state.number!,
    run: state.run,
    status: state.status!,
    reason: state.reason,
    startedAt: state.startedAt!,
    endedAt: state.endedAt,
    step: isUnderWay ? state.step : null,
    stepTitle: isUnderWay && step ? titleOf(step, names, definition.trigger) : null,
    dueAt: state.dueAt,
  }
}

/** The patients of a sequence, those who entered last first; the view is audited. Null: it does not exist. */
export async function listRuns(
  scope: Scope,
  { id, status, cursor, limit }: { id: string; status?: RunStatus | undefined; cursor?: InstantPlace | undefined; limit: number },
) {
  const [known] = await scope.db.select({ id: sequences.id }).from(sequences).where(eq(sequences.id, id))
  if (!known) return null
  const [rows, names] = await Promise.all([
    selectRuns(scope.db)
      .where(
        and(
          eq(automationState.sequenceId, id),
          status && eq(automationState.status, status),
          isOlderThan(cursor, automationState.startedAt, automationState.id),
        ),
      )
      .orderBy(desc(automationState.startedAt), desc(automationState.id))
      .limit(limit + 1),
    readNames(scope.db),
  ])
  const page = cursorPage(rows, limit, ({ exact, state }) => placeOf({ exact, id: state.id }))
  await scope.recordView({ kind: 'contact', contactIds: page.data.map(({ state }) => state.contactId) })
  return { ...page, data: page.data.map((row) => runOf(row, names)) }
}

/** The sequences that a patient is or was in, newest first. Null: the patient does not exist. */
export async function runsOfContact(scope: Scope, contactId: string): Promise<SequenceRun[] | null> {
  const [known] = await scope.db.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, contactId))
  if (!known) return null
  await scope.recordView({ kind: 'contact', contactIds: [contactId] })
  const [rows, names] = await Promise.all([
    selectRuns(scope.db)
      .where(and(eq(automationState.contactId, contactId), isNotNull(automationState.sequenceId)))
      .orderBy(desc(automationState.startedAt), desc(automationState.id)),
    readNames(scope.db),
  ])
  return rows.map((row) => runOf(row, names))
}

/** A patient's run, in a transaction or outside. Null: it does not exist. */
export async function getRun(db: Db, id: string): Promise<SequenceRun | null> {
  const [row] = await selectRuns(db).where(eq(automationState.id, id))
  return row ? runOf(row, await readNames(db)) : null
}

/** At most so many entries of a patient's log. */
const maxEntries = 500

/** What a sequence did for a patient, newest first; the view is audited. Null: the patient is not in it. */
export async function readLog(scope: Scope, id: string) {
  const [row] = await selectRuns(scope.db).where(eq(automationState.id, id))
  if (!row) return null
  await scope.recordView({ kind: 'contact', contactIds: [row.state.contactId] })
  const [names, entries] = await Promise.all([
    readNames(scope.db),
    scope.db.select().from(sequenceSteps).where(eq(sequenceSteps.stateId, id)).orderBy(desc(sequenceSteps.id)).limit(maxEntries),
  ])
  const numbers = [...new Set(entries.map(({ number }) => number))]
  const versions = await scope.db
    .select()
    .from(sequenceVersions)
    .where(
      and(eq(sequenceVersions.sequenceId, row.state.sequenceId!), inArray(sequenceVersions.number, numbers.length > 0 ? numbers : [0])),
    )
  const titleIn = (number: number, step: string): string => {
    const found = versions.find((version) => version.number === number)
    const known = found && stepsOf(found.definition.steps).find((one) => one.id === step)
    return known ? titleOf(known, names, found.definition.trigger) : (frameTitles[step] ?? 'A step of another version')
  }
  return {
    run: runOf(row, names),
    entries: entries.map(({ stateId: _state, number, clickToken: _token, links: _links, clickedAt: _clicked, ...entry }) => ({
      ...entry,
      title: titleIn(number, entry.step),
    })),
  }
}

const frameTitles: Record<string, string> = { start: 'Start', end: 'End', hand: 'Changed' }
