import { and, asc, desc, eq, exists, gte, inArray, lt, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { numberedPage } from '../../shared/page-lists.ts'
import { beginningOf, daysLater } from '../../shared/zoned-time.ts'
import { listPeople } from '../../platform/auth/service.ts'
import { profiles } from '../../platform/auth/table.ts'
import { readOfPatient } from '../contacts/service.ts'
import { contacts } from '../contacts/table.ts'
import {
  type Task,
  type TaskDue,
  type TaskFilters,
  taskDues,
  type TaskListInput,
  type TaskPerson,
  type TaskSort,
  weekLimit,
} from './contract.ts'
import { isAssignable, seesAllTasks } from './policy.ts'
import { todaysBounds } from './rules.ts'
import { snoozeEnd, taskAssignees, tasks } from './table.ts'

const assignees = sql<TaskPerson[]>`(
  select coalesce(json_agg(json_build_object('id', person.id, 'email', person.email, 'fullName', person.full_name,
    'firstName', person.first_name, 'lastName', person.last_name) order by assignee.position), '[]')
  from ${taskAssignees} as assignee join ${profiles} as person on person.id = assignee.profile_id
  where assignee.task_id = ${tasks.id})`

const columns = {
  id: tasks.id,
  version: tasks.version,
  title: tasks.title,
  description: tasks.description,
  type: tasks.type,
  priority: tasks.priority,
  status: tasks.status,
  dueDate: tasks.dueDate,
  dueTimeConstraint: tasks.dueTimeConstraint,
  dueAt: tasks.dueAt,
  snoozedUntil: snoozeEnd,
  notificationSent: tasks.notificationSent,
  completed: tasks.completed,
  completedAt: tasks.completedAt,
  contactId: tasks.contactId,
  contact: {
    id: contacts.id,
    firstName: contacts.firstName,
    lastName: contacts.lastName,
    email: contacts.email,
    phone: contacts.phone,
  },
  assignedTo: tasks.assignedTo,
  assignees,
  createdBy: tasks.createdBy,
  createdAt: tasks.createdAt,
}

/** Selects tasks with their patient and assignees (spec 7). */
const select = (db: Db, condition: SQL | undefined) =>
  db.select(columns).from(tasks).leftJoin(contacts, eq(contacts.id, tasks.contactId)).where(condition)

const isAssignedTo = (db: Db, profileId: string): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(taskAssignees)
      .where(and(eq(taskAssignees.taskId, tasks.id), eq(taskAssignees.profileId, profileId))),
  )

/** Limits tasks to those that the actor may see (spec 6). */
const isVisible = (scope: Scope, db: Db = scope.db): SQL | undefined =>
  seesAllTasks(scope.actor) ? undefined : isAssignedTo(db, staff(scope).id)

const open = inArray(tasks.status, ['pending', 'in_progress'])
const done = notInArray(tasks.status, ['pending', 'in_progress'])

function isInTab(due: TaskDue, now: Date, timeZone: string): SQL | undefined {
  const today = todaysBounds(now, timeZone)
  switch (due) {
    case 'open':
      return open
    case 'overdue':
      return and(open, lte(tasks.dueAt, now))
    case 'today':
      return and(open, gte(tasks.dueAt, today.from), lt(tasks.dueAt, today.to))
    case 'upcoming':
      return and(open, gte(tasks.dueAt, today.to))
    case 'done':
      return done
  }
}

function matches(scope: Scope, { show, assigneeId, type, priority, contactId }: TaskFilters): SQL | undefined {
  return and(
    isVisible(scope),
    show === 'mine' ? isAssignedTo(scope.db, staff(scope).id) : undefined,
    assigneeId ? isAssignedTo(scope.db, assigneeId) : undefined,
    type ? eq(tasks.type, type) : undefined,
    priority ? eq(tasks.priority, priority) : undefined,
    contactId ? eq(tasks.contactId, contactId) : undefined,
  )
}

const byDue = [asc(tasks.dueAt), asc(tasks.id)]
const orders: Record<TaskSort, SQL[]> = {
  due: byDue,
  'due-last': [desc(tasks.dueAt), desc(tasks.id)],
  priority: [sql`array_position(array['high', 'medium', 'low'], ${tasks.priority})`, ...byDue],
  newest: [desc(tasks.createdAt), desc(tasks.id)],
  title: [asc(sql`fold(${tasks.title})`), ...byDue],
}

/** A page of the tasks that the actor may see, and their number. */
export async function listTasks(scope: Scope, { due, sort, page, limit, ...filters }: TaskListInput) {
  const condition = and(matches(scope, filters), isInTab(due, scope.now(), scope.env.PRACTICE_TIME_ZONE))
  const [data, [counted]] = await Promise.all([
    select(scope.db, condition)
      .orderBy(...orders[sort])
      .limit(limit)
      .offset((page - 1) * limit),
    scope.db
      .select({ total: sql<number>`count(*)::int` })
      .from(tasks)
      .where(condition),
  ])
  await recordPatientViews(scope, data)
  return numberedPage({ data, total: counted!.total }, { page, limit })
}

/** Counts the tasks of each tab in one query. */
export async function countTasks(scope: Scope, filters: TaskFilters): Promise<Record<TaskDue, number>> {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const counts = Object.fromEntries(
    taskDues.map((due) => [due, sql<number>`(count(*) filter (where ${isInTab(due, scope.now(), zone)}))::int`]),
  ) as Record<TaskDue, SQL<number>>
  const [row] = await scope.db.select(counts).from(tasks).where(matches(scope, filters))
  return row!
}

/** The tasks due on seven days, including completed ones. */
export async function weekOfTasks(scope: Scope, { from, ...filters }: TaskFilters & { from: string }) {
  const { PRACTICE_TIME_ZONE: zone } = scope.env
  const condition = and(
    matches(scope, filters),
    gte(tasks.dueAt, beginningOf(from, zone)),
    lt(tasks.dueAt, beginningOf(daysLater(from, 7), zone)),
  )
  const [data, [counted]] = await Promise.all([
    select(scope.db, condition)
      .orderBy(...byDue)
      .limit(weekLimit),
    scope.db
      .select({ total: sql<number>`count(*)::int` })
      .from(tasks)
      .where(condition),
  ])
  await recordPatientViews(scope, data)
  return { data, total: counted!.total }
}

/** A patient's tasks that the actor may see, by due date (spec 7). Null: the patient does not exist. */
export async function tasksOfContact(scope: Scope, contactId: string): Promise<Task[] | null> {
  const read = select(scope.db, and(eq(tasks.contactId, contactId), isVisible(scope))).orderBy(...byDue)
  return readOfPatient(scope, 'task', contactId, read)
}

/** One task. Null: it does not exist or the actor may not see it. */
export async function getTask(scope: Scope, id: string, db: Db = scope.db): Promise<Task | null> {
  const [row] = await select(db, and(eq(tasks.id, id), isVisible(scope, db)))
  return row ?? null
}

export async function viewTask(scope: Scope, id: string): Promise<Task | null> {
  const task = await getTask(scope, id)
  if (task) await recordPatientViews(scope, [task])
  return task
}

async function recordPatientViews(scope: Scope, rows: readonly { contactId: string | null }[]): Promise<void> {
  const contactIds = [...new Set(rows.map(({ contactId }) => contactId).filter((id) => id !== null))]
  if (contactIds.length > 0) await scope.recordView({ kind: 'task', contactIds })
}

/** The staff that tasks can be assigned to, by name (spec 6). */
export async function assignablePeople(scope: Scope, db: Db = scope.db) {
  const people = await listPeople(db)
  return people
    .filter((person) => isAssignable(person, scope.env.COMPANY_DOMAINS))
    .map(({ name, ...person }) => ({ ...person, fullName: name }))
}
