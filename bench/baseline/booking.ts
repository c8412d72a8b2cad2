import type pg from 'pg'

interface Given {
  providerIds: readonly string[]
  roomIds: readonly string[]
  minutes: number
  bufferAfter: number
  zone: string
  /** 'yyyy-MM-dd' */
  from: string
  days: number
}

const gaps = (kind: string) => `select id, begins, ends from (
    select id, ends_at as begins, lead(starts_at, 1, $3::timestamptz) over (partition by id order by starts_at) as ends from (
      select id, '-infinity'::timestamptz as starts_at, $2::timestamptz as ends_at from unnest(${kind}::uuid[]) as id
      union all
      select resource_id, starts_at, ends_at from time_holds
      where resource_id = any(${kind}::uuid[]) and starts_at < $3 and starts_at > $2::timestamptz - interval '2 days' and ends_at > $2) as taken) as gaps
  where ends - begins >= make_interval(mins => $5::int + $6::int)`

/** Starts of a visit in SQL alone, from the same tables: staff hours, and gaps between what is booked. */
const starts = (order: string) => `
  with provider_gaps as (${gaps('$1')}), room_gaps as materialized (${gaps('$4')}),
  spans as (
    select profile_id, (day + opens::time) at time zone $7 as opens, (day + closes::time) at time zone $7 as closes
    from staff_hours join generate_series($8::date, $8::date + $9::int - 1, interval '1 day') as day on extract(isodow from day) = weekday
    where profile_id = any($1::uuid[]) and day::date not in (select day from closed_days)
  ),
  candidates as (
    select distinct start from provider_gaps join spans on profile_id = id and opens < ends and closes > begins
    cross join lateral generate_series(date_bin('15 minutes', greatest(opens, begins) + interval '14 minutes 59 seconds', '2000-01-01Z'),
      least(closes - make_interval(mins => $5::int), ends - make_interval(mins => $5::int + $6::int)), interval '15 minutes') as start
  )
  select start from candidates
  where exists (select from room_gaps where begins <= start and ends >= start + make_interval(mins => $5::int + $6::int)) ${order}`

async function run(pool: pg.Pool, name: string, order: string, given: Given): Promise<number> {
  const { rows: days } = await pool.query<{ first: Date; last: Date }>({
    name: 'days',
    text: `select $1::date::timestamp at time zone $3 as first, ($1::date + $2::int)::timestamp at time zone $3 as last`,
    values: [given.from, given.days, given.zone],
  })
  const { rows } = await pool.query<{ start: Date }>({
    name,
    text: starts(order),
    values: [
      given.providerIds,
      days[0]!.first,
      days[0]!.last,
      given.roomIds,
      given.minutes,
      given.bufferAfter,
      given.zone,
      given.from,
      given.days,
    ],
  })
  return rows.length
}

/** Reads all starts; how many there are. */
export const gridBare = (pool: pg.Pool, given: Given): Promise<number> => run(pool, 'grid', 'order by start', given)

/** Reads the first start: 1, or 0 without one. */
export const nextBare = (pool: pg.Pool, given: Given): Promise<number> => run(pool, 'next', 'order by start limit 1', given)
