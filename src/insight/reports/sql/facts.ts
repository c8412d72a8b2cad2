import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { exactInstant } from '../../../kernel/postgres/cursors.ts'
import type { RecordPlace } from '../contract.ts'
import type { ReportName } from '../name-rules.ts'
import type { Breakdown, BreakdownOf, CountedOf } from '../report-rules.ts'
import { allParts, type Asked, partsFor, stepNumber } from './sql.ts'

/*
 * A report is a list of facts, one for each record it covers, and numbers that aggregate them. The records behind a number are the same facts,
 * so a number always matches the records it opens.
 *
 * Facts have these columns, plus those that the report's own numbers use:
 *   kind, id      the record to open
 *   contact_id    its patient; null if it has none
 *   at            the instant that decides the period
 *   what          the outcome, as text
 *   amount, unit  its value: cents ('money') or seconds; null if it cannot be summed
 */

/** A number over facts, and which facts it counts. */
export interface Counted {
  of: SQL
  behind: SQL
  /** A count of records, estimated when sampled. */
  isCount?: true
}

type Names = 'staff' | 'procedure' | 'stage' | 'text' | 'freeText'

export interface By {
  /** A group key for each fact. Null belongs to the unnamed row, or with `isPartial` to no row. */
  key: SQL
  /** What the keys are names or ids of; 'freeText': free text, case-insensitive. */
  names: Names | { time: NonNullable<Breakdown['time']> }
  /** All rows in this order, including empty ones. */
  all?: readonly string[]
  isPartial?: true
  /** For 'freeText' keys: the original spellings, of which the most frequent is shown. */
  words?: SQL
  /** Label of the row without a key. */
  none?: string
}

type Numbers = Record<string, number | null>

/** Results for one period: the measures, and the same for each breakdown row, by key. */
export interface Reading {
  figures: Numbers
  groups: Record<string, Map<string | null, Numbers>>
  /** Display text of 'freeText' keys. */
  freeText?: Map<string, string>
  /** For very many records a sample was read and counts are estimates: the sampled fraction, up to 1. */
  part?: number
}

export interface AnyReportSql {
  facts: (asked: Asked) => SQL
  measures: Record<string, Counted>
  breakdowns: Record<string, By>
  /** Above `most` records, counted by `count`, reads a sample: shares and medians come from it, and counts are estimated. */
  draw?: { most: number; count: (asked: Asked) => SQL }
  /** Replaces the single aggregate over the facts where it would read too much or is not a sum. */
  read?: (db: Db, asked: Asked) => Promise<Reading>
}

/** A report with a measure and breakdown for each in its definition; derived ones are made by `read`. */
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

/** Whole percents; null for a share of nothing. */
export const percentOf = (part: SQL, whole: SQL = all): Counted => ({
  of: sql`round(100.0 * count(*) filter (where (${whole}) and (${part})) / nullif(count(*) filter (where ${whole}), 0))::int`,
  behind: whole,
})

/** Percents with one decimal; null for a share of nothing. */
export const rateOf = (part: SQL): Counted => ({
  of: sql`(round(1000.0 * count(*) filter (where ${part}) / nullif(count(*), 0)) / 10)::float8`,
  behind: part,
})

/** The normal quantile of a 95% confidence interval. */
const z = 1.959964

/** A limit of the 95% confidence interval of a share (Wilson 1927), in percents with one decimal; null for a share of nothing. */
export const wilsonLimit = (part: SQL, side: 'low' | 'high'): Counted => {
  const [k, n] = [sql`(count(*) filter (where ${part}))::float8`, sql`nullif(count(*), 0)::float8`]
  const half = sql`${z}::float8 * sqrt(${k} * (${n} - ${k}) / ${n} + ${(z * z) / 4}::float8)`
  const limit = sql`(${k} + ${(z * z) / 2}::float8 ${side === 'low' ? sql`-` : sql`+`} ${half}) / (${n} + ${z * z}::float8)`
  return { of: sql`(round((1000 * greatest(0, least(1, ${limit})))::numeric) / 10)::float8`, behind: part }
}

export const medianOf = (value: SQL, where: SQL = all): Counted => ({
  of: sql`percentile_cont(0.5) within group (order by (${value})::float8) filter (where ${where})`,
  behind: where,
})

export const seconds = (later: SQL, earlier: SQL): SQL => sql`extract(epoch from ${later} - ${earlier})`
export const days = (later: SQL, earlier: SQL): SQL => sql`extract(epoch from ${later} - ${earlier}) / 86400`

const keyOf = ({ key, names }: By, asked: Asked): SQL => (typeof names === 'object' ? stepNumber(sql`at`, asked, names.time) : key)

/** Over time, by the fact's instant. */
export const overTime = (time: NonNullable<Breakdown['time']>): By => ({ key: sql`null`, names: { time } })

/** Reads figures and all breakdowns in one pass over the facts. */
export async function readFacts(db: Db, report: AnyReportSql, whole: Asked): Promise<Reading> {
  if (report.read) return report.read(db, whole)
  const parts = report.draw ? await partsFor(db, whole, report.draw.most, report.draw.count) : allParts
  const asked = { ...whole, parts }
  const scale = allParts / parts
  const measures = Object.entries(report.measures)
  const breakdowns = Object.entries(report.breakdowns)
  const keys = breakdowns.map((_, index) => sql.identifier(`key_${index}`))
  const spelled = breakdowns.flatMap(([, { words }], index) =>
    // Of equally frequent spellings, the lower-case one.
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
  // The grouping level has a bit for each key not grouped by, the last key's being the lowest.
  const every = 2 ** keys.length - 1
  const groups = Object.fromEntries(
    breakdowns.map(([name, by], index) => {
      const mine = rows.filter(({ level }) => level === every - 2 ** (keys.length - 1 - index))
      const shown = mine.map((row) => [row[`key_${index}`] as string | null, numbersOf(row)] as const)
      return [name, new Map(shown.filter(([key]) => key !== null || !by.isPartial))]
    }),
  )
  const freeText = breakdowns.flatMap(([, { words }], index) =>
    words ? rows.map((row) => [row[`key_${index}`] as string | null, row[`said_${index}`] as string | null] as const) : [],
  )
  return {
    freeText: new Map(freeText.filter((pair): pair is readonly [string, string] => pair[0] !== null && pair[1] !== null)),
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
  /** With microsecond precision. */
  exact: string
  what: string
  amount: number | null
  unit: 'money' | 'seconds' | null
}

/**
 * The facts behind a number and their count; `row`: those of one breakdown row, by key. Newest first after `cursor`, one more than `limit`
 * if there are more.
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
  // Facts that have left the report since then are not skipped twice.
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
