import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, timeOfDay } from '../../shared/dates.ts'
import { numberedPages } from '../../shared/page-lists.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { taskPriorities, taskStatuses, taskTypes } from './rules.ts'

/** The messages of spec 5, and our own. */
export const taskMessages = {
  title: 'Title is required',
  dueDate: 'Due date is required',
  duePast: 'Due date cannot be before today',
  timePast: 'Choose a time in the future',
  time: 'Time is required when time constraint is enabled',
  assignees: 'At least one assignee is required',
  noAssignee: 'An assignee is no longer on the staff',
  contact: 'Contact is required',
  noContact: 'This patient does not exist',
  twice: 'A task is listed twice',
} as const

/** How many tasks one call can change. */
const maxChanges = 500
/** How many people a task can be assigned to. */
const maxAssignees = 500
/** How many tasks the week view returns. */
const maxInWeek = 500
const pages = numberedPages({ limit: 50, max: 100 })

const distinct = (ids: readonly string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]
const assigneeIds = z
  .array(z.uuid(), { error: ({ input }) => (input === undefined ? taskMessages.assignees : undefined) })
  .min(1, taskMessages.assignees)
  .max(maxAssignees)
  .transform(distinct)
const dueDate = z.string({ error: taskMessages.dueDate }).min(1, taskMessages.dueDate).pipe(calendarDay)
/** An empty value from the form means no time. */
const dueTimeConstraint = z
  .string()
  .transform((time) => time || null)
  .pipe(timeOfDay.nullable())
  .nullable()

/** The fields of a task, validated for the form and imports. */
export const taskFields = z.strictObject({
  title: requiredLine(200, taskMessages.title),
  description: optionalText(5_000),
  type: z.enum(taskTypes),
  dueDate,
  hasTimeConstraint: z.boolean(),
  /** HH:MM in the practice's time zone; only with `hasTimeConstraint`. Default: 09:00 (spec 9), or see `adjustDue` in rules.ts. */
  dueTimeConstraint,
  priority: z.enum(taskPriorities),
  status: z.enum(taskStatuses),
  /** The first one is `assignedTo`. */
  assigneeIds,
  contactId: z.uuid().nullable(),
})

/** Requires a time if there is a time constraint, and clears it otherwise (spec 5). */
const withTime = <Given extends { hasTimeConstraint?: boolean | undefined; dueTimeConstraint?: string | null | undefined }>(
  task: Given,
  context: z.RefinementCtx<Given>,
) => {
  if (task.hasTimeConstraint && !task.dueTimeConstraint) {
    context.addIssue({ code: 'custom', path: ['dueTimeConstraint'], message: taskMessages.time })
  }
  return task.hasTimeConstraint === false ? { ...task, dueTimeConstraint: null } : task
}

/** The fields that the dialog sends: all of them. */
export const taskForm = taskFields.transform(withTime)
export type TaskForm = z.output<typeof taskForm>

const newTask = taskFields
  .extend({
    description: taskFields.shape.description.default(null),
    type: taskFields.shape.type.default('Other'),
    hasTimeConstraint: taskFields.shape.hasTimeConstraint.default(false),
    dueTimeConstraint: taskFields.shape.dueTimeConstraint.default(null),
    priority: taskFields.shape.priority.default('medium'),
    status: taskFields.shape.status.default('pending'),
    contactId: taskFields.shape.contactId.default(null),
  })
  .transform(withTime)
export type NewTask = z.output<typeof newTask>

const changedTask = taskFields
  .partial()
  .extend({ id: z.uuid(), version: z.number().int().min(1) })
  .transform(withTime)
export type ChangedTask = z.output<typeof changedTask>

const person = z.object({ id: z.uuid(), email: z.string(), fullName: z.string(), firstName: z.string(), lastName: z.string() })
export type TaskPerson = z.output<typeof person>

/** A stored task with the patient and the people it concerns (spec 3, 7). */
const task = z.object({
  id: z.uuid(),
  /** Incremented by every change. */
  version: z.number().int(),
  title: z.string(),
  description: z.string().nullable(),
  type: z.enum(taskTypes),
  priority: z.enum(taskPriorities),
  status: z.enum(taskStatuses),
  dueDate: z.string(),
  dueTimeConstraint: z.string().nullable(),
  /** The instant of the due date and time, or 09:00, in the practice's time zone. */
  dueAt: z.date(),
  snoozedUntil: z.date().nullable().describe('When the last snooze ends or ended; there are no reminders before'),
  notificationSent: z.boolean(),
  completed: z.boolean(),
  completedAt: z.date().nullable(),
  contactId: z.uuid().nullable(),
  contact: z
    .object({ id: z.uuid(), firstName: z.string(), lastName: z.string(), email: z.string().nullable(), phone: z.string().nullable() })
    .nullable(),
  assignedTo: z.uuid(),
  /** In the order of selection; the first one is `assignedTo`. */
  assignees: z.array(person),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})
export type Task = z.output<typeof task>

/** The tabs of the task list. */
export const taskDues = ['open', 'overdue', 'today', 'upcoming', 'done'] as const
export type TaskDue = (typeof taskDues)[number]
export const taskSorts = ['due', 'due-last', 'priority', 'newest', 'title'] as const
export type TaskSort = (typeof taskSorts)[number]

const filters = z.strictObject({
  /** `everyone` includes all tasks for roles that see them; others still get only their own. */
  show: z.enum(['mine', 'everyone']).default('mine'),
  assigneeId: z.uuid().optional(),
  type: z.enum(taskTypes).optional(),
  priority: z.enum(taskPriorities).optional(),
  contactId: z.uuid().optional(),
})
export type TaskFilters = z.output<typeof filters>

export const taskListInput = filters.extend({
  due: z.enum(taskDues).default('open'),
  sort: z.enum(taskSorts).default('due'),
  ...pages.input,
})
export type TaskListInput = z.output<typeof taskListInput>

/** The change to one task in a bulk change. */
const bulkTaskChange = z.strictObject({
  id: z.uuid(),
  status: z.enum(taskStatuses).optional(),
  assigneeIds: assigneeIds.optional(),
  dueDate: calendarDay.optional(),
})
export type BulkTaskChange = z.output<typeof bulkTaskChange>
const areDistinct = (changes: BulkTaskChange[]) => new Set(changes.map(({ id }) => id.toLowerCase())).size === changes.length

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Tasks']
const notFound = { NOT_FOUND: { status: 404, message: 'This task does not exist' } } as const
const invalid = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const

export const tasksContract = {
  list: oc
    .route({ method: 'GET', path: '/tasks', tags, summary: 'List the tasks that you may see' })
    .input(taskListInput)
    .output(pages.output(task)),
  counts: oc
    .route({ method: 'GET', path: '/tasks/counts', tags, summary: 'Count tasks by tab' })
    .input(filters)
    .output(z.object(Object.fromEntries(taskDues.map((due) => [due, z.number().int()])) as Record<TaskDue, z.ZodInt>)),
  week: oc
    .route({ method: 'GET', path: '/tasks/week', tags, summary: 'List the tasks of seven days by due time' })
    .input(filters.extend({ from: calendarDay }))
    .output(z.object({ data: z.array(task), total: z.number().int().describe(`data contains at most ${maxInWeek} of them`) })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/tasks', tags, summary: "List a patient's tasks by due date" })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: taskMessages.noContact } })
    .output(z.array(task)),
  assignable: oc
    .route({ method: 'GET', path: '/tasks/assignable', tags, summary: 'List the staff that tasks can be assigned to (spec 6)' })
    .output(z.array(person)),
  get: oc.route({ method: 'GET', path: '/tasks/{id}', tags, summary: 'Get a task' }).input(byId).errors(notFound).output(task),
  create: oc
    .route({
      method: 'POST',
      path: '/tasks',
      tags,
      summary:
        'Create a task. Without a time it is due at 09:00, or at the next full hour if that has passed. Assignees who opted in are emailed',
    })
    .input(newTask)
    .errors(invalid)
    .output(task),
  update: oc
    .route({ method: 'PATCH', path: '/tasks/{id}', tags, summary: 'Change a task' })
    .input(changedTask)
    .errors({
      ...notFound,
      ...invalid,
      CONFLICT: { status: 409, message: 'Someone else has changed this task', data: z.object({ current: task }) },
    })
    .output(task),
  delete: oc.route({ method: 'DELETE', path: '/tasks/{id}', tags, summary: 'Delete a task permanently' }).input(byId).errors(notFound),
  complete: oc
    .route({ method: 'POST', path: '/tasks/{id}/complete', tags, summary: 'Complete a task and mark its reminders as read (idempotent)' })
    .input(byId)
    .errors(notFound)
    .output(z.object({ task, undo: z.uuid().nullable().describe('For tasks.undo; null if it was already completed') })),
  snooze: oc
    .route({ method: 'POST', path: '/tasks/{id}/snooze', tags, summary: 'Snooze a task (spec 4)' })
    .input(byId.extend({ minutes: z.number().int().min(1).max(1440).default(15) }))
    .errors({ ...notFound, NOT_OPEN: { status: 409, message: 'This task is done' } })
    .output(task),
  changeMany: oc
    .route({ method: 'PATCH', path: '/tasks', tags, summary: `Change up to ${maxChanges} tasks at once, all or none` })
    .input(z.strictObject({ changes: z.array(bulkTaskChange).min(1).max(maxChanges).refine(areDistinct, taskMessages.twice) }))
    .errors(invalid)
    .output(
      z.object({
        changed: z.number().int(),
        /** Tasks that no longer exist or are not visible to you. */
        missing: z.array(z.uuid()),
        undo: z.uuid().nullable().describe('For tasks.undo; null if nothing was changed'),
      }),
    ),
  undo: oc
    .route({
      method: 'POST',
      path: '/tasks/changes/{id}/undo',
      tags,
      summary: 'Undo your own bulk change or completion of tasks within 24 hours, except for tasks changed since',
    })
    .input(byId)
    .errors({ NOT_FOUND: { status: 404, message: 'This can no longer be undone' } })
    .output(z.object({ undone: z.number().int(), kept: z.number().int() })),
}

export const weekLimit = maxInWeek
