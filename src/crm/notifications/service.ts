import { and, count, desc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { exactInstant, isOlderThan } from '../../kernel/postgres/places.ts'
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
  // What the task and the patient are called now: anyone who was taken off the task is not told of with it.
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

/** One's own unread reminders, newest first (spec 7), and how many there are. None of a task before its snooze is over, whoever marks it as unread. */
export async function unreadNotifications(scope: Scope, page: Page) {
  const mine = and(eq(notifications.userId, staff(scope).id), isNull(notifications.readAt), lte(tasks.remindAt, scope.now()))
  const [rows, [counted]] = await Promise.all([
    select(scope.db, mine, page),
    scope.db.select({ total: count() }).from(notifications).innerJoin(tasks, eq(tasks.id, notifications.taskId)).where(mine),
  ])
  const found = cursorPage(rows, page.limit, placeOf)
  await sawPatients(scope, found.data)
  return { ...found, total: counted!.total }
}

/** A page of one's own, read ones too, newest first. */
export async function listNotifications(scope: Scope, page: Page) {
  const found = cursorPage(await select(scope.db, eq(notifications.userId, staff(scope).id), page), page.limit, placeOf)
  await sawPatients(scope, found.data)
  return found
}

async function sawPatients(scope: Scope, rows: readonly { contactId: string | null }[]): Promise<void> {
  const contactIds = [...new Set(rows.map(({ contactId }) => contactId).filter((id) => id !== null))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'notification', contactIds })
}

/** Marks one of one's own as read, or as unread again. Null: there is none. */
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
    await tell(tx, [userId])
    return true
  })
}

/** Marks all of one's own as read; answers how many were not. */
export async function markAllRead(scope: Scope): Promise<number> {
  const { id: userId } = staff(scope)
  return scope.db.transaction(async (tx) => {
    const rows = await tx
      .update(notifications)
      .set({ readAt: scope.now() })
      .where(and(eq(notifications.userId, userId), isNull(notifications.readAt)))
      .returning({ id: notifications.id })
    if (rows.length > 0) await tell(tx, [userId])
    return rows.length
  })
}

/** Tells each account's own browsers, and no one else's, that its notifications have changed. */
async function tell(tx: Db, userIds: readonly string[]): Promise<void> {
  for (const id of new Set(userIds)) await publish(tx, 'notification', id, { accounts: [id], roles: [] })
}

/** Spec 4: what a task has reminded of is read, by everyone, once it is done or due at another time. */
export async function readOfTask(tx: Db, taskId: string, at: Date): Promise<void> {
  const rows = await tx
    .update(notifications)
    .set({ readAt: at })
    .where(and(eq(notifications.taskId, taskId), isNull(notifications.readAt)))
    .returning({ userId: notifications.userId })
  await tell(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** Takes back what readOfTask did at that moment: the task is to be done after all. */
export async function unreadOfTask(tx: Db, taskId: string, at: Date): Promise<void> {
  const rows = await tx
    .update(notifications)
    .set({ readAt: null })
    .where(and(eq(notifications.taskId, taskId), eq(notifications.readAt, at)))
    .returning({ userId: notifications.userId })
  await tell(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** Anyone who is no longer assigned has nothing left of the task. */
export async function removeOfTask(tx: Db, taskId: string, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const rows = await tx
    .delete(notifications)
    .where(and(eq(notifications.taskId, taskId), inArray(notifications.userId, [...userIds])))
    .returning({ userId: notifications.userId })
  await tell(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** The same for tasks that go altogether, whoever had them. */
export async function removeOfTasks(tx: Db, taskIds: readonly string[]): Promise<void> {
  const rows = await tx
    .delete(notifications)
    .where(inArray(notifications.taskId, [...taskIds]))
    .returning({ userId: notifications.userId })
  await tell(
    tx,
    rows.map(({ userId }) => userId),
  )
}

/** As many tasks as are reminded of in one transaction. */
const batch = 500

/**
 * Writes one reminder for each assignee of each task whose moment has come, at most so many tasks; answers how many there were. A reminder of the
 * same task, assignee and moment is never written twice, whoever else does the same at the same time.
 */
export async function remindOfDue(scope: Scope): Promise<number> {
  return scope.db.transaction(async (tx) => {
    const now = scope.now().toISOString()
    const { rows } = await tx.execute<{ task_id: string; user_id: string | null }>(sql`
      with due as (
        select id from tasks
        where not notification_sent and status in ('pending', 'in_progress') and remind_at <= ${now}::timestamptz
        order by remind_at, id limit ${batch} for update skip locked
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
        on conflict (task_id, user_id, remind_at) do nothing
        returning task_id, user_id
      )
      select marked.id as task_id, written.user_id from marked left join written on written.task_id = marked.id`)
    await tell(
      tx,
      rows.map(({ user_id }) => user_id).filter((id) => id !== null),
    )
    return new Set(rows.map(({ task_id }) => task_id)).size
  })
}

/** What one is told by email: every kind, whether one has said so or not. */
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

/** Spec 6: whether someone has enabled being told of this by email. */
export async function wantsMail(db: Db, userId: string, notificationType: Preference): Promise<boolean> {
  const [row] = await db
    .select({ enabled: notificationRecipients.enabled })
    .from(notificationRecipients)
    .where(and(eq(notificationRecipients.userId, userId), eq(notificationRecipients.notificationType, notificationType)))
  return row?.enabled ?? false
}

/** Read ones are kept for so long. */
const keptDays = 90

export async function purgeOld(scope: Scope): Promise<void> {
  const before = new Date(scope.now().getTime() - keptDays * 24 * 3_600_000)
  await scope.db.delete(notifications).where(and(isNotNull(notifications.readAt), lt(notifications.createdAt, before)))
}
