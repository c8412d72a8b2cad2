import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { beginningOf, daysLater } from '../../../shared/zoned-time.ts'
import { sourceGroup } from '../../../crm/lead-sources/rules.ts'
import type { Ask } from '../ask-contract.ts'
import { type DayRange, stepOf, stepsOf } from '../rules.ts'

/** The display group (spec 9) of each source that any contact has, by the key that a contact's source has in SQL. */
export interface SourceGroups {
  keys: string[]
  groups: string[]
}

/** What is asked of one report for one stretch of time. */
export interface Asked {
  range: DayRange
  /** Its first instant, and the first one after it. */
  begins: Date
  ends: Date
  timeZone: string
  now: Date
  filters: Pick<Ask, 'user' | 'source' | 'procedure' | 'location'>
  groups: SourceGroups
  /** Spec 6: whose tasks alone are seen; null: everyone's. */
  ownTasksOf: string | null
  /** Of very many records, how many of the 256 parts that a byte of an id makes are read; all of them unless told otherwise. */
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

/** As many parts as a byte of an id, which says nothing of its record, makes of them. */
export const allParts = 256

/** Whether a record is among those that are read. */
export const isDrawn = ({ parts = allParts }: Asked, id: SQL): SQL =>
  parts >= allParts ? sql`true` : sql`get_byte(uuid_send(${id}), 15) < ${parts}`

/** Of so many parts it is seen how many records there are. */
const few = 4

/**
 * How many parts to read of what may be a million records, so that it takes no longer than of `most`. `count`: a statement with the column `count`
 * of the records, as far as they are drawn.
 */
export async function partsFor(db: Db, asked: Asked, most: number, count: (asked: Asked) => SQL): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`select count::int as count from (${count({ ...asked, parts: few })}) as counted`)
  return Math.min(allParts, Math.ceil((most / Math.max(1, rows[0]!.count)) * few))
}

/** Every source there is, grouped by the rule that the list and the dashboard have. What is kept of their counts knows them all. */
export async function readSourceGroups(db: Db): Promise<SourceGroups> {
  const { rows } = await db.execute<{ key: string; said: string | null }>(sql`
    select distinct ${keyOfSource(sql`lead_source`, sql`lead_source_text`)} as key, coalesce(name, lead_source_text) as said
    from contact_source_counts left join lead_sources on lead_sources.id = lead_source`)
  return { keys: rows.map(({ key }) => key), groups: rows.map(({ said }) => sourceGroup(said)) }
}

/** The display group of the source of `c`, a contact; to be joined with `joinSource`. */
export const source = sql`coalesce(source_group.name, ${sourceGroup(null)})`

export const joinSource = ({ groups }: Asked): SQL => sql`
  left join unnest(${sql.param(groups.keys)}::text[], ${sql.param(groups.groups)}::text[]) as source_group (key, name)
    on source_group.key = ${keyOfSource(sql`c.lead_source`, sql`c.lead_source_text`)}`

/** The same where only a filter asks for it. */
export const joinSourceToFilter = (asked: Asked): SQL => (asked.filters.source === undefined ? sql`` : joinSource(asked))

/** The procedure that `c`, a contact, asks for: its id, or behind a '~' what a form said in its place. */
export const procedureOfContact = sql`coalesce(c.procedure_of_interest::text, '~' || nullif(btrim(c.procedure_text), ''))`

/** That the filters are met, each by its column; a filter without one asks for nothing. */
export function meets({ filters }: Asked, columns: { [Name in keyof Asked['filters']]?: SQL }): SQL {
  const each = (Object.keys(columns) as (keyof Asked['filters'])[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => sql`${columns[name]!} = ${filters[name]}`)
  return each.length === 0 ? sql`true` : sql.join(each, sql` and `)
}

/** Of a room of the table `rooms`; none where nothing has a room. */
export const locationName = sql`(select place.name from locations as place where place.id = rooms.location_id)`

/** Which step of time an instant falls into, from 1 on: steps begin with the practice's days, right across a change of clocks. */
export function stepNumber(column: SQL, { range, timeZone }: Asked, time: 'fitting' | 'month'): SQL {
  const begins = stepsOf(range, time === 'month' ? 'month' : stepOf(range)).map((day) => beginningOf(day, timeZone).toISOString())
  return sql`width_bucket(${column}, ${sql.param(begins)}::timestamptz[])::text`
}

/** The stages in the order of the funnel, without those where leads are lost, and how far along each is. */
export const way = sql`(select id, row_number() over (order by sort_order)::int as place from funnel_stages where kind <> 'lost')`

/** A move that counts: neither one that was taken back at once nor the taking back (see stage-moves.ts). */
export const counts = sql`(from_stage is null or from_entered_at is not null)`

/** Whether anything narrows a report down: if not, what it reads need not be joined with its patients. */
export const isNarrowed = ({ filters }: Asked): boolean => Object.values(filters).some((value) => value !== undefined)

/** When each contact first, and last, moved to a stage that is won. */
export const wins = sql`(
  select contact_id, min(changed_at) as first, max(changed_at) as last from contact_stage_history
  where to_stage in (select id from funnel_stages where kind = 'won') and ${counts} group by contact_id)`
