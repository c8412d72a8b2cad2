import { and, eq, sql } from 'drizzle-orm'
import { v5 as uuidv5 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt, toLocal } from '../../shared/zoned-time.ts'
import { writeChange } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { addTask } from '../../crm/tasks/service.ts'
import { setTagOn } from '../../crm/tags/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Patient, Run } from './facts.ts'
import { type Done, sendSteps } from './send-step.ts'
import { automationState, sequences } from './table.ts'
import type { Action, MessageStep } from './walk-rules.ts'

export type { Done } from './send-step.ts'

/** The key of what a step does in a run: the same however often it is tried. */
const keySpace = '6b0f7c3e-52a5-4a7e-9d4c-6f3a1f2f7a10'
const keyOf = (run: Pick<Run, 'id' | 'run'>, step: string): string => uuidv5(`${run.id} ${run.run} ${step}`, keySpace)

/** A step that is carried out for a patient. */
export interface Act {
  run: Run
  patient: Patient
  step: Action
}

/**
 * Carries out a step for each of these patients in the caller's transaction, which also logs them. Messages from the same template are written
 * together. In this order.
 */
export async function carryOut(tx: Db, scope: Scope, acts: readonly Act[]): Promise<Done[]> {
  const done = new Map<Act, Done>()
  const messages = Map.groupBy(acts.filter(isMessage), ({ step }) => step.templateId)
  for (const [templateId, group] of messages) {
    const recipients = group.map(({ run, patient, step }) => ({ contactId: patient.id, idempotencyKey: keyOf(run, step.id) }))
    const sent = await sendSteps(tx, scope, templateId, recipients)
    for (const act of group) done.set(act, sent.get(act.patient.id)!)
  }
  for (const act of acts) if (!isMessage(act)) done.set(act, await carryOutOne(tx, scope, act.run, act.patient, act.step as PlainAction))
  return acts.map((act) => done.get(act)!)
}

type PlainAction = Exclude<Action, MessageStep>
const isMessage = (act: Act): act is Act & { step: MessageStep } => act.step.kind === 'text' || act.step.kind === 'email'

async function carryOutOne(tx: Db, scope: Scope, run: Run, patient: Patient, step: PlainAction): Promise<Done> {
  switch (step.kind) {
    case 'task': {
      const people = await peopleFor(tx, run, step.id, step.people, patient)
      if (!people) return { outcome: 'refused', reason: 'no-assignee' }
      const due = new Date(scope.now().getTime() + step.hours * 60 * 60_000)
      const { day, time } = toLocal(due, scope.env.PRACTICE_TIME_ZONE)
      const isTimed = step.hours < 24
      const refId = await addTask(tx, scope, {
        title: step.title,
        type: step.type,
        contactId: patient.id,
        dueDate: isTimed ? day : dayAt(due, scope.env.PRACTICE_TIME_ZONE),
        dueTimeConstraint: isTimed ? time : null,
        people,
      })
      return { outcome: 'done', refId }
    }
    case 'stage': {
      const row = await lock(tx, patient.id)
      if (row && row.funnelStageId !== step.stageId) await writeChange(tx, scope, row, { funnelStageId: step.stageId })
      // The sequence does not leave a stage because it has moved the patient itself.
      await tx
        .update(automationState)
        .set({ state: sql`${automationState.state} || jsonb_build_object('stage', ${step.stageId}::text)` })
        .where(eq(automationState.id, run.id))
      return { outcome: 'done', refId: null }
    }
    case 'owner': {
      const people = await peopleFor(tx, run, step.id, step.people, null)
      const row = await lock(tx, patient.id)
      if (!people) return { outcome: 'refused', reason: 'no-assignee' }
      if (row && row.assignedSalesRepId !== people[0]) await writeChange(tx, scope, row, { assignedSalesRepId: people[0] })
      return { outcome: 'done', refId: null }
    }
    case 'tag': {
      const set = await setTagOn(tx, scope, patient.id, step.tagId, step.on)
      return set === null ? { outcome: 'refused', reason: 'no-tag' } : { outcome: 'done', refId: null }
    }
    case 'hook':
      await tx.execute(sql`select notify_webhooks('sequence.reached', array[${patient.id}::uuid])`)
      return { outcome: 'done', refId: null }
  }
}

const lock = async (tx: Db, id: string) => (await tx.select().from(contacts).where(eq(contacts.id, id)).for('update'))[0] ?? null

/**
 * Who gets a task or a patient: those whose turn it is first. Without people, the owner of the patient, or an administrator if there is none.
 * Null: no one can.
 */
async function peopleFor(
  tx: Db,
  run: Run,
  stepId: string,
  people: readonly string[],
  patient: Patient | null,
): Promise<[string, ...string[]] | null> {
  if (people.length === 0) {
    const owner = patient?.assignedSalesRepId ?? null
    const admins = await tx
      .select({ id: profiles.id })
      .from(profiles)
      .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
      .orderBy(profiles.id)
      .limit(1)
    const found = [owner, admins[0]?.id].filter((id) => id !== null && id !== undefined)
    return found.length > 0 ? (found as [string, ...string[]]) : null
  }
  const [row] = await tx
    .update(sequences)
    .set({
      turns: sql`${sequences.turns} || jsonb_build_object(${stepId}::text, coalesce((${sequences.turns}->>${stepId}::text)::int, 0) + 1)`,
    })
    .where(eq(sequences.id, run.sequenceId!))
    .returning({ turns: sequences.turns })
  const turn = ((row?.turns[stepId] ?? 1) - 1) % people.length
  return [...people.slice(turn), ...people.slice(0, turn)] as [string, ...string[]]
}
