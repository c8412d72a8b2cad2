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
import { removeOfTask, readOfTask, unreadOfTask } from '../notifications/service.ts'
import { practiceHours } from '../../platform/practice/table.ts'
import { type ChangedTask, type NewTask, taskMessages } from './contract.ts'
import { notifyAssignee } from './jobs.ts'
import { maySeeTask } from './policy.ts'
import { completion, type Due, dueAt, isOpen, settleDue, snoozed } from './rules.ts'
import { assignablePeople, getTask } from './read.ts'
import { taskAssignees, tasks } from './table.ts'

type Row = typeof tasks.$inferSelect
/** A task that is locked, with who has it. */
export interface Locked {
  row: Row
  assigneeIds: string[]
}
type Values = Partial<Omit<Row, 'id' | 'version' | 'createdAt' | 'createdBy'>> & { assigneeIds?: string[] | undefined }

type CheckedTask = Omit<NewTask, 'hasTimeConstraint'>

/** Creates a task and tells anyone who is assigned, in one transaction. */
export async function createTask(scope: Scope, { hasTimeConstraint: _, ...input }: NewTask) {
  return scope.db.transaction(async (tx) => {
    const invalid = await problems(tx, scope, input, null)
    if (invalid) return invalidReference(invalid)
    const { id } = await insertTask(tx, scope, input)
    return (await getTask({ ...scope, actor: null }, id, tx))!
  })
}

async function insertTask(tx: Db, scope: Scope, { assigneeIds, ...given }: CheckedTask): Promise<Row> {
  const now = scope.now()
  const input = { ...given, ...(await settle(tx, scope, given)) }
  const due = dueAt(input, scope.env.PRACTICE_TIME_ZONE)
  const [row] = await tx
    .insert(tasks)
    .values({
      ...input,
      ...completion(input.status, null, now),
      dueAt: due,
      remindAt: due,
      assignedTo: assigneeIds[0]!,
      // No one of the staff, where a patient's own action makes it.
      createdBy: scope.actor?.id ?? null,
      createdAt: now,
      updatedAt: now,
    })
    .returning()
  await assign(tx, row!.id, assigneeIds)
  await recordChange(tx, scope, { action: 'created', kind: 'task', contactIds: patientsOf(row!), after: { ...row, assigneeIds } })
  await note(tx, scope, row!, `Task created: ${row!.title}`)
  if (row!.completed) await note(tx, scope, row!, `Task completed: ${row!.title}`)
  await notifyAssignees(tx, row!.id, assigneeIds)
  await announce(tx, row!, assigneeIds)
  return row!
}

/** When a task is due that is given this date and time: see `settleDue`. */
async function settle(tx: Db, scope: Scope, due: Due): Promise<Due> {
  const hours = await tx.select().from(practiceHours)
  return settleDue(due, scope.now(), scope.env.PRACTICE_TIME_ZONE, hours)
}

/** The values of a change, with the due date and time that follow where it changes them. */
export async function settleChange<Given extends Values>(tx: Db, scope: Scope, { row }: Locked, given: Given): Promise<Given> {
  const wanted = { ...row, ...given }
  const isMoved = wanted.dueDate !== row.dueDate || wanted.dueTimeConstraint !== row.dueTimeConstraint
  return isMoved ? { ...given, ...(await settle(tx, scope, wanted)) } : given
}

/**
 * A task that follows from what someone does, staff or a patient, in the transaction of what they do. It goes to the first of these people who may be assigned;
 * to the last where none may. Answers its id.
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
  const known = new Set((await assignablePeople(scope, tx)).map(({ id }) => id))
  const assigneeIds = [people.find((id) => known.has(id)) ?? people.at(-1)!]
  const rest = { description: null, dueTimeConstraint: null, priority: 'medium', status: 'pending' } as const
  return (await insertTask(tx, scope, { ...rest, ...task, assigneeIds })).id
}

/** Cancels a task that no one has changed, nor begun, since it was created. */
export async function cancelUntouched(tx: Db, scope: Scope, id: string): Promise<void> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (locked?.row.version === 1 && locked.row.status === 'pending') await write(tx, scope, locked, { status: 'cancelled' })
}

/** As much as a task's description takes. */
const maxDescriptionLength = 5_000

/** Adds a paragraph to what an open task says, in the transaction of what someone does. False: it is done or gone, or has no room for it. */
export async function addToTask(tx: Db, scope: Scope, id: string, words: string): Promise<boolean> {
  const locked = await lock(tx, { ...scope, actor: null }, id)
  if (!locked || !isOpen(locked.row.status)) return false
  const description = [locked.row.description, words].filter(Boolean).join('\n\n')
  if (description.length > maxDescriptionLength) return false
  await write(tx, scope, locked, { description })
  return true
}

/** Changes the given fields of a task that the actor sees. CONFLICT: someone has changed it since the version that was read. */
export async function updateTask(scope: Scope, { id, version, hasTimeConstraint, ...input }: ChangedTask) {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    if (locked.row.version !== version) return refuse('CONFLICT', { current: (await getTask(scope, id, tx))! })
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Values
    if (hasTimeConstraint === false) given.dueTimeConstraint = null
    const invalid = await problems(tx, scope, given, locked)
    if (invalid) return invalidReference(invalid)
    await write(tx, scope, locked, await settleChange(tx, scope, locked, given))
    // Anyone who has passed it on is told what became of it, once.
    return (await getTask({ ...scope, actor: null }, id, tx))!
  })
}

/** Spec 4: moves a task's due time on, for everyone who has it. */
export async function snoozeTask(scope: Scope, id: string, minutes: number) {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    if (!isOpen(locked.row.status)) return refuse('NOT_OPEN')
    await write(tx, scope, locked, snoozed(locked.row, minutes, scope.now(), scope.env.PRACTICE_TIME_ZONE))
    return getTask(scope, id, tx)
  })
}

/** Deletes a task permanently; null when the actor sees none. */
export async function deleteTask(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const locked = await lock(tx, scope, id)
    if (!locked) return null
    await removeOfTask(tx, id, locked.assigneeIds)
    await tx.delete(tasks).where(eq(tasks.id, id))
    await recordChange(tx, scope, {
      action: 'deleted',
      kind: 'task',
      contactIds: patientsOf(locked.row),
      before: { ...locked.row, assigneeIds: locked.assigneeIds },
    })
    await announce(tx, locked.row, locked.assigneeIds)
    return true
  })
}

/** A task for a change, as far as the actor sees it. Its own row is locked: who has it changes with it alone. */
export async function lock(tx: Db, scope: Scope, id: string): Promise<Locked | null> {
  const [row] = await tx.select().from(tasks).where(eq(tasks.id, id)).for('update')
  if (!row) return null
  const people = await tx.select().from(taskAssignees).where(eq(taskAssignees.taskId, id)).orderBy(taskAssignees.position)
  const assigneeIds = people.map(({ profileId }) => profileId)
  return maySeeTask(scope.actor, assigneeIds) ? { row, assigneeIds } : null
}

/** What is wrong with values, by field; null when nothing is. What a task has already may stay. */
export async function problems(tx: Db, scope: Scope, given: Values, locked: Locked | null): Promise<Record<string, string> | null> {
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
  const known = new Set((await assignablePeople(scope, tx)).map(({ id }) => id))
  return ids.every((id) => known.has(id))
}

/** Writes what differs, with all that follows from it: completion, reminders, mails, timeline, audit, event. Answers whether anything did. */
export async function write(tx: Db, scope: Scope, locked: Locked, { assigneeIds, ...given }: Values): Promise<boolean> {
  const { row: before } = locked
  const now = scope.now()
  const wanted: Row = { ...before, ...given }
  const isMoved = wanted.dueDate !== before.dueDate || wanted.dueTimeConstraint !== before.dueTimeConstraint
  if (isMoved && !given.dueAt) wanted.dueAt = wanted.remindAt = dueAt(wanted, scope.env.PRACTICE_TIME_ZONE)
  Object.assign(wanted, completion(wanted.status, before.completedAt, now))
  const after = assigneeIds ?? locked.assigneeIds
  wanted.assignedTo = after[0]!
  const [added, gone] = [after.filter((id) => !locked.assigneeIds.includes(id)), locked.assigneeIds.filter((id) => !after.includes(id))]
  // Spec 4: anyone who is to be reminded of another moment, or is new, has not been reminded.
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
    if (gone.length > 0) await tx.delete(taskAssignees).where(and(eq(taskAssignees.taskId, id), inArray(taskAssignees.profileId, gone)))
    await assign(tx, id, after)
    await removeOfTask(tx, id, gone)
    await notifyAssignees(tx, id, added)
  }
  if (!isOpen(row!.status) || row!.remindAt.getTime() !== before.remindAt.getTime()) await readOfTask(tx, id, row!.completedAt ?? now)
  else if (before.completedAt && row!.remindAt <= now) await unreadOfTask(tx, id, before.completedAt)
  if (row!.completed && !before.completed) await note(tx, scope, row!, `Task completed: ${row!.title}`)
  if (before.completed && !row!.completed) await note(tx, scope, row!, `Task reopened: ${row!.title}`)
  const contactIds = [...new Set([...patientsOf(before), ...patientsOf(row!)])]
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'task',
    contactIds,
    before: { id, ...changes.before },
    after: { id, ...changes.after },
  })
  await announce(tx, row!, [...locked.assigneeIds, ...added])
  return true
}

const patientsOf = ({ contactId }: Pick<Row, 'contactId'>): string[] => (contactId === null ? [] : [contactId])

async function assign(tx: Db, taskId: string, profileIds: readonly string[]): Promise<void> {
  // In one order, so that two tasks that get the same people do not wait for each other.
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

/** A line on the patient's timeline, for anyone who may see the task. */
async function note(tx: Db, scope: Scope, { id, contactId }: Pick<Row, 'id' | 'contactId'>, description: string): Promise<void> {
  if (contactId === null) return
  await addInteraction(tx, scope, { contactId, type: 'task', description, metadata: { taskId: id } })
  await publish(tx, 'contact', contactId)
}

/** Spec 7: one mail for each of them, in the background. */
async function notifyAssignees(tx: Db, taskId: string, profileIds: readonly string[]): Promise<void> {
  for (const assigneeId of profileIds) await enqueue(tx, notifyAssignee, { taskId, assigneeId }, `task-assigned ${taskId} ${assigneeId}`)
}

/** Spec 6: only anyone who may see a task hears of it. */
const announce = (tx: Db, { id }: Pick<Row, 'id'>, accounts: readonly string[]): Promise<void> =>
  publish(tx, 'task', id, { accounts, roles: ['admin', 'sales_rep'] })
