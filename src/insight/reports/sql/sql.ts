import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { beginningOf, daysLater } from '../../../shared/zoned-time.ts'
import { sourceGroup } from '../../../crm/lead-sources/rules.ts'
import type { Ask } from '../request-contract.ts'
import type { Breakdown } from '../report-rules.ts'
import { type DayRange, stepFor, stepsOf } from '../rules.ts'

/** The display group (spec 9) of each source in use, by the key of a contact's source in SQL. */
export interface SourceGroups {
  keys: string[]
  groups: string[]
}

/** A request of one report for one period. */
export interface Asked {
  range: DayRange
  /** Its first instant, and the first instant after it. */
  begins: Date
  ends: Date
  timeZone: string
  now: Date
  filters: Pick<Ask, 'user' | 'source' | 'procedure' | 'location'>
  groups: SourceGroups
  /** Spec 6: the user whose tasks are visible; null for everyone's. */
  ownTasksOf: string | null
  /** Sampling: how many of the 256 parts, by a byte of the id, are read; all by default. */
  parts?: number
}

export const askedOf = (range: DayRange, timeZone: string, rest: Pick<Asked, 'now' | 'filters' | 'groups' | 'ownTasksOf'>): Asked => ({
  ...rest,
  range,
  timeZone,
  begins: beginningOf(range.from, timeZone),
  ends: beginningOf(daysLater(range.to, 1), timeZone),
})

export const instant = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`

export const within = (column: SQL, { begins, ends }: Asked): SQL => sql`(${column} >= ${instant(begins)} and ${column} < ${instant(ends)})`

const keyOfSource = (id: SQL, text: SQL): SQL => sql`case when ${id} is not null then ${id}::text else '~' || coalesce(${text}, '') end`

/** Number of parts, by a random byte of the id. */
export const allParts = 256

/** Whether a record is in the sample. */
export const isSampled = ({ parts = allParts }: Asked, id: SQL): SQL =>
  parts >= allParts ? sql`true` : sql`get_byte(uuid_send(${id}), 15) < ${parts}`

/** Parts used to estimate the record count. */
const sampleParts = 4

/**
 * How many parts to read of up to a million records, so that it takes no longer than `most` records. `count`: a statement with a column
 * `count` over the sample.
 */
export async function partsFor(db: Db, asked: Asked, most: number, count: (asked: Asked) => SQL): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`select count::int as count from (${count({ ...asked, parts: sampleParts })}) as counted`,
  )
  return Math.min(allParts, Math.ceil((most / Math.max(1, rows[0]!.count)) * sampleParts))
}

/** All sources of patients or with spend, grouped by the rule of the list and the dashboard, from stored counts. */
export async function readSourceGroups(db: Db): Promise<SourceGroups> {
  const { rows } = await db.execute<{ key: string; source: string | null }>(sql`
    select distinct ${keyOfSource(sql`lead_source`, sql`lead_source_text`)} as key, coalesce(name, lead_source_text) as source
    from contact_source_counts left join lead_sources on lead_sources.id = lead_source
    union select id::text, name from lead_sources where exists (select from source_spend where source_id = id)`)
  return { keys: rows.map(({ key }) => key), groups: rows.map(({ source }) => sourceGroup(source)) }
}

/** Display group of the source of `c`, a contact; join with `joinSource`. */
export const source = sql`coalesce(source_group.name, ${sourceGroup(null)})`

export const joinSource = ({ groups }: Asked): SQL => sql`
  left join unnest(${sql.param(groups.keys)}::text[], ${sql.param(groups.groups)}::text[]) as source_group (key, name)
    on source_group.key = ${keyOfSource(sql`c.lead_source`, sql`c.lead_source_text`)}`

/** Joins the source only if a filter needs it. */
export const joinSourceToFilter = (asked: Asked): SQL => (asked.filters.source === undefined ? sql`` : joinSource(asked))

/** Procedure requested by `c`, a contact: its id, or '~' plus the text from a form. */
export const procedureOfContact = sql`coalesce(c.procedure_of_interest::text, '~' || nullif(btrim(c.procedure_text), ''))`

/** Filter conditions by column; a filter without a column is ignored. */
export function meets({ filters }: Asked, columns: { [Name in keyof Asked['filters']]?: SQL }): SQL {
  const each = (Object.keys(columns) as (keyof Asked['filters'])[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => sql`${columns[name]!} = ${filters[name]}`)
  return each.length === 0 ? sql`true` : sql.join(each, sql` and `)
}

/** Location of a row of `rooms`; null without a room. */
export const locationName = sql`(select place.name from locations as place where place.id = rooms.location_id)`

/** Time step of an instant, from 1: steps start with the practice's days, across daylight saving. */
export function stepNumber(column: SQL, { range, timeZone }: Asked, time: NonNullable<Breakdown['time']>): SQL {
  const begins = stepsOf(range, stepFor(time, range)).map((day) => beginningOf(day, timeZone).toISOString())
  return sql`width_bucket(${column}, ${sql.param(begins)}::timestamptz[])::text`
}

/** Stages in funnel order without lost ones, with their position. */
export const way = sql`(select id, row_number() over (order by sort_order)::int as place from funnel_stages where kind <> 'lost')`

/** A move that counts: neither undone immediately nor the undo itself (see stage-moves.ts). */
export const counts = sql`(from_stage is null or from_entered_at is not null)`

/** Whether any filter is set: if not, patients need not be joined. */
export const isFiltered = ({ filters }: Asked): boolean => Object.values(filters).some((value) => value !== undefined)

/** First and last move of each contact to a won stage. */
export const wins = sql`(
  select contact_id, min(changed_at) as first, max(changed_at) as last from contact_stage_history
  where to_stage in (select id from funnel_stages where kind = 'won') and ${counts} group by contact_id)`
