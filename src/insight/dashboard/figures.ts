import { beginningOf, dayAt } from '../../shared/zoned-time.ts'
import type { FunnelStage } from '../../crm/pipeline/contract.ts'
import { month, periodsUntil, type RawSourceCount } from './rules.ts'

/**
 * Medians use a sample of about this many per period, drawn by a random number in 256 parts, of which only as many are read as needed.
 * This keeps a year with a million leads as fast as any, and long-waiting leads get their proportional weight.
 */
const [maxLeads, maxMoves] = [1_000, 2_000]
const parts = 256
/** Number of parts used to estimate how many records a period has. */
const sampleParts = 4
const partsFor = (counted: string, most: number): string =>
  `greatest(1, least(${parts}, ceil(${most * sampleParts} / greatest(1.0, ${counted}))))::int`

/** Must match the index contacts_arrived. */
const arrived = `(import_source is null or import_source not like 'Import: %')`

/*
 * Every dashboard figure in one statement. Counts sum stored totals (decision "dashboard"); medians use covering indexes and read no
 * further than the two periods. `offset 0` and `limit` keep the planner from reading all patients instead of the sampled few. $1 time
 * zone, $2 start of the previous period, $3 start of the period, $4 its end, $5 start of the previous week, $6 start of the week.
 */
const text = `
with recent as materialized (
  select since, procedure_of_interest as procedure, kind = 'won' as is_won, sum(change)::int as count
  from contact_day_counts join funnel_stages on funnel_stages.id = funnel_stage
  group by 1, 2, 3
),
period (name, first, next) as (values ('now', $3::timestamptz, $4::timestamptz), ('before', $2::timestamptz, $3::timestamptz)),
draw as materialized (
  select period.*, leads.parts as lead_parts, moves.parts as move_parts
  from period
  cross join lateral (
    select ${partsFor('count(*)', maxLeads)} as parts from contacts
    where get_byte(uuid_send(id), 15) < ${sampleParts} and created_at >= first and created_at < next and ${arrived}
  ) as leads
  cross join lateral (
    select ${partsFor('count(*)', maxMoves)} as parts from contact_stage_history
    where get_byte(uuid_send(id), 15) < ${sampleParts} and changed_at >= first and changed_at < next and from_entered_at is not null
  ) as moves
),
lead as materialized (
  select name, lead.* from draw
  cross join generate_series(0, lead_parts - 1) as part
  cross join lateral (
    select id, created_at from contacts
    where get_byte(uuid_send(id), 15) = part and created_at >= first and created_at < next and ${arrived} offset 0
  ) as lead
  limit ${4 * maxLeads}
),
answered as (
  select name, percentile_cont(0.5) within group (order by seconds) as seconds, count(seconds)::int as of
  from lead
  left join lateral (
    select extract(epoch from date - lead.created_at)::float8 as seconds from interactions
    where contact_id = lead.id and date >= lead.created_at and created_by is not null
      and type in ('call', 'email', 'meeting', 'stage_change', 'stage_changed', 'consult_booked', 'surgery_booked')
    order by date limit 1
  ) as answer on true
  group by name
),
move as materialized (
  select name, move.* from draw
  cross join generate_series(0, move_parts - 1) as part
  cross join lateral (
    select contact_id, from_stage, to_stage, changed_at, from_entered_at from contact_stage_history
    where get_byte(uuid_send(id), 15) = part and changed_at >= first and changed_at < next and from_entered_at is not null offset 0
  ) as move
  limit ${4 * maxMoves}
),
stayed as materialized (
  select name, from_stage, percentile_cont(0.5) within group (order by extract(epoch from changed_at - from_entered_at)::float8) as seconds,
    count(*)::int as of
  from move where changed_at >= from_entered_at group by name, from_stage
),
consulted as (
  select name, percentile_cont(0.5) within group (order by extract(epoch from changed_at - created_at)::float8) as seconds, count(*)::int as of
  from move
  cross join lateral (
    select created_at from contacts
    where id = contact_id and created_at <= changed_at and not exists (
      select from contact_stage_history as earlier
      where earlier.contact_id = move.contact_id and earlier.changed_at < move.changed_at and earlier.to_stage = move.to_stage
    )
    limit 1
  ) as patient
  where to_stage = (select id from funnel_stages where value = 'consult_booked')
  group by name
)
select
  (select json_build_object(
    'week', coalesce(sum(count) filter (where since >= $6 and since < $4), 0), 'weekBefore', coalesce(sum(count) filter (where since >= $5 and since < $6), 0),
    'month', coalesce(sum(count) filter (where since >= $3 and since < $4), 0), 'monthBefore', coalesce(sum(count) filter (where since >= $2 and since < $3), 0),
    'total', coalesce(sum(count), 0)) from recent) as leads,
  (select min(created_at) from contacts) as since,
  (select json_agg(coalesce(count, 0) order by date)
    from generate_series($3::timestamptz at time zone $1, $3::timestamptz at time zone $1 + interval '${month - 1} days', '1 day') as date
    left join (
      select date_trunc('day', since, $1) as day, sum(count) as count from recent where since >= $3 group by 1
    ) as one on one.day = date at time zone $1) as "perDay",
  (select json_object_agg(name, json_build_object('seconds', seconds, 'of', of)) from answered) as "firstResponse",
  (select json_object_agg(name, json_build_object('seconds', seconds, 'of', of)) from consulted) as "leadToConsult",
  (select coalesce(json_agg(one), '[]') from (
    select coalesce(name, lead_source_text) as source, sum(change)::int as count
    from contact_source_counts left join lead_sources on lead_sources.id = lead_source group by 1
  ) as one) as sources,
  (select json_agg(one order by "sortOrder") from (
    select id, name, value, kind, sort_order as "sortOrder", is_initial as "isInitial", is_active as "isActive", version,
      (select coalesce(sum(change), 0)::int from contact_counts where funnel_stage = stage.id) as count,
      (select json_object_agg(stayed.name, json_build_object('seconds', seconds, 'of', of)) from stayed where from_stage = stage.id) as stay
    from funnel_stages as stage
  ) as one where "isActive" or count > 0) as stages,
  (select coalesce(json_agg(one order by total desc, fold(name), id), '[]') from (
    select id, name, coalesce(sum(count), 0)::int as total, coalesce(sum(count) filter (where is_won), 0)::int as booked,
      coalesce(sum(count) filter (where since >= $3 and since < $4), 0)::int as "recentTotal",
      coalesce(sum(count) filter (where since >= $3 and since < $4 and is_won), 0)::int as "recentBooked"
    from procedures left join recent on procedure = id group by id, name
  ) as one) as procedures`

type Median = { seconds: number | null; of: number }
type Medians = Partial<Record<'now' | 'before', Median>> | null

export interface Figures {
  leads: Record<'week' | 'weekBefore' | 'month' | 'monthBefore' | 'total', number>
  since: Date | null
  perDay: number[]
  firstResponse: Medians
  leadToConsult: Medians
  sources: RawSourceCount[]
  stages: (FunnelStage & { count: number; stay: Medians })[]
  procedures: { id: string; name: string; total: number; booked: number; recentTotal: number; recentBooked: number }[]
}

/** The statement that reads all figures at a moment, in the driver's format: prepared once per connection. */
export function figuresQuery(now: Date, timeZone: string): { name: string; text: string; values: string[] } {
  const days = periodsUntil(dayAt(now, timeZone))
  const bounds = [days.monthBefore, days.month, days.end, days.weekBefore, days.week]
  return { name: 'dashboard', text, values: [timeZone, ...bounds.map((day) => beginningOf(day, timeZone).toISOString())] }
}
