import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { countOf, days, medianOf, percentOf, type Reading, type ReportSql } from './facts.ts'
import { allParts, type Asked, isSampled, isFiltered, joinSourceToFilter, meets, partsFor, source, wins, within } from './sql.ts'

const columns = { user: sql`c.assigned_sales_rep_id`, source, procedure: sql`c.procedure_of_interest` }

/**
 * Each entry into an open stage within the period: the move out of it for patients who left, or the patient if still in it. `booked_at`:
 * the first time they booked surgery after that, from their first and last move to a won stage.
 */
const entries = (asked: Asked): SQL => sql`
  select entry.contact_id, entry.stage, entry.at, case when win.first >= entry.at then win.first when win.last >= entry.at then win.last end as booked_at
  from (
    select contact_id, from_stage as stage, from_entered_at as at from contact_stage_history
    where ${within(sql`from_entered_at`, asked)} and from_entered_at is not null and ${isSampled(asked, sql`id`)}
    union all
    select id, funnel_stage, stage_entered_at from contacts
    where ${within(sql`stage_entered_at`, asked)} and ${isSampled(asked, sql`id`)}
  ) as entry
  join funnel_stages as open on open.id = entry.stage and open.kind = 'open'
  ${isFiltered(asked) ? sql`join contacts as c on c.id = entry.contact_id ${joinSourceToFilter(asked)}` : sql``}
  left join ${wins} as win on win.contact_id = entry.contact_id
  where ${meets(asked, columns)}`

/** Patients currently in an open stage. */
const waiting = (asked: Asked): SQL => sql`
  select c.id, c.funnel_stage as stage, c.stage_entered_at as at
  from contacts as c join funnel_stages as open on open.id = c.funnel_stage and open.kind = 'open' ${joinSourceToFilter(asked)}
  where ${meets(asked, columns)}`

const isNow = sql`part = 'now'`
const isEntry = sql`part = 'entry'`
const isBooked = sql`part = 'entry' and booked_at is not null`

export const forecast: ReportSql<'forecast'> = {
  facts: (asked) => sql`
    select 'contact' as kind, waiting.id, waiting.id as contact_id, at, 'In ' || stage.name || ' since' as what, null::float8 as amount,
      null::text as unit, 'now' as part, stage.id::text as stage, null::timestamptz as booked_at
    from (${waiting(asked)}) as waiting join funnel_stages as stage on stage.id = waiting.stage
    union all
    select 'contact', contact_id, contact_id, at, 'Entered ' || stage.name || case when booked_at is null then '' else ', booked' end,
      ${days(sql`booked_at`, sql`at`)} * 86400, 'seconds', 'entry', stage.id::text, booked_at
    from (${entries(asked)}) as entry join funnel_stages as stage on stage.id = entry.stage`,
  measures: {
    now: countOf(isNow),
    entered: countOf(isEntry),
    won: countOf(isBooked),
    rate: percentOf(isBooked, isEntry),
    days: medianOf(sql`amount / 86400`, isBooked),
  },
  breakdowns: { stage: { key: sql`stage`, names: 'stage' } },
  read,
}

/** Maximum number of moves for the booking share; more are sampled. */
const maxEntries = 100_000

interface Row extends Record<string, unknown> {
  id: string
  now: number
  entered: number
  won: number
  rate: number | null
  days: number | null
  expected: number
  value: number
  price: number | null
  total: number
  totalValue: number
}

/** Expected surgeries are rounded last: to a tenth per stage, and to a tenth in total. */
async function read(db: Db, whole: Asked): Promise<Reading> {
  const parts = await partsFor(
    db,
    whole,
    maxEntries,
    (few) => sql`
    select count(*) from contact_stage_history where ${within(sql`from_entered_at`, few)} and from_entered_at is not null and ${isSampled(few, sql`id`)}`,
  )
  const asked = { ...whole, parts }
  const scale = allParts / parts
  const { rows } = await db.execute<Row>(sql`
    with counted as materialized (
      select stage, count(*) as entered, count(booked_at) as won from (${entries(asked)}) as entry group by stage
    ),
    median as materialized (
      select stage, percentile_cont(0.5) within group (order by (${days(sql`booked_at`, sql`at`)})::float8) as days
      from (${entries(asked)}) as entry where booked_at is not null group by stage
    ),
    entered as materialized (select counted.*, median.days from counted left join median on median.stage = counted.stage),
    now as materialized (select stage, count(*) as count from (${waiting(asked)}) as waiting group by stage),
    price as (
      select avg(planned.price_cents) as cents from surgeries as planned
      ${isFiltered(asked) ? sql`join contacts as c on c.id = planned.contact_id ${joinSourceToFilter(asked)}` : sql``}
      where planned.status <> 'cancelled' and ${within(sql`planned.created_at`, asked)} and ${meets(asked, columns)}
    ),
    stage as (
      select stage.id, coalesce(now.count, 0) as now, coalesce(entered.entered, 0) as entered, coalesce(entered.won, 0) as won, entered.days,
        coalesce(now.count * entered.won::numeric / nullif(entered.entered, 0), 0) as expected
      from funnel_stages as stage left join now on now.stage = stage.id left join entered on entered.stage = stage.id where stage.kind = 'open'
    )
    select id, now::int as now, round(entered * ${scale}::numeric)::int as entered, round(won * ${scale}::numeric)::int as won, days, round(expected, 1)::float8 as expected,
      round(100.0 * won / nullif(entered, 0))::int as rate, round(expected * coalesce(cents, 0))::float8 as value,
      round(cents)::float8 as price, round(sum(expected) over (), 1)::float8 as total,
      round(sum(expected) over () * coalesce(cents, 0))::float8 as "totalValue"
    from stage cross join price`)
  const [first] = rows
  const sum = (key: 'now' | 'entered' | 'won') => rows.reduce((total, row) => total + row[key], 0)
  return {
    part: parts / allParts,
    figures: { expected: first?.total ?? 0, value: first?.totalValue ?? 0, price: first?.price ?? null, now: sum('now') },
    groups: {
      stage: new Map(
        rows.map(({ id, now, entered, won, rate, days: median, expected, value }) => [
          id,
          { now, entered, won, rate, days: median, expected, value },
        ]),
      ),
    },
  }
}
