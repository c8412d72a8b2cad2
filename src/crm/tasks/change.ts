import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { invalidReference, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { addInteraction } from '../interactions/service.ts'
import { removeForAssignees, markTaskRead, restoreTaskUnread } from '../notifications/service.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { type ChangedTask, type NewTask, taskMessages } from './contract.ts'
import { notifyAssignee } from './jobs.ts'
import { maySeeTask } from './policy.ts'
import { completion, type Due, dueAt, isOpen, adjustDue, snooze } from './rules.ts'
import { assignablePeople, getTask } from './read.ts'
import { taskAssignees, tasks } from './table.ts'

type Row = typeof tasks.$inferSelect
/** A locked task and its assignees. */
export interface Locked {
  row: Row
  assigneeIds: string[]
}
type Values = Partial<Omit<Row, 'id' | 'version' | 'createdAt' | 'createdBy'>> & { assigneeIds?: string[] | undefined }

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

/** Loads and locks a task that the actor may see. Locking its row is enough: assignees change only together with it. */
export async function lock(tx: Db, scope: Scope, id: string): Promise<Locked | null> {
  const [row] = await tx.select().from(tasks).where(eq(tasks.id, id)).for('update')
  if (!row) return null
  const people = await tx.select().from(taskAssignees).where(eq(taskAssignees.taskId, id)).orderBy(taskAssignees.position)
  const assigneeIds = people.map(({ profileId }) => profileId)
  return maySeeTask(scope.actor, assigneeIds) ? { row, assigneeIds } : null
}

/** Validates values. Returns messages by field, or null if all are valid. Values that the task already has are accepted. */
export async function findProblems(tx: Db, scope: Scope, given: Values, locked: Locked | null): Promise<Record<string, string> | null> {
  const found: Record<string, string> = {}
  if (given.dueDate && given.dueDate !== locked?.row.dueDate && given.dueDate < dayAt(scope.now(), scope.env.PRACTICE_TIME_ZONE)) {
    found.dueDate = taskMessages.duePast
  }
  const added = (given.assigneeIds ?? []).filter((id) => !locked?.assigneeIds.includes(id))
  if (added.length > 0 && !(await areAssignable(tx, scope, added))) found.assigneeIds = taskMessages.noAssignee
  if (given.contactId && given.contactId !== locked?.row.contactId) {
    const [contact] = await tx.select({ id: contacts.id }).from(contacts).where(eq(contacts.id, given.contactId)).for('key share')
    if (!contact) found.contactId = taskMessages.noContact
  }
  return Object.keys(found).length > 0 ? found : null
}

export async function areAssignable(tx: Db, scope: Scope, ids: readonly string[]): Promise<boolean> {
  const assignable = new Set((await assignablePeople(scope, tx)).map(({ id }) => id))
  return ids.every((id) => assignable.has(id))
}

/**
 * Saves changed values with their side effects: completion, reminders, emails, timeline, audit, live event. Returns whether anything
 * changed.
 */
export async function writeTask(tx: Db, scope: Scope, locked: Locked, { assigneeIds, ...given }: Values): Promise<boolean> {
  const { row: before } = locked
  const now = scope.now()
  const wanted: Row = { ...before, ...given }
  const isMoved = wanted.dueDate !== before.dueDate || wanted.dueTimeConstraint !== before.dueTimeConstraint
  if (isMoved && !given.dueAt) wanted.dueAt = wanted.remindAt = dueAt(wanted, scope.env.PRACTICE_TIME_ZONE)
  Object.assign(wanted, completion(wanted.status, before.completedAt, now))
  const after = assigneeIds ?? locked.assigneeIds
  wanted.assignedTo = after[0]!
  const [added, removed] = [after.filter((id) => !locked.assigneeIds.includes(id)), locked.assigneeIds.filter((id) => !after.includes(id))]
  // After a new due time or for a new assignee, the reminder is still to be sent (spec 4).
  if (wanted.remindAt.getTime() !== before.remindAt.getTime() || added.length > 0) wanted.notificationSent = false
  const isReassigned = after.join() !== locked.assigneeIds.join()
  const changes = difference({ ...before, assigneeIds: locked.assigneeIds }, { ...wanted, assigneeIds: after })
  if (Object.keys(changes.after).length === 0) return false

  const { id, ...values } = wanted
  const [row] = await tx
    .update(tasks)
    .set({ ...values, version: before.version + 1, updatedAt: now })
    .where(eq(tasks.id, id))
    .returning()
  if (isReassigned) {
    if (removed.length > 0)
      await tx.delete(taskAssignees).where(and(eq(taskAssignees.taskId, id), inArray(taskAssignees.profileId, removed)))
    await assign(tx, id, after)
    await removeForAssignees(tx, id, removed)
    await notifyAssignees(tx, id, added)
  }
  if (!isOpen(row!.status) || row!.remindAt.getTime() !== before.remindAt.getTime()) await markTaskRead(tx, id, row!.completedAt ?? now)
  else if (before.completedAt && row!.remindAt <= now) await restoreTaskUnread(tx, id, before.completedAt)
  if (row!.completed && !before.completed) await addTimelineEntry(tx, scope, row!, `Task completed: ${row!.title}`)
  if (before.completed && !row!.completed) await addTimelineEntry(tx, scope, row!, `Task reopened: ${row!.title}`)
  const contactIds = [...new Set([...patientsOf(before), ...patientsOf(row!)])]
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'task',
    contactIds,
    before: { id, ...changes.before },
    after: { id, ...changes.after },
  })
  await publishTask(tx, row!, [...locked.assigneeIds, ...added])
  return true
}

const patientsOf = ({ contactId }: Pick<Row, 'contactId'>): string[] => (contactId === null ? [] : [contactId])

async function assign(tx: Db, taskId: string, profileIds: readonly string[]): Promise<void> {
  // Sorted, so that two tasks with the same new assignees can't deadlock.
  const rows = profileIds
    .map((profileId, position) => ({ taskId, profileId, position }))
    .toSorted((a, b) => (a.profileId < b.profileId ? -1 : 1))
  for (const row of rows) {
    await tx
      .insert(taskAssignees)
      .values(row)
      .onConflictDoUpdate({ target: [taskAssignees.taskId, taskAssignees.profileId], set: { position: row.position } })
  }
}

/** Adds an entry to the patient's timeline, visible to anyone who may see the task. */
async function addTimelineEntry(
  tx: Db,
  scope: Scope,
  { id, contactId }: Pick<Row, 'id' | 'contactId'>,
  description: string,
): Promise<void> {
  if (contactId === null) return
  await addInteraction(tx, scope, { contactId, type: 'task', description, metadata: { taskId: id } })
  await publish(tx, 'contact', contactId)
}

/** Queues one email per assignee (spec 7). */
async function notifyAssignees(tx: Db, taskId: string, profileIds: readonly string[]): Promise<void> {
  for (const assigneeId of profileIds) await enqueue(tx, notifyAssignee, { taskId, assigneeId }, `task-assigned ${taskId} ${assigneeId}`)
}

/** Publishes a change only to people who may see the task (spec 6). */
const publishTask = (tx: Db, { id }: Pick<Row, 'id'>, accounts: readonly string[]): Promise<void> =>
  publish(tx, 'task', id, { accounts, roles: ['admin', 'sales_rep'] })
