import { sql } from 'drizzle-orm'
import { countOf, overTime, percentOf, type ReportSql } from './facts.ts'
import { instant, joinSource, locationName, meets, procedureOfContact, source, within } from './sql.ts'

const shown = sql`state = 'shown'`
const missed = sql`state = 'missed'`

export const consults: ReportSql<'consults'> = {
  facts: (asked) => sql`
    select 'appointment' as kind, visit.id, visit.contact_id, visit.starts_at as at, state.what, null::float8 as amount, null::text as unit,
      state.state, ${source} as source, ${procedureOfContact} as procedure, visit.provider_id::text as provider
    from appointments as visit join contacts as c on c.id = visit.contact_id ${joinSource(asked)} left join rooms on rooms.id = visit.room_id
    cross join lateral (
      select case
        when visit.status in ('arrived', 'completed') then 'shown' when visit.status = 'no_show' then 'missed'
        when visit.status = 'cancelled' then 'cancelled' when visit.starts_at > ${instant(asked.now)} then 'coming' else 'open' end,
      case
        when visit.status in ('arrived', 'completed') then 'Attended' when visit.status = 'no_show' then 'No-show'
        when visit.status = 'cancelled' then 'Cancelled' when visit.starts_at > ${instant(asked.now)} then 'Upcoming' else 'Outcome not recorded' end
    ) as state (state, what)
    where visit.type = 'consult' and ${within(sql`visit.starts_at`, asked)}
      and ${meets(asked, { user: sql`visit.provider_id`, source, procedure: sql`c.procedure_of_interest`, location: locationName })}`,
  measures: {
    consults: countOf(),
    shown: countOf(shown),
    missed: countOf(missed),
    cancelled: countOf(sql`state = 'cancelled'`),
    open: countOf(sql`state = 'open'`),
    rate: percentOf(shown, sql`state in ('shown', 'missed')`),
  },
  breakdowns: {
    time: overTime('fitting'),
    user: { key: sql`provider`, names: 'staff' },
    source: { key: sql`source`, names: 'text' },
  },
}
