import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { countOf, days, medianOf, percentOf, type Reading, type ReportSql } from './facts.ts'
import { allParts, type Asked, isFiltered, joinSourceToFilter, meets, source, way, within } from './sql.ts'

const columns = { user: sql`c.assigned_sales_rep_id`, source, procedure: sql`c.procedure_of_interest` }

/**
 * Patients added in the period with the furthest stage they ever reached; null if lost before the first. A patient who left a stage
 * forward has been further: it is the current stage, or one they left backwards or were lost from.
 */
const furthest = (asked: Asked): SQL => sql`
  select c.id, c.created_at, c.funnel_stage, stage.kind = 'lost' as is_lost, greatest(here.place, left_behind.place) as place
  from contacts as c join funnel_stages as stage on stage.id = c.funnel_stage left join ${way} as here on here.id = c.funnel_stage
  ${joinSourceToFilter(asked)}
  left join (
    select contact_id, max(back.place) as place
    from (
      select was.id as from_stage, becomes.id as to_stage, was.place
      from ${way} as was join funnel_stages as becomes on becomes.id <> was.id left join ${way} as then_at on then_at.id = becomes.id
      where coalesce(then_at.place, 0) < was.place
    ) as back
    join contact_stage_history as move on move.to_stage = back.to_stage and move.from_stage = back.from_stage and move.from_entered_at is not null
    group by contact_id
  ) as left_behind on left_behind.contact_id = c.id
  where ${within(sql`c.created_at`, asked)} and ${meets(asked, columns)}`

/** Completed stays, by the stage that was left. */
const stays = (asked: Asked): SQL => sql`
  select move.id as move_id, move.contact_id as id, move.from_stage, move.changed_at, ${days(sql`move.changed_at`, sql`move.from_entered_at`)} as days
  from contact_stage_history as move
  ${isFiltered(asked) ? sql`join contacts as c on c.id = move.contact_id ${joinSourceToFilter(asked)}` : sql``}
  where ${within(sql`move.changed_at`, asked)} and move.from_entered_at is not null and move.from_entered_at <= move.changed_at
    and ${meets(asked, columns)}`

const isLead = sql`part = 'lead'`
const isStay = sql`part = 'stay'`
const isWon = sql`part = 'lead' and is_won`

/** Position of a won stage: reaching one means surgery was booked. */
const won = sql`(select min(place) from ${way} as way join funnel_stages on funnel_stages.id = way.id where kind = 'won')`

export const funnel: ReportSql<'funnel'> = {
  // Records behind the figures: each patient once, again for every stage they reached, and each stay.
  facts: (asked) => sql`
    with reached as materialized (${furthest(asked)})
    select 'contact' as kind, reached.id, reached.id as contact_id, reached.created_at as at, stage.name as what, null::float8 as amount, null::text as unit,
      'lead' as part, coalesce(place >= ${won}, false) as is_won, is_lost, null::text as stage, false as is_here
    from reached join funnel_stages as stage on stage.id = funnel_stage
    union all
    select 'contact', reached.id, reached.id, reached.created_at, stage.name, null, null, 'reached', false, is_lost, way.id::text, way.id = funnel_stage
    from reached join ${way} as way on way.place <= reached.place join funnel_stages as stage on stage.id = funnel_stage
    union all
    select 'contact', reached.id, reached.id, reached.created_at, stage.name, null, null, 'reached', false, true, stage.id::text, true
    from reached join funnel_stages as stage on stage.id = funnel_stage where is_lost
    union all
    select 'contact', stay.id, stay.id, changed_at, 'Left ' || stage.name, days * 86400, 'seconds', 'stay', false, false, stage.id::text, false
    from (${stays(asked)}) as stay join funnel_stages as stage on stage.id = stay.from_stage`,
  measures: {
    leads: countOf(isLead),
    won: countOf(isWon),
    wonRate: percentOf(isWon, isLead),
    lost: countOf(sql`part = 'lead' and is_lost`),
    reached: countOf(sql`part = 'reached'`),
    // Computed by `read`, which knows the previous stage; its records are those who reached this one.
    rate: { of: sql`null`, behind: sql`part = 'reached'` },
    inIt: countOf(sql`part = 'reached' and is_here`),
    left: countOf(isStay),
    days: medianOf(sql`amount / 86400`, isStay),
  },
  breakdowns: { stage: { key: sql`stage`, names: 'stage', isPartial: true } },
  read,
}

/** Maximum number of stays for a median: more are sampled by a random byte of the move's id. */
const maxStays = 50_000

interface Row extends Record<string, unknown> {
  id: string
  reached: number
  rate: number | null
  inIt: number
  left: number
  days: number | null
  leads: number
  won: number
  wonRate: number | null
  lost: number
}

/** Patients are counted by their furthest stage, then summed: one row per stage instead of per patient and stage. */
async function read(db: Db, asked: Asked): Promise<Reading> {
  const { rows } = await db.execute<Row>(sql`
    with place as materialized (
      select place, funnel_stage, is_lost, count(*) as count from (${furthest(asked)}) as reached group by place, funnel_stage, is_lost
    ),
    stay_count as materialized (select from_stage, count(*) as count from (${stays(asked)}) as stay group by from_stage),
    stay as materialized (
      select stay_count.from_stage, stay_count.count, median.days from stay_count left join (
        select from_stage, percentile_cont(0.5) within group (order by days::float8) as days from (${stays(asked)}) as stay
        where get_byte(uuid_send(move_id), 15) < (select ceil(${allParts} * least(1, ${maxStays} / sum(count))) from stay_count)
        group by from_stage
      ) as median on median.from_stage = stay_count.from_stage
    ),
    stage as (
      select stage.id, stage.is_active, way.place,
        case when stage.kind = 'lost' then (select coalesce(sum(count), 0) from place where funnel_stage = stage.id)
          else (select coalesce(sum(count), 0) from place where place.place >= way.place) end as reached,
        (select coalesce(sum(count), 0) from place where funnel_stage = stage.id) as here
      from funnel_stages as stage left join ${way} as way on way.id = stage.id
    ),
    -- A stage that is no longer used is reported as long as a patient is in it or has left it.
    reported as (
      select stage.*, coalesce(stay.count, 0) as left_count, stay.days from stage left join stay on stay.from_stage = stage.id
      where is_active or here > 0 or stay.count > 0
    ),
    total as (
      select coalesce(sum(count), 0) as leads, coalesce(sum(count) filter (where place >= ${won}), 0) as won,
        coalesce(sum(count) filter (where is_lost), 0) as lost
      from place
    )
    select id, reached::int as reached, here::int as "inIt", left_count::int as left, days,
      case when place is not null
        then round(100.0 * reached / nullif(lag(reached) over (partition by place is null order by place), 0))
      end::int as rate,
      leads::int as leads, won::int as won, lost::int as lost, round(100.0 * won / nullif(leads, 0))::int as "wonRate"
    from reported cross join total`)
  const { leads = 0, won: booked = 0, wonRate = null, lost = 0 } = rows[0] ?? {}
  const figures = { leads, won: booked, wonRate, lost }
  const stages = rows.map(({ id, reached, rate, inIt, left, days: median }) => [id, { reached, rate, inIt, left, days: median }] as const)
  return { figures, groups: { stage: new Map(stages) } }
}
