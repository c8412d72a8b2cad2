import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { exactInstant } from '../../../kernel/postgres/places.ts'
import type { RecordPlace } from '../contract.ts'
import type { ReportName } from '../name-rules.ts'
import type { BreakdownOf, CountedOf } from '../report-rules.ts'
import { allParts, type Asked, partsFor, stepNumber } from './sql.ts'

/*
 * A report is a list of facts, one for each record that it looks at, and numbers that are aggregates over them. The records behind a number are
 * the same facts, so that none can say another thing than what it opens.
 *
 * Facts have these columns, and those that the report's own numbers look at:
 *   kind, id      the record, to be opened
 *   contact_id    its patient; null where it has none
 *   at            the instant by which it belongs to the period
 *   what          what became of it, in words
 *   amount, unit  what it comes to: cents ('money') or seconds; null of what cannot be summed
 */

/** A number over facts, and which of them it counts. */
export interface Counted {
  of: SQL
  behind: SQL
  /** A number of records: of a part of them it is estimated. */
  isCount?: true
}

type Names = 'staff' | 'procedure' | 'stage' | 'text' | 'said'

export interface By {
  /** A text for each fact. Null belongs to the row without a name, unless `isPartial`: then to no row. */
  key: SQL
  /** What the keys are the names or ids of; 'said': what people have typed, regardless of case. */
  names: Names | { time: 'fitting' | 'month' }
  /** Every row there is, in this order, whether anything falls into it or not. */
  all?: readonly string[]
  isPartial?: true
  /** Of a key that is 'said': the words as they were typed, of which the most frequent are shown. */
  words?: SQL
  /** What the row without a key is called. */
  none?: string
}

type Numbers = Record<string, number | null>

/** What a report says of one stretch of time: its measures, and the same for each row of its breakdowns, by key. */
export interface Reading {
  figures: Numbers
  groups: Record<string, Map<string | null, Numbers>>
  /** What the keys that are 'said' are shown as. */
  said?: Map<string, string>
  /** Of very many records a fair part was read, and counts are estimates: which part, up to 1. */
  part?: number
}

export interface AnyReportSql {
  facts: (asked: Asked) => SQL
  measures: Record<string, Counted>
  breakdowns: Record<string, By>
  /** Of more than `most` records, which `count` counts, a fair part is read: shares and medians are of that part, and counts estimated from it. */
  draw?: { most: number; count: (asked: Asked) => SQL }
  /** In place of one aggregate over the facts, where that would read too much or is no sum. */
  read?: (db: Db, asked: Asked) => Promise<Reading>
}

/** A report with a number and a breakdown for each that its definition has; what is derived from others is made by `read`. */
export interface ReportSql<Name extends ReportName> extends AnyReportSql {
  measures: Record<CountedOf<Name>, Counted>
  breakdowns: Record<BreakdownOf<Name>, By>
}

export const all = sql`true`
export const countOf = (where: SQL = all): Counted => ({ of: sql`(count(*) filter (where ${where}))::int`, behind: where, isCount: true })

/** In whole cents. */
export const sumOf = (cents: SQL, where: SQL = all): Counted => ({
  of: sql`coalesce(sum(${cents}) filter (where ${where}), 0)::float8`,
  behind: where,
})

/** Whole percents; null of nothing, which is no share. */
export const percentOf = (part: SQL, whole: SQL = all): Counted => ({
  of: sql`round(100.0 * count(*) filter (where (${whole}) and (${part})) / nullif(count(*) filter (where ${whole}), 0))::int`,
  behind: whole,
})

export const medianOf = (value: SQL, where: SQL = all): Counted => ({
  of: sql`percentile_cont(0.5) within group (order by (${value})::float8) filter (where ${where})`,
  behind: where,
})

export const seconds = (later: SQL, earlier: SQL): SQL => sql`extract(epoch from ${later} - ${earlier})`
export const days = (later: SQL, earlier: SQL): SQL => sql`extract(epoch from ${later} - ${earlier}) / 86400`

const keyOf = ({ key, names }: By, asked: Asked): SQL => (typeof names === 'object' ? stepNumber(sql`at`, asked, names.time) : key)

/** Over time, by the instant of the fact. */
export const overTime = (time: 'fitting' | 'month'): By => ({ key: sql`null`, names: { time } })

/** Figures and all breakdowns in one pass over the facts. */
export async function readFacts(db: Db, report: AnyReportSql, whole: Asked): Promise<Reading> {
  if (report.read) return report.read(db, whole)
  const parts = report.draw ? await partsFor(db, whole, report.draw.most, report.draw.count) : allParts
  const asked = { ...whole, parts }
  const scale = allParts / parts
  const measures = Object.entries(report.measures)
  const breakdowns = Object.entries(report.breakdowns)
  const keys = breakdowns.map((_, index) => sql.identifier(`key_${index}`))
  const spelled = breakdowns.flatMap(([, { words }], index) =>
    // Of two that are as frequent, the one in small letters.
    words ? [sql`mode() within group (order by (${words}) collate "C" desc) as ${sql.identifier(`said_${index}`)}, `] : [],
  )
  const { rows } = await db.execute<Record<string, number | string | null>>(sql`
    select grouping(${sql.join(keys, sql`, `)})::int as level, ${sql.join(keys, sql`, `)},
      ${sql.join(spelled, sql``)}${sql.join(
        measures.map(([name, { of, isCount }]) => {
          const number = isCount && scale > 1 ? sql`round(${of} * ${scale}::numeric)::int` : of
          return sql`${number} as ${sql.identifier(`number_${name}`)}`
        }),
        sql`, `,
      )}
    from (
      select *, ${sql.join(
        breakdowns.map(([, by], index) => sql`${keyOf(by, asked)} as ${keys[index]!}`),
        sql`, `,
      )}
      from (${report.facts(asked)}) as fact
    ) as keyed
    group by grouping sets ((), ${sql.join(
      keys.map((key) => sql`(${key})`),
      sql`, `,
    )})`)

  const numbersOf = (row: (typeof rows)[number]) => Object.fromEntries(measures.map(([name]) => [name, row[`number_${name}`]])) as Numbers
  // Each level has a bit for every key that it does not group by, the last key's the lowest.
  const every = 2 ** keys.length - 1
  const groups = Object.fromEntries(
    breakdowns.map(([name, by], index) => {
      const mine = rows.filter(({ level }) => level === every - 2 ** (keys.length - 1 - index))
      const shown = mine.map((row) => [row[`key_${index}`] as string | null, numbersOf(row)] as const)
      return [name, new Map(shown.filter(([key]) => key !== null || !by.isPartial))]
    }),
  )
  const said = breakdowns.flatMap(([, { words }], index) =>
    words ? rows.map((row) => [row[`key_${index}`] as string | null, row[`said_${index}`] as string | null] as const) : [],
  )
  return {
    said: new Map(said.filter((pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null)),
    figures: numbersOf(rows.find(({ level }) => level === every)!),
    groups,
    part: parts / allParts,
  }
}

export interface RecordRow extends Record<string, unknown> {
  kind: 'contact' | 'appointment' | 'surgery' | 'receipt' | 'task'
  id: string
  contact_id: string | null
  first_name: string
  last_name: string
  at: Date | string
  /** The same to the microsecond. */
  exact: string
  what: string
  amount: number | null
  unit: 'money' | 'seconds' | null
}

/**
 * The facts that a number counts, and how many there are; `row`: those of one row of a breakdown, by its key. The latest first after `cursor`,
 * one more than `limit` where there are more.
 */
export async function readRecords(
  db: Db,
  report: Pick<AnyReportSql, 'facts'>,
  asked: Asked,
  { behind, by, row, cursor, limit }: { behind: SQL; by: By | null; row: string | null; cursor: RecordPlace | undefined; limit: number },
): Promise<{ rows: RecordRow[]; total: number }> {
  const isInRow = by ? sql`(${keyOf(by, asked)}) is not distinct from ${row}::text` : sql`true`
  const chosen = sql`from (${report.facts(asked)}) as fact where (${behind}) and ${isInRow}`
  const last = cursor && sql`(${cursor.at}::timestamptz, ${cursor.id}::uuid)`
  const rest = last ? sql`and (at, id) <= ${last}` : sql``
  // What has left the report since is not passed over a second time.
  const given = last ? sql`least(${cursor.listed}, (select count(*) ${chosen} and (at, id) = ${last}))` : sql`0`
  const { rows } = await db.execute<RecordRow>(sql`
      select kind, listed.id, contact_id, first_name, last_name, at, ${exactInstant(sql`at`)} as exact, what, amount::float8 as amount, unit
      from (
        select kind, id, contact_id, at, what, amount, unit ${chosen} ${rest}
        order by at desc, id desc, what, amount limit ${limit + 1} offset ${given}
      ) as listed
      left join contacts on contacts.id = contact_id order by at desc, listed.id desc, what, amount`)
  const { rows: counted } = await db.execute<{ total: number }>(sql`select count(*)::int as total ${chosen}`)
  return { rows, total: counted[0]!.total }
}
