import { sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { dueAt } from './rules.ts'

type LocalTime = { day: string; time: string | null }

/**
 * Moves open tasks to a new time zone of the practice: they stay due at the same local date and time. Due times are calculated as for new tasks
 * (rules.ts), once per date and time, and not in SQL: the database may have outdated time zone rules.
 */
export async function moveToTimeZone(tx: Db, timeZone: string): Promise<void> {
  const { rows } = await tx.execute<LocalTime>(sql`
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
