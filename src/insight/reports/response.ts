import { sql } from 'drizzle-orm'
import { countOf, medianOf, percentOf, type ReportSql, seconds } from './sql/facts.ts'
import { isSampled, joinSource, meets, source, within } from './sql/sql.ts'

const minute = 60
/** Upper limit in seconds, and its label. */
const bands: readonly [number, string][] = [
  [5 * minute, 'Under 5 minutes'],
  [30 * minute, '5 to 30 minutes'],
  [60 * minute, '30 to 60 minutes'],
  [4 * 60 * minute, '1 to 4 hours'],
  [24 * 60 * minute, '4 to 24 hours'],
  [Number.MAX_SAFE_INTEGER, 'Over a day'],
]
const notYet = 'Not answered yet'

const isWaiting = sql`amount is null`
const isAnswered = sql`amount is not null`

const isLead = sql`(c.import_source is null or c.import_source not like 'Import: %')`

/** Must match the indexes interactions_answers and contacts_arrived exactly, like the dashboard's. */
export const response: ReportSql<'response'> = {
  facts: (asked) => sql`
    select 'contact' as kind, c.id, c.id as contact_id, c.created_at as at,
      case when answer.date is null then ${notYet} else 'Answered' end as what,
      ${seconds(sql`answer.date`, sql`c.created_at`)}::float8 as amount, 'seconds' as unit, ${source} as source, c.assigned_sales_rep_id::text as rep
    from contacts as c ${joinSource(asked)}
    left join lateral (
      select date from interactions
      where contact_id = c.id and date >= c.created_at and created_by is not null
        and type in ('call', 'email', 'meeting', 'stage_change', 'stage_changed', 'consult_booked', 'surgery_booked')
      order by date limit 1
    ) as answer on true
    where ${within(sql`c.created_at`, asked)} and ${isLead} and ${isSampled(asked, sql`c.id`)}
      and ${meets(asked, { user: sql`c.assigned_sales_rep_id`, source, procedure: sql`c.procedure_of_interest` })}`,
  draw: {
    most: 50_000,
    count: (asked) =>
      sql`select count(*) from contacts as c where ${isSampled(asked, sql`c.id`)} and ${within(sql`c.created_at`, asked)} and ${isLead}`,
  },
  measures: {
    leads: countOf(),
    median: medianOf(sql`amount`, isAnswered),
    quick: percentOf(sql`amount <= ${60 * minute}`),
    sameDay: percentOf(sql`amount <= ${24 * 60 * minute}`),
    waiting: countOf(isWaiting),
  },
  breakdowns: {
    band: {
      key: sql`case when amount is null then ${notYet} ${sql.join(
        bands.map(([most, name]) => sql`when amount < ${most} then ${name}`),
        sql` `,
      )} end`,
      names: 'text',
      all: [...bands.map(([, name]) => name), notYet],
    },
    user: { key: sql`rep`, names: 'staff' },
    source: { key: sql`source`, names: 'text' },
  },
}
