import { and, eq, sql } from 'drizzle-orm'
import { v5 as uuidv5 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addTasks } from '../../crm/tasks/service.ts'
import { setTagOnEach } from '../../crm/tags/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Definition } from './definition-contract.ts'
import type { Run } from './facts.ts'
import { type Done, sendSteps } from './send-step.ts'
import { automationState, sequences } from './table.ts'
import { withinHours } from './timing-rules.ts'
import type { Action } from './walk-rules.ts'

export type { Done } from './send-step.ts'

/** The key of what a step does in a run: the same however often it is tried. */
const keySpace = '6b0f7c3e-52a5-4a7e-9d4c-6f3a1f2f7a10'
const keyOf = (run: Pick<Run, 'id' | 'run'>, step: string): string => uuidv5(`${run.id} ${run.run} ${step}`, keySpace)

/** A step that is carried out for a patient. */
export interface Act {
  run: Run
  /** Who the patient is assigned to. */
  ownerId: string | null
  /** Of the sequence. */
  name: string
  hours: Definition['hours']
  step: Action
  /** A branch of the sequence asks whether a link was opened. */
  countsLinks: boolean
}

/**
 * Carries out a step for each of these patients, each of whom is named once, in the caller's transaction, which also logs them. Messages from one
 * template, tasks, and changes of one tag are written together. In this order.
 */
export async function carryOut(tx: Db, scope: Scope, acts: readonly Act[]): Promise<Done[]> {
  const done = new Map<Act, Done>()
  for (const group of Map.groupBy(acts, ({ step }) => togetherWith(step)).values()) {
    const results = await carryOutGroup(tx, scope, group)
    group.forEach((act, place) => done.set(act, results[place]!))
  }
  return acts.map((act) => done.get(act)!)
}

/** Steps with the same key are written together. */
function togetherWith(step: Action): string {
  if (step.kind === 'text' || step.kind === 'email') return `message ${step.templateId}`
  if (step.kind === 'tag') return `tag ${step.tagId} ${step.on}`
  return step.kind === 'task' ? 'task' : step.id
}

async function carryOutGroup(tx: Db, scope: Scope, group: readonly Act[]): Promise<Done[]> {
  const { step } = group[0]!
  switch (step.kind) {
    case 'text':
    case 'email': {
      const recipients = group.map(({ run, name, step: { id }, countsLinks }) => ({
        contactId: run.contactId,
        name,
        idempotencyKey: keyOf(run, id),
        countsLinks,
      }))
      const sent = await sendSteps(tx, scope, step.templateId, recipients)
      return group.map(({ run }) => sent.get(run.contactId)!)
    }
    case 'tag': {
      const ids = group.map(({ run }) => run.contactId)
      const changed = await setTagOnEach(tx, scope, ids, step.tagId, step.on)
      return ids.map((id) => (changed.has(id) ? { outcome: 'done', refId: null } : { outcome: 'refused', reason: 'no-tag' }))
    }
    case 'task':
      return addTasksOf(tx, scope, group as readonly ActOf<'task'>[])
    default: {
      const results: Done[] = []
      for (const act of group) results.push(await carryOutOne(tx, scope, act as ActOf<OneByOne>))
      return results
    }
  }
}

type ActOf<Kind extends Action['kind']> = Act & { step: Extract<Action, { kind: Kind }> }
type OneByOne = 'stage' | 'owner' | 'hook'

async function addTasksOf(tx: Db, scope: Scope, acts: readonly ActOf<'task'>[]): Promise<Done[]> {
  const zone = scope.env.PRACTICE_TIME_ZONE
  const admins = await firstAdmin(tx)
  const people: (People | null)[] = []
  for (const { run, step, ownerId } of acts) people.push(await peopleFor(tx, run, step, [ownerId, ...admins]))
  const wanted = acts.flatMap(({ step: { title, type, hours: after }, run: { contactId }, hours }, place) => {
    const assigned = people[place]
    if (!assigned) return []
    const due = new Date(scope.now().getTime() + after * 60 * 60_000)
    const isTimed = after < 24
    const { day, time } = toLocal(isTimed ? withinHours(due, hours, zone) : due, zone)
    return [{ title, type, contactId, dueDate: day, dueTimeConstraint: isTimed ? time : null, people: assigned }]
  })
  const ids = await addTasks(tx, scope, wanted)
  return people.map((assigned) => (assigned ? { outcome: 'done', refId: ids.shift()! } : { outcome: 'refused', reason: 'no-assignee' }))
}

async function carryOutOne(tx: Db, scope: Scope, { run, step }: ActOf<OneByOne>): Promise<Done> {
  switch (step.kind) {
    case 'stage': {
      const row = await lock(tx, run.contactId)
      if (row && row.funnelStageId !== step.stageId) await writeChange(tx, scope, row, { funnelStageId: step.stageId })
      // The sequence does not leave a stage because it has moved the patient itself.
      await tx
        .update(automationState)
        .set({ state: sql`${automationState.state} || jsonb_build_object('stage', ${step.stageId}::text)` })
        .where(eq(automationState.id, run.id))
      return { outcome: 'done', refId: null }
    }
    case 'owner': {
      const people = await peopleFor(tx, run, step, await firstAdmin(tx))
      const row = await lock(tx, run.contactId)
      if (!people) return { outcome: 'refused', reason: 'no-assignee' }
      if (row && row.assignedSalesRepId !== people[0]) await writeChange(tx, scope, row, { assignedSalesRepId: people[0] })
      return { outcome: 'done', refId: null }
    }
    case 'hook':
      await tx.execute(sql`select notify_webhooks('sequence.reached', array[${run.contactId}::uuid])`)
      return { outcome: 'done', refId: null }
  }
}

const lock = async (tx: Db, id: string) => (await tx.select().from(contacts).where(eq(contacts.id, id)).for('update'))[0] ?? null

type People = [string, ...string[]]

/** Who gets a task or a patient: those whose turn it is first; without people, the others in their order. Null: no one can. */
async function peopleFor(
  tx: Db,
  run: Run,
  { id: stepId, people }: { id: string; people: readonly string[] },
  others: readonly (string | null)[],
): Promise<People | null> {
  if (people.length === 0) {
    const found = others.filter((id) => id !== null)
    return found.length > 0 ? (found as People) : null
  }
  const [row] = await tx
    .update(sequences)
    .set({
      turns: sql`${sequences.turns} || jsonb_build_object(${stepId}::text, coalesce((${sequences.turns}->>${stepId}::text)::int, 0) + 1)`,
    })
    .where(eq(sequences.id, run.sequenceId!))
    .returning({ turns: sequences.turns })
  const turn = ((row?.turns[stepId] ?? 1) - 1) % people.length
  return [...people.slice(turn), ...people.slice(0, turn)] as People
}

/** The administrator who gets what no one else can; empty without any. */
const firstAdmin = async (tx: Db): Promise<string[]> =>
  (
    await tx
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
      .orderBy(profiles.id)
      .limit(1)
  ).map(({ id }) => id)
