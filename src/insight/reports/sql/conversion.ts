import { sql } from 'drizzle-orm'
import { countOf, days, medianOf, overTime, percentOf, type ReportSql, seconds } from './facts.ts'
import { counts, isSampled, joinSource, locationName, meets, procedureOfContact, source, wins, within } from './sql.ts'

const isBooked = sql`booked_at is not null`
const came = sql`type = 'consult' and status in ('arrived', 'completed')`
const consulted = sql`to_stage = (select id from funnel_stages where value = 'consult_done') and ${counts}`

export const conversion: ReportSql<'conversion'> = {
  facts: (asked) => sql`
    select 'contact' as kind, c.id, c.id as contact_id, consult.at, case when booked.at is null then 'Not booked' else 'Booked surgery' end as what,
      ${seconds(sql`booked.at`, sql`consult.at`)}::float8 as amount, 'seconds' as unit,
      case when booked.at is not null then greatest(booked.at, consult.at) end as booked_at,
      ${source} as source, ${procedureOfContact} as procedure, coalesce(visit.provider_id, c.assigned_provider_id)::text as provider
    from (
      select contact_id, min(at) as at from (
        select contact_id, starts_at as at from appointments where ${came} and ${isSampled(asked, sql`contact_id`)}
        union all
        select contact_id, changed_at from contact_stage_history where ${consulted} and ${isSampled(asked, sql`contact_id`)}
      ) as one
      group by contact_id
    ) as consult
    join contacts as c on c.id = consult.contact_id ${joinSource(asked)}
    left join lateral (
      select provider_id, room_id from appointments where contact_id = consult.contact_id and starts_at = consult.at and ${came} order by id limit 1
    ) as visit on true
    left join rooms on rooms.id = visit.room_id
    left join ${wins} as win on win.contact_id = consult.contact_id
    cross join lateral (
      select case
        when win.last is null then null
        when win.first >= date_trunc('day', consult.at, ${asked.timeZone}) then win.first
        when win.last >= date_trunc('day', consult.at, ${asked.timeZone}) then win.last
      end as at
    ) as booked
    where ${within(sql`consult.at`, asked)}
      and ${meets(asked, {
        user: sql`coalesce(visit.provider_id, c.assigned_provider_id)`,
        source,
        procedure: sql`c.procedure_of_interest`,
        location: locationName,
      })}`,
  draw: {
    most: 50_000,
    count: (asked) => sql`
      select (select count(*) from contact_stage_history where ${consulted} and ${within(sql`changed_at`, asked)} and ${isSampled(asked, sql`contact_id`)})
        + (select count(*) from appointments where ${came} and ${within(sql`starts_at`, asked)} and ${isSampled(asked, sql`contact_id`)}) as count`,
  },
  measures: {
    consulted: countOf(),
    booked: countOf(isBooked),
    rate: percentOf(isBooked),
    days: medianOf(days(sql`booked_at`, sql`at`), isBooked),
  },
  breakdowns: {
    time: overTime('fitting'),
    user: { key: sql`provider`, names: 'staff' },
    procedure: { key: sql`procedure`, names: 'procedure' },
    source: { key: sql`source`, names: 'text' },
  },
}
