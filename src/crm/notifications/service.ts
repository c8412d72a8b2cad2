import { and, count, desc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/cursors.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { cursorPage, type InstantPlace, placeOf } from '../../shared/page-lists.ts'
import { contacts } from '../contacts/table.ts'
import { snoozeEnd, tasks } from '../tasks/table.ts'
import { type NotificationMetadata, type Preference, preferences } from './contract.ts'
import { notificationRecipients, notifications } from './table.ts'

const columns = {
  id: notifications.id,
  userId: notifications.userId,
  type: notifications.type,
  readAt: notifications.readAt,
  createdAt: notifications.createdAt,
  // The current title and patient of the task: a patient removed from the task is no longer shown.
  metadata: sql<NotificationMetadata>`jsonb_build_object('task_id', ${tasks.id}, 'task_title', ${tasks.title}, 'task_description', ${tasks.description},
    'due_time_constraint', ${tasks.dueTimeConstraint},
    'contact_name', nullif(concat_ws(' ', ${contacts.firstName}, ${contacts.lastName}), ''), 'contact_phone', ${contacts.phone})`,
  taskId: notifications.taskId,
  dueAt: tasks.dueAt,
  snoozedUntil: snoozeEnd,
  isOpen: sql<boolean>`${tasks.status} in ('pending', 'in_progress')`,
  contactId: tasks.contactId,
  exact: exactInstant(notifications.createdAt),
}

interface Page {
  cursor?: InstantPlace | undefined
  limit: number
}

const select = (db: Db, condition: SQL | undefined, { cursor, limit }: Page) =>
  db
    .select(columns)
    .from(notifications)
    .innerJoin(tasks, eq(tasks.id, notifications.taskId))
    .leftJoin(contacts, eq(contacts.id, tasks.contactId))
    .where(and(condition, isOlderThan(cursor, notifications.createdAt, notifications.id)))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(limit + 1)

/** The actor's unread reminders, newest first (spec 7), and their number. Leaves out snoozed tasks, even if marked as unread. */
export async function unreadNotifications(scope: Scope, page: Page) {
  const mine = and(eq(notifications.userId, staff(scope).id), isNull(notifications.readAt), lte(tasks.remindAt, scope.now()))
  const [rows, [counted]] = await Promise.all([
    select(scope.db, mine, page),
    scope.db.select({ total: count() }).from(notifications).innerJoin(tasks, eq(tasks.id, notifications.taskId)).where(mine),
  ])
  const found = cursorPage(rows, page.limit, placeOf)
  await recordPatientViews(scope, found.data)
  return { ...found, total: counted!.total }
}

/** A page of the actor's notifications, including read ones, newest first. */
export async function listNotifications(scope: Scope, page: Page) {
  const found = cursorPage(await select(scope.db, eq(notifications.userId, staff(scope).id), page), page.limit, placeOf)
  await recordPatientViews(scope, found.data)
  return found
}

async function recordPatientViews(scope: Scope, rows: readonly { contactId: string | null }[]): Promise<void> {
  const contactIds = [...new Set(rows.map(({ contactId }) => contactId).filter((id) => id !== null))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'notification', contactIds })
}

/** Marks one of the actor's notifications as read or unread. Null: it does not exist. */
export async function markNotification(scope: Scope, id: string, isRead: boolean): Promise<true | null> {
  const { id: userId } = staff(scope)
  return scope.db.transaction(async (tx) => {
    const readAt = isRead ? sql`coalesce(${notifications.readAt}, ${scope.now().toISOString()}::timestamptz)` : null
    const rows = await tx
      .update(notifications)
      .set({ readAt })
      .where(and(eq(notifications.id, id), eq(notifications.userId, userId)))
      .returning({ id: notifications.id })
    if (rows.length === 0) return null
    await publishTo(tx, [userId])
    return true
  })
}

/** Marks all of the actor's notifications as read. Returns how many were unread. */
export async function markAllRead(scope: Scope): Promise<number> {
  const { id: userId } = staff(scope)
  return scope.db.transaction(async (tx) => {
    const rows = await tx
      .update(notifications)
      .set({ readAt: scope.now() })
      .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
      .returning({ id: notifications.id })
    if (rows.length > 0) await publishTo(tx, [userId])
    return rows.length
  })
}

/** Publishes to each account's own browsers that its notifications have changed. */
async function publishTo(tx: Db, userIds: readonly string[]): Promise<void> {
  for (const id of new Set(userIds)) await publish(tx, 'notification', id, { accounts: [id], roles: [] })
}

/** Marks a task's reminders as read for everyone, once the task is done or rescheduled (spec 4). */
export async function markTaskRead(tx: Db, taskId: string, at: Date): Promise<void> {
  const rows = await tx
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.taskId, taskId), isNull(notifications.readAt)))
    .returning({ userId: notifications.userId })
  await publishTo(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** Reverts `markTaskRead` at that time, when a completion is undone. */
export async function restoreTaskUnread(tx: Db, taskId: string, at: Date): Promise<void> {
  const rows = await tx
    .update(notifications)
    .set({ readAt: null })
    .where(and(eq(notifications.taskId, taskId), eq(notifications.readAt, at)))
    .returning({ userId: notifications.userId })
  await publishTo(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** Deletes a task's reminders of people who are no longer assigned. */
export async function removeForAssignees(tx: Db, taskId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = await tx
    .delete(notifications)
    .where(and(eq(notifications.taskId, taskId), inArray(notifications.userId, [...userIds])))
    .returning({ userId: notifications.userId })
  await publishTo(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** Deletes all reminders of deleted tasks. */
export async function removeForTasks(tx: Db, taskIds: readonly string[]): Promise<void> {
  const rows = await tx
    .delete(notifications)
    .where(inArray(notifications.taskId, [...taskIds]))
    .returning({ userId: notifications.userId })
  await publishTo(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** How many tasks one transaction handles. */
const batchSize = 500

/**
 * Creates one reminder per assignee of each due task, for at most `batchSize` tasks, and returns how many tasks there were. A reminder of
 * the same task, assignee and time is never created twice, also by concurrent runs. Ids ascend with the time a task was due, so that every
 * assignee's list has the same order.
 */
export async function createDueReminders(scope: Scope): Promise<number> {
  return scope.db.transaction(async (tx) => {
    const now = scope.now().toISOString()
    const { rows } = await tx.execute<{ task_id: string; user_id: string | null }>(sql`
      with due as (
        select id from tasks
        where not notification_sent and status in ('pending', 'in_progress') and remind_at <= ${now}::timestamptz
        order by remind_at, id limit ${batchSize} for update skip locked
      ), marked as (
        update tasks set notification_sent = true from due where tasks.id = due.id
        returning tasks.id, title, description, due_time_constraint, remind_at, contact_id
      ), written as (
        insert into notifications (user_id, type, created_at, metadata, task_id, remind_at)
        select assignee.profile_id, 'task_overdue', ${now}::timestamptz,
          jsonb_build_object('task_id', marked.id, 'task_title', marked.title, 'task_description', marked.description,
            'due_time_constraint', marked.due_time_constraint, 'contact_name', nullif(concat_ws(' ', contact.first_name, contact.last_name), ''),
            'contact_phone', contact.phone),
          marked.id, marked.remind_at
        from marked
        join task_assignees as assignee on assignee.task_id = marked.id
        join profiles on profiles.id = assignee.profile_id and profiles.status = 'active'
        left join contacts as contact on contact.id = marked.contact_id
        order by marked.remind_at, marked.id
        on conflict (task_id, user_id, remind_at) do nothing
        returning task_id, user_id
      )
      select marked.id as task_id, written.user_id from marked left join written on written.task_id = marked.id`)
    await publishTo(
      tx,
      rows.map(({ user_id }) => user_id).filter((id) => id !== null),
    )
    return new Set(rows.map(({ task_id }) => task_id)).size
  })
}

/** The actor's email notification settings, including defaults. */
export async function listPreferences(scope: Scope) {
  const rows = await scope.db
    .select()
    .from(notificationRecipients)
    .where(eq(notificationRecipients.userId, staff(scope).id))
  return preferences.map((notificationType) => ({
    notificationType,
    enabled: rows.find((row) => row.notificationType === notificationType)?.enabled ?? false,
  }))
}

export async function setPreference(scope: Scope, notificationType: Preference, enabled: boolean) {
  const { id: userId } = staff(scope)
  await scope.db
    .insert(notificationRecipients)
    .values({ userId, notificationType, enabled })
    .onConflictDoUpdate({ target: [notificationRecipients.userId, notificationRecipients.notificationType], set: { enabled } })
  return listPreferences(scope)
}

/** Whether a person has turned on emails of this type (spec 6). */
export async function wantsEmail(db: Db, userId: string, notificationType: Preference): Promise<boolean> {
  const [row] = await db
    .select({ enabled: notificationRecipients.enabled })
    .from(notificationRecipients)
    .where(and(eq(notificationRecipients.userId, userId), eq(notificationRecipients.notificationType, notificationType)))
  return row?.enabled ?? false
}

/** How many days read notifications are kept. */
const retentionDays = 90

export async function purgeReadNotifications(scope: Scope): Promise<void> {
  const before = new Date(scope.now().getTime() - retentionDays * 24 * 3_600_000)
  await scope.db.delete(notifications).where(and(isNotNull(notifications.readAt), lt(notifications.createdAt, before)))
}
