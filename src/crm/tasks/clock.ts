import { sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { dueAt } from './rules.ts'

type Moment = { day: string; time: string | null }

/**
 * The practice's clock is another one from now on: tasks that are open are due at the same time of the same day on it. When that is, is worked
 * out as for any task (rules.ts), once for each day and time: the database's knowledge of clocks may be of another year.
 */
export async function moveWithClock(tx: Db, timeZone: string): Promise<void> {
  const { rows } = await tx.execute<Moment>(sql`
    select distinct due_date::text as day, due_time_constraint as time from tasks where status in ('pending', 'in_progress')`)
  const moments = rows.map(({ day, time }) => ({
    day,
    time,
    at: dueAt({ dueDate: day, dueTimeConstraint: time }, timeZone).toISOString(),
  }))
  await tx.execute(sql`
    update tasks set due_at = moment.at, remind_at = case when remind_at = due_at then moment.at else remind_at end
    from jsonb_to_recordset(${JSON.stringify(moments)}::jsonb) as moment(day date, time text, at timestamptz)
    where status in ('pending', 'in_progress') and due_date = moment.day and due_time_constraint is not distinct from moment.time`)
}
