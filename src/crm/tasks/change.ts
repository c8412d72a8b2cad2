import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { removeForAssignees } from '../notifications/service.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import type { ChangedTask, NewTask } from './contract.ts'
import { completion, type Due, dueAt, isOpen, adjustDue, snooze } from './rules.ts'
import { assignablePeople, getTask } from './read.ts'
import { tasks } from './table.ts'
import {
  type Row,
  type Locked,
  type Values,
  lock,
  findProblems,
  writeTask,
  patientsOf,
  assign,
  addTimelineEntry,
  notifyAssignees,
  publishTask,
} from './write-task.ts'

type CheckedTask = Omit<NewTask, 'hasTimeConstraint'>

/** Creates a task and notifies its assignees, in one transaction. */
export async function createTask(scope: Scope, { hasTimeConstraint: _, ...input }: NewTask) {
  return scope.db.transaction(async (tx) => {
    const invalid = await findProblems(tx, scope, input, null)
    if (invalid) return invalidReference(invalid)
    const { id } = await insertTask(tx, scope, input)
    return (await getTask({ ...scope, actor: null }, id, tx))!
  })
}

async function insertTask(tx: Db, scope: Scope, { assigneeIds, ...given }: CheckedTask): Promise<Row> {
  const now = scope.now()
  const input = { ...given, ...(await resolveDue(tx, scope, given)) }
  const due = dueAt(input, scope.env.PRACTICE_TIME_ZONE)
  const [row] = await tx
    .insert(tasks)
    .values({
      ...input,
      ...completion(input.status, null, now),
      dueAt: due,
      remindAt: due,
      assignedTo: assigneeIds[0]!,
      // Null for a task created by a patient's own action.
      createdBy: scope.actor?.id ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await assign(tx, row!.id, assigneeIds)
  await recordChange(tx, scope, { action: 'created', kind: 'task', contactIds: patientsOf(row!), after: { ...row, assigneeIds } })
  await addTimelineEntry(tx, scope, row!, `Task created: ${row!.title}`)
  if (row!.completed) await addTimelineEntry(tx, scope, row!, `Task completed: ${row!.title}`)
  await notifyAssignees(tx, row!.id, assigneeIds)
  await publishTask(tx, row!, assigneeIds)
  return row!
}

/** The date and time when a task is due: see `adjustDue`. */
async function resolveDue(tx: Db, scope: Scope, due: Due): Promise<Due> {
  const hours = await tx.select().from(practiceHours)
  return adjustDue(due, scope.now(), scope.env.PRACTICE_TIME_ZONE, hours)
}

/** Adds the resolved due date and time to a change that affects them. */
export async function resolveChange<Given extends Values>(tx: Db, scope: Scope, { row }: Locked, given: Given): Promise<Given> {
  const wanted = { ...row, ...given }
  const isMoved = wanted.dueDate !== row.dueDate || wanted.dueTimeConstraint !== row.dueTimeConstraint
  return isMoved ? { ...given, ...(await resolveDue(tx, scope, wanted)) } : given
}

/**
 * Adds a task as a result of an action by staff or a patient, in the caller's transaction. Assigns it to the first of `people` who can be
 * assigned, or to the last one if none can. Returns its id.
 */
export async function addTask(
  tx: Db,
  scope: Scope,
  {
    people,
    ...task
  }: Pick<CheckedTask, 'title' | 'type' | 'dueDate' | 'contactId'> &
    Partial<Pick<CheckedTask, 'description' | 'dueTimeConstraint'>> & { people: readonly [string, ...string[]] },
): Promise<string> {
  const assignable = new Set((await assignablePeople(scope, tx)).map(({ id }) => id))
  const assigneeIds = [people.find((id) => assignable.has(id)) ?? people.at(-1)!]
  const rest = { description: null, dueTimeConstraint: null, priority: 'medium', status: 'pending' } as const
  return (await insertTask(tx, scope, { ...rest, ...task, assigneeIds })).id
}

/** Assignees in order of preference: those given, then the front desk, then administrators, of whom there is always one. */
export async function assigneesFor(tx: Db, first: readonly (string | null)[]): Promise<[string, ...string[]]> {
  const others = await tx
    .select({ id: profiles.id, role: profiles.role })
    .from(profiles)
    .where(eq(profiles.status, 'active'))
    .orderBy(asc(profiles.id))
  const ofRole = (role: string) => others.filter((one) => one.role === role).map(({ id }) => id)
  const [assignee, ...rest] = [...first.filter((id) => id !== null), ...ofRole('front_desk'), ...ofRole('admin')]
  if (assignee === undefined) throw new Error('No one to assign the task to')
  return [assignee, ...rest]
}

/** Cancels a task that no one has changed or started since it was created. */
export async function cancelUntouched(tx: Db, scope: Scope, id: string): Promise<void> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (locked?.row.version === 1 && locked.row.status === 'pending') await writeTask(tx, scope, locked, { status: 'cancelled' })
}

/** The limit of a task's description. */
const maxDescriptionLength = 5_000

/**
 * Adds a paragraph to the description of an open task, in the caller's transaction. False: the task is done, deleted or has no room for it.
 */
export async function appendToTask(tx: Db, scope: Scope, id: string, paragraph: string): Promise<boolean> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (!locked || !isOpen(locked.row.status)) return false
  const description = [locked.row.description, paragraph].filter(Boolean).join('\n\n')
  if (description.length > maxDescriptionLength) return false
  await writeTask(tx, scope, locked, { description })
  return true
}

/** Changes the given fields of a task that the actor may see. CONFLICT: someone has changed it since the given version. */
export async function updateTask(scope: Scope, { id, version, hasTimeConstraint, ...input }: ChangedTask) {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    if (locked.row.version !== version) return refuse('CONFLICT', { current: (await getTask(scope, id, tx))! })
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Values
    if (hasTimeConstraint === false) given.dueTimeConstraint = null
    const invalid = await findProblems(tx, scope, given, locked)
    if (invalid) return invalidReference(invalid)
    await writeTask(tx, scope, locked, await resolveChange(tx, scope, locked, given))
    // Returned even to an actor who has just reassigned it and can no longer see it.
    return (await getTask({ ...scope, actor: null }, id, tx))!
  })
}

/** Postpones a task for all its assignees (spec 4). */
export async function snoozeTask(scope: Scope, id: string, minutes: number) {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    if (!isOpen(locked.row.status)) return refuse('NOT_OPEN')
    await writeTask(tx, scope, locked, snooze(locked.row, minutes, scope.now(), scope.env.PRACTICE_TIME_ZONE))
    return getTask(scope, id, tx)
  })
}

/** Deletes a task permanently. Null: it does not exist or the actor may not see it. */
export async function deleteTask(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    await removeForAssignees(tx, id, locked.assigneeIds)
    await tx.delete(tasks).where(eq(tasks.id, id))
    await recordChange(tx, scope, {
      action: 'deleted',
      kind: 'task',
      contactIds: patientsOf(locked.row),
      before: { ...locked.row, assigneeIds: locked.assigneeIds },
    })
    await publishTask(tx, locked.row, locked.assigneeIds)
    return true
  })
}
