import type { TaskDue, TaskSort } from '../../contract.ts'
import { type TaskPriority, taskPriorities, type TaskType, taskTypes } from '../../rules.ts'

/** What the page shows, as it stands in the address: shareable, and where the back button leads to. Defaults are left out. */
export interface TasksSearch {
  whose?: 'everyone'
  due?: TaskDue
  assignee?: string
  type?: TaskType
  priority?: TaskPriority
  patient?: string
  sort?: TaskSort
  page?: number
  /** A week rather than the list, and its first day. */
  view?: 'week'
  from?: string
  /** The task that a mail leads to: its dialog opens. */
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
  'due-last': 'Due last',
  priority: 'Priority',
  newest: 'Newest first',
  title: 'Title, A to Z',
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address that anyone may have typed. What makes no sense is said to be undefined: the router would take it as it stands. */
export function readTasksSearch(from: Record<string, unknown>): TasksSearch {
  const text = (key: string) => (typeof from[key] === 'string' || typeof from[key] === 'number' ? String(from[key]) : '')
  const id = (key: string) => (uuid.test(text(key)) ? text(key) : undefined)
  const known = <Value extends string>(key: string, values: readonly Value[]) => values.find((value) => value === text(key))
  const due = known('due', Object.keys(dueLabels) as TaskDue[])
  const sort = known('sort', Object.keys(sortLabels) as TaskSort[])
  const page = /^\d{1,5}$/.test(text('page')) ? Number(text('page')) : 1
  return {
    whose: text('whose') === 'everyone' ? 'everyone' : undefined,
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

/** JavaScript takes February 30 for a day of March. */
function isDay(text: string): boolean {
  const at = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Of what is done, what was due last comes first. */
export const sortOf = ({ sort, due }: TasksSearch): TaskSort => sort ?? (due === 'done' ? 'due-last' : 'due')

/** What the API is asked for. */
export function filtersOf({ whose, assignee, type, priority, patient }: TasksSearch) {
  return { whose: whose ?? ('mine' as const), assigneeId: assignee, type, priority, contactId: patient }
}

export const isFiltered = ({ assignee, type, priority, patient }: TasksSearch): boolean => Boolean(assignee ?? type ?? priority ?? patient)
