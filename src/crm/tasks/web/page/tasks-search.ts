import type { TaskDue, TaskSort } from '../../contract.ts'
import { type TaskPriority, taskPriorities, type TaskType, taskTypes } from '../../rules.ts'

/** The state of the page in the URL, for sharing and the back button. Defaults are omitted. */
export interface TasksSearch {
  show?: 'everyone'
  due?: TaskDue
  assignee?: string
  type?: TaskType
  priority?: TaskPriority
  patient?: string
  sort?: TaskSort
  page?: number
  /** The week view instead of the list, and its first day. */
  view?: 'week'
  from?: string
  /** The task linked from an email; its dialog opens. */
  task?: string
}

export const dueLabels: Record<TaskDue, string> = {
  overdue: 'Overdue',
  today: 'Today',
  upcoming: 'Upcoming',
  open: 'All open',
  done: 'Done',
}
export const sortLabels: Record<TaskSort, string> = {
  due: 'Due date (earliest)',
  'due-last': 'Due date (latest)',
  priority: 'Priority',
  newest: 'Newest first',
  title: 'Title, A to Z',
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Validates the search parameters. Invalid ones are set to undefined explicitly, because the router would keep omitted ones as they are.
 */
export function readTasksSearch(from: Record<string, unknown>): TasksSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]) : '')
  const id = (key: string) => (uuid.test(text(key)) ? text(key) : undefined)
  const known = <Value extends string>(key: string, values: readonly Value[]) => values.find((value) => value === text(key))
  const due = known('due', Object.keys(dueLabels) as TaskDue[])
  const sort = known('sort', Object.keys(sortLabels) as TaskSort[])
  const page = /^\d{1,5}$/.test(text('page')) ? Number(text('page')) : 1
  return {
    show: text('show') === 'everyone' ? 'everyone' : undefined,
    due: due === 'open' ? undefined : due,
    assignee: id('assignee'),
    type: known('type', taskTypes),
    priority: known('priority', taskPriorities),
    patient: id('patient'),
    sort: sort === sortOf({ due }) ? undefined : sort,
    page: page > 1 ? page : undefined,
    view: text('view') === 'week' ? 'week' : undefined,
    from: isDay(text('from')) ? text('from') : undefined,
    task: id('task'),
  }
}

/** Whether the text is a calendar day. Date.parse alone would accept February 30 as a day in March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The sort order; completed tasks are sorted by latest due date by default. */
export const sortOf = ({ sort, due }: TasksSearch): TaskSort => sort ?? (due === 'done' ? 'due-last' : 'due')

/** The filters of the API call. */
export function filtersOf({ show, assignee, type, priority, patient }: TasksSearch) {
  return { show: show ?? ('mine' as const), assigneeId: assignee, type, priority, contactId: patient }
}

export const isFiltered = ({ assignee, type, priority, patient }: TasksSearch): boolean => Boolean(assignee ?? type ?? priority ?? patient)
