import type pg from 'pg'
import { figuresQuery } from '../../src/insight/dashboard/figures.ts'

const recent = `
  select interactions.id, interactions.type, description, date, interactions.metadata, contacts.id as "contactId", first_name, last_name
  from interactions join contacts on contacts.id = contact_id
  order by date desc, interactions.id desc limit 20`

const isLate = `tasks.status in ('pending', 'in_progress') and due_at <= $1`
const late = `
  select tasks.id, tasks.title, tasks.type, due_at, contacts.id as "contactId", first_name, last_name
  from tasks left join contacts on contacts.id = contact_id where ${isLate} order by due_at, tasks.id limit 50`
const lateCount = `select count(*)::int as total from tasks where ${isLate}`

type Row = Record<string, unknown>

/** An administrator's dashboard: the product's own query for the figures, plus overdue tasks and recent activity. */
export async function dashboard(pool: pg.Pool): Promise<unknown> {
  const now = new Date()
  const [figures, activity, tasks, count] = await Promise.all([
    pool.query<Row>(figuresQuery(now, 'America/Toronto')),
    pool.query<Row>({ name: 'recent', text: recent, values: [] }),
    pool.query<Row>({ name: 'late', text: late, values: [now] }),
    pool.query<{ total: number }>({ name: 'late-count', text: lateCount, values: [now] }),
  ])
  return { ...figures.rows[0], activity: activity.rows, overdue: { total: count.rows[0]!.total, data: tasks.rows } }
}
