import { sql } from 'drizzle-orm'
import { countOf, overTime, percentOf, type ReportSql } from './facts.ts'
import { instant, meets, within } from './sql.ts'

const onTime = sql`state = 'onTime'`

/** A fact for each task and assignee. */
export const tasks: ReportSql<'tasks'> = {
  facts: (asked) => sql`
    select 'task' as kind, task.id, task.contact_id, task.due_at as at,
      task.title || case state when 'onTime' then ', on time' when 'late' then ', done late' when 'overdue' then ', overdue' else ', not due yet' end as what,
      null::float8 as amount, null::text as unit, state, assignee.profile_id::text as person
    from tasks as task join task_assignees as assignee on assignee.task_id = task.id
    cross join lateral (
      select case
        when task.completed_at <= task.due_at then 'onTime' when task.completed_at is not null then 'late'
        when task.due_at <= ${instant(asked.now)} then 'overdue' else 'open' end as state
    ) as outcome
    where ${within(sql`task.due_at`, asked)} and task.status <> 'cancelled' and ${meets(asked, { user: sql`assignee.profile_id` })}
      and ${
        asked.ownTasksOf === null
          ? sql`true`
          : sql`(task.created_by = ${asked.ownTasksOf}
              or exists (select from task_assignees as own where own.task_id = task.id and own.profile_id = ${asked.ownTasksOf}))`
      }`,
  measures: {
    tasks: countOf(),
    onTime: countOf(onTime),
    late: countOf(sql`state = 'late'`),
    overdue: countOf(sql`state = 'overdue'`),
    open: countOf(sql`state = 'open'`),
    rate: percentOf(onTime, sql`state <> 'open'`),
  },
  breakdowns: {
    user: { key: sql`person`, names: 'staff' },
    time: overTime('fitting'),
  },
}
