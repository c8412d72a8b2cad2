import { asc, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../kernel/postgres/database.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange, recordChanges } from '../../platform/audit/service.ts'
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
  assignEach,
  addTimelineEntries,
  notifyAssignees,
  publishTask,
  publishTasks,
} from './write-task.ts'

type CheckedTask = Omit<NewTask, 'hasTimeConstraint'>

/** Creates a task and notifies its assignees, in one transaction. */
export async function createTask(scope: Scope, { hasTimeConstraint: _, ...input }: NewTask) {
  return scope.db.transaction(async (tx) => {
    const invalid = await findProblems(tx, scope, input, null)
    if (invalid) return invalidReference(invalid)
    const [row] = await insertTasks(tx, scope, [input])
    return (await getTask({ ...scope, actor: null }, row!.id, tx))!
  })
}

/** Inserts tasks that were checked: the rows of all with one statement of each kind, in this order. */
async function insertTasks(tx: Db, scope: Scope, wanted: readonly CheckedTask[]): Promise<Row[]> {
  if (wanted.length === 0) return []
  const now = scope.now()
  const zone = scope.env.PRACTICE_TIME_ZONE
  const hours = await tx.select().from(practiceHours)
  const values = wanted.map(({ assigneeIds, ...given }) => {
    const input = { ...given, ...adjustDue(given, now, zone, hours) }
    const due = dueAt(input, zone)
    return {
      ...input,
      ...completion(input.status, null, now),
      id: uuidv7(),
      dueAt: due,
      remindAt: due,
      assignedTo: assigneeIds[0]!,
      // Null for a task created by a patient's own action.
      createdBy: scope.actor?.id ?? null,
      createdAt: now,
      updatedAt: now,
    }
  })
  const inserted = new Map((await tx.insert(tasks).values(values).returning()).map((row) => [row.id, row]))
  const rows = values.map(({ id }, place) => ({ row: inserted.get(id)!, assigneeIds: wanted[place]!.assigneeIds }))
  await assignEach(
    tx,
    rows.map(({ row, assigneeIds }) => ({ taskId: row.id, assigneeIds })),
  )
  await recordChanges(
    tx,
    scope,
    rows.map(({ row, assigneeIds }) => ({
      action: 'created' as const,
      kind: 'task' as const,
      contactIds: patientsOf(row),
      after: { ...row, assigneeIds },
    })),
  )
  await addTimelineEntries(
    tx,
    scope,
    rows.flatMap(({ row }) => [
      { task: row, description: `Task created: ${row.title}` },
      ...(row.completed ? [{ task: row, description: `Task completed: ${row.title}` }] : []),
    ]),
  )
  await notifyAssignees(
    tx,
    rows.flatMap(({ row, assigneeIds }) => assigneeIds.map((assigneeId) => ({ taskId: row.id, assigneeId }))),
  )
  const byAssignees = Map.groupBy(rows, ({ assigneeIds }) => assigneeIds.join())
  for (const group of byAssignees.values())
    await publishTasks(
      tx,
      group.map(({ row }) => row.id),
      group[0]!.assigneeIds,
    )
  return rows.map(({ row }) => row)
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

type AddedTask = Pick<CheckedTask, 'title' | 'type' | 'dueDate' | 'contactId'> &
  Partial<Pick<CheckedTask, 'description' | 'dueTimeConstraint'>> & { people: readonly [string, ...string[]] }

/** `addTasks` for one task. */
export const addTask = async (tx: Db, scope: Scope, task: AddedTask): Promise<string> => (await addTasks(tx, scope, [task]))[0]!

/**
 * Adds tasks as a result of an action by staff or a patient, in the caller's transaction. Assigns each to the first of `people` who can be
 * assigned, or to the last one if none can. Returns their ids, in this order.
 */
export async function addTasks(tx: Db, scope: Scope, wanted: readonly AddedTask[]): Promise<string[]> {
  const assignable = new Set((await assignablePeople(scope, tx)).map(({ id }) => id))
  const rest = { description: null, dueTimeConstraint: null, priority: 'medium', status: 'pending' } as const
  const checked = wanted.map(({ people, ...task }) => {
    return { ...rest, ...task, assigneeIds: [people.find((id) => assignable.has(id)) ?? people.at(-1)!] }
  })
  return (await insertTasks(tx, scope, checked)).map(({ id }) => id)
}

/** Assignees in order of preference: those given, then everyone with the role, then administrators, of whom there is always one. */
export async function assigneesFor(
  tx: Db,
  first: readonly (string | null)[],
  role: 'front_desk' | 'billing' = 'front_desk',
): Promise<[string, ...string[]]> {
  const others = await tx
    .select({ id: profiles.id, role: profiles.role })
    .from(profiles)
    .where(eq(profiles.status, 'active'))
    .orderBy(asc(profiles.id))
  const ofRole = (wanted: string) => others.filter((one) => one.role === wanted).map(({ id }) => id)
  const [assignee, ...rest] = [...first.filter((id) => id !== null), ...ofRole(role), ...ofRole('admin')]
  if (assignee === undefined) throw new Error('No one to assign the task to')
  return [assignee, ...rest]
}

/** Cancels a task that no one has changed or started since it was created. */
export async function cancelUntouched(tx: Db, scope: Scope, id: string): Promise<void> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (locked?.row.version === 1 && locked.row.status === 'pending') await writeTask(tx, scope, locked, { status: 'cancelled' })
}

/** Closes an open task whose matter is settled, in the caller's transaction. */
export async function closeTask(tx: Db, scope: Scope, id: string, status: 'completed' | 'cancelled'): Promise<void> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (locked && isOpen(locked.row.status)) await writeTask(tx, scope, locked, { status })
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
