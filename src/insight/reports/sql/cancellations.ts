import { sql } from 'drizzle-orm'
import { typeNames } from '../../../care/appointments/rules.ts'
import { countOf, overTime, percentOf, type ReportSql } from './facts.ts'
import { joinSource, locationName, meets, source, within } from './sql.ts'

const cancelled = sql`state = 'cancelled'`
const lost = sql`state is not null`

const kindName = sql`case visit.type ${sql.join(
  Object.entries(typeNames).map(([type, name]) => sql`when ${type} then ${name}`),
  sql` `,
)} end`

export const cancellations: ReportSql<'cancellations'> = {
  facts: (asked) => sql`
    select booked.kind, booked.id, booked.contact_id, booked.at,
      booked.name || case booked.state when 'cancelled' then ', cancelled' when 'missed' then ', missed' when 'postponed' then ', postponed' else '' end as what,
      null::float8 as amount, null::text as unit, booked.state, booked.name, booked.reason, booked.provider_id::text as provider
    from (
      select 'appointment' as kind, visit.id, visit.contact_id, visit.starts_at as at, visit.provider_id, visit.room_id, ${kindName} as name,
        case visit.status when 'cancelled' then 'cancelled' when 'no_show' then 'missed' end as state, visit.cancel_reason as reason
      from appointments as visit where ${within(sql`visit.starts_at`, asked)}
      union all
      select 'surgery', surgery.id, surgery.contact_id, surgery.starts_at, surgery.surgeon_id, surgery.room_id, 'Surgery',
        case surgery.status when 'cancelled' then 'cancelled' when 'postponed' then 'postponed' end, surgery.cancel_reason
      from surgeries as surgery where ${within(sql`surgery.starts_at`, asked)}
    ) as booked
    join contacts as c on c.id = booked.contact_id ${joinSource(asked)} left join rooms on rooms.id = booked.room_id
    where ${meets(asked, { user: sql`booked.provider_id`, source, procedure: sql`c.procedure_of_interest`, location: locationName })}`,
  measures: {
    lost: countOf(lost),
    cancelled: countOf(cancelled),
    missed: countOf(sql`state = 'missed'`),
    postponed: countOf(sql`state = 'postponed'`),
    booked: countOf(),
    rate: percentOf(lost),
  },
  breakdowns: {
    time: overTime('fitting'),
    // The same words however they are typed.
    reason: {
      key: sql`case when state = 'cancelled' then lower(btrim(reason)) end`,
      names: 'freeText',
      words: sql`upper(left(btrim(reason), 1)) || substr(btrim(reason), 2)`,
      isPartial: true,
    },
    kind: { key: sql`name`, names: 'text' },
    user: { key: sql`provider`, names: 'staff' },
  },
}
