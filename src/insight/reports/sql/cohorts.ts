import { sql } from 'drizzle-orm'
import { countOf, days, medianOf, overTime, percentOf, type ReportSql, seconds } from './facts.ts'
import { joinSourceToFilter, meets, source, wins, within } from './sql.ts'

const isBooked = sql`booked_at is not null`
const bookedIn = (most: number) => percentOf(sql`booked_at < at + make_interval(days => ${most})`)

/** A patient imported into a won stage has no move to it. After a merge there may be moves from before the patient was added. */
const bookedAt = sql`case when coalesce(win.first, case when stage.kind = 'won' then c.stage_entered_at end) is not null
  then greatest(c.created_at, coalesce(win.first, c.stage_entered_at)) end`

export const cohorts: ReportSql<'cohorts'> = {
  facts: (asked) => sql`
    select 'contact' as kind, c.id, c.id as contact_id, c.created_at as at,
      case when ${bookedAt} is null then 'Not booked' else 'Booked surgery' end as what,
      ${seconds(bookedAt, sql`c.created_at`)}::float8 as amount, 'seconds' as unit, ${bookedAt} as booked_at
    from contacts as c join funnel_stages as stage on stage.id = c.funnel_stage ${joinSourceToFilter(asked)}
    left join ${wins} as win on win.contact_id = c.id
    where ${within(sql`c.created_at`, asked)}
      and ${meets(asked, { user: sql`c.assigned_sales_rep_id`, source, procedure: sql`c.procedure_of_interest` })}`,
  measures: {
    leads: countOf(),
    d30: bookedIn(30),
    d90: bookedIn(90),
    d180: bookedIn(180),
    booked: countOf(isBooked),
    rate: percentOf(isBooked),
    days: medianOf(days(sql`booked_at`, sql`at`), isBooked),
  },
  breakdowns: { month: overTime('month') },
}
