import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Audience, publish, publishEach } from '../../kernel/events/events.ts'
import { enqueueEach } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { dayAt } from '../../shared/zoned-time.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { contacts } from '../contacts/table.ts'
import { addEntries } from '../interactions/service.ts'
import { removeForAssignees, markTaskRead, restoreTaskUnread } from '../notifications/service.ts'
import { taskMessages } from './contract.ts'
import { notifyAssignee } from './jobs.ts'
import { maySeeTask } from './policy.ts'
import { completion, dueAt, isOpen } from './rules.ts'
import { assignablePeople } from './read.ts'
import { taskAssignees, tasks } from './table.ts'

export type Row = typeof tasks.$inferSelect
/** A locked task and its assignees. */
export interface Locked {
  row: Row
  assigneeIds: string[]
}
export type Values = Partial<Omit<Row, 'id' | 'version' | 'createdAt' | 'createdBy'>> & { assigneeIds?: string[] | undefined }

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
    await assignEach(tx, [{ taskId: id, assigneeIds: after }])
    await removeForAssignees(tx, id, removed)
    await notifyAssignees(
      tx,
      added.map((assigneeId) => ({ taskId: id, assigneeId })),
    )
  }
  if (!isOpen(row!.status) || row!.remindAt.getTime() !== before.remindAt.getTime()) await markTaskRead(tx, id, row!.completedAt ?? now)
  else if (before.completedAt && row!.remindAt <= now) await restoreTaskUnread(tx, id, before.completedAt)
  if (row!.completed !== before.completed) {
    const description = `Task ${row!.completed ? 'completed' : 'reopened'}: ${row!.title}`
    await addTimelineEntries(tx, scope, [{ task: row!, description }])
  }
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

export const patientsOf = ({ contactId }: Pick<Row, 'contactId'>): string[] => (contactId === null ? [] : [contactId])

/** Assigns tasks to people, the first of whom is `assignedTo`. */
export async function assignEach(tx: Db, wanted: readonly { taskId: string; assigneeIds: readonly string[] }[]): Promise<void> {
  // Sorted, so that two tasks with the same new assignees can't deadlock.
  const rows = wanted
    .flatMap(({ taskId, assigneeIds }) => assigneeIds.map((profileId, position) => ({ taskId, profileId, position })))
    .toSorted((a, b) => (a.profileId < b.profileId ? -1 : 1))
  if (rows.length === 0) return
  await tx
    .insert(taskAssignees)
    .values(rows)
    .onConflictDoUpdate({ target: [taskAssignees.taskId, taskAssignees.profileId], set: { position: sql`excluded.position` } })
}

/** Adds entries to the timelines of the tasks' patients, visible to anyone who may see the task. */
export async function addTimelineEntries(
  tx: Db,
  scope: Scope,
  wanted: readonly { task: Pick<Row, 'id' | 'contactId'>; description: string }[],
): Promise<void> {
  const of = { date: scope.now(), createdBy: scope.actor?.id ?? null }
  const entries = wanted.flatMap(({ task: { id, contactId }, description }) =>
    contactId === null ? [] : [{ ...of, contactId, type: 'task' as const, description, metadata: { taskId: id } }],
  )
  await addEntries(tx, entries)
  await publishEach(
    tx,
    'contact',
    entries.map(({ contactId }) => contactId),
  )
}

/** Queues one email per assignee (spec 7). */
export const notifyAssignees = (tx: Db, wanted: readonly { taskId: string; assigneeId: string }[]): Promise<void> =>
  enqueueEach(
    tx,
    notifyAssignee,
    wanted.map((payload) => ({ payload, key: `task-assigned ${payload.taskId} ${payload.assigneeId}` })),
  )

/** Publishes a change only to people who may see the task (spec 6). */
export const publishTask = (tx: Db, { id }: Pick<Row, 'id'>, accounts: readonly string[]): Promise<void> =>
  publish(tx, 'task', id, audienceOf(accounts))
export const publishTasks = (tx: Db, ids: readonly string[], accounts: readonly string[]): Promise<void> =>
  publishEach(tx, 'task', ids, audienceOf(accounts))
const audienceOf = (accounts: readonly string[]): Audience => ({ accounts, roles: ['admin', 'sales_rep'] })
