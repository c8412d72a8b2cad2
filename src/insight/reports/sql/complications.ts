import { sql } from 'drizzle-orm'
import { countOf, overTime, rateOf, type ReportSql, wilsonLimit } from './facts.ts'
import { locationName, meets, within } from './sql.ts'

const infected = sql`infected`
const returned = sql`returned`
const mainProcedure = sql`(surgery.procedures->0->>'id')`

const has = (kind: string) => sql`exists (
  select from adverse_events as event where event.surgery_id = surgery.id and event.kind = ${kind} and event.voided_at is null)`

export const complications: ReportSql<'complications'> = {
  facts: (asked) => sql`
    select 'surgery' as kind, done.id, done.contact_id, done.at,
      concat_ws(', ', done.name, case when infected then 'infection' end, case when returned then 'returned' end) as what,
      null::float8 as amount, null::text as unit, done.infected, done.returned, done.surgeon, done.procedure
    from (
      select surgery.id, surgery.contact_id, surgery.starts_at as at, surgery.procedures->0->>'name' as name, surgery.surgeon_id::text as surgeon,
        ${mainProcedure} as procedure, ${has('infection')} as infected, ${has('return_to_theatre')} as returned
      from surgeries as surgery left join rooms on rooms.id = surgery.room_id
      where surgery.status = 'completed' and ${within(sql`surgery.starts_at`, asked)}
        and ${meets(asked, { user: sql`surgery.surgeon_id`, procedure: mainProcedure, location: locationName })}
    ) as done`,
  measures: {
    surgeries: countOf(),
    infections: countOf(infected),
    infectionRate: rateOf(infected),
    infectionLow: wilsonLimit(infected, 'low'),
    infectionHigh: wilsonLimit(infected, 'high'),
    returns: countOf(returned),
    returnRate: rateOf(returned),
    returnLow: wilsonLimit(returned, 'low'),
    returnHigh: wilsonLimit(returned, 'high'),
  },
  breakdowns: {
    quarter: overTime('quarter'),
    user: { key: sql`surgeon`, names: 'staff' },
    procedure: { key: sql`procedure`, names: 'procedure' },
  },
}
