import { sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { countOf, type Counted, overTime, type Reading, readFacts, type ReportSql, sumOf } from './facts.ts'
import { leads } from './leads.ts'
import { revenue } from './revenue.ts'
import { type Asked, instant, meets, source } from './sql.ts'

const isLead = sql`part = 'lead'`
const isBooking = sql`part = 'lead' and is_booked`
const isReceipt = sql`part = 'receipt'`

/**
 * The cents of a month that fall into the period, by its days. Both ends are rounded from the first day of the month, so that the periods that a
 * month is cut into add up to its amount.
 */
const centsInPeriod = ({ range }: Asked) => {
  const until = (day: ReturnType<typeof sql>) =>
    sql`round(cents * (${day} - month)::numeric / extract(day from month + interval '1 month - 1 day'))`
  const next = sql`least((month + interval '1 month')::date, ${range.to}::date + 1)`
  return sql`(${until(next)} - ${until(sql`greatest(month, ${range.from}::date)`)})`
}

/** The leads of the leads report, the receipts of the revenue report, and a fact for the spend of each source and month, which opens nothing. */
const counted: Omit<ReportSql<'return'>, 'read'> = {
  facts: (asked) => sql`
    select kind, id, contact_id, at, what, amount, unit, 'lead' as part, is_booked, null::numeric as spend, source from (${leads.facts(asked)}) as lead
    union all
    select kind, id, contact_id, at, what, amount, unit, 'receipt', false, null, source from (${revenue.facts(asked)}) as receipt
    union all
    select 'spend', null, null, greatest(month::timestamp at time zone ${asked.timeZone}, ${instant(asked.begins)}), 'Spend', null, null, 'spend', false,
      ${centsInPeriod(asked)}, ${source}
    from source_spend
    left join unnest(${sql.param(asked.groups.keys)}::text[], ${sql.param(asked.groups.groups)}::text[]) as source_group (key, name)
      on source_group.key = source_id::text
    where month <= ${asked.range.to}::date and month + interval '1 month' > ${asked.range.from}::date and ${meets(asked, { source })}`,
  measures: {
    leads: countOf(isLead),
    booked: countOf(isBooking),
    net: sumOf(sql`amount`, isReceipt),
  },
  breakdowns: {
    source: { key: sql`source`, names: 'text' },
    month: overTime('month'),
  },
}

const nothing = sql`false`
/** Spend for each of these records, in cents; null without spend or without records. */
const spendPer = (which: typeof nothing): Counted => ({
  of: sql`round(sum(spend) / nullif(count(*) filter (where ${which}), 0))::float8`,
  behind: nothing,
})

async function read(db: Db, asked: Asked): Promise<Reading> {
  const derived: Record<string, Counted> = {
    spend: { of: sql`coalesce(sum(spend), 0)::float8`, behind: nothing },
    costPerLead: spendPer(isLead),
    costPerBooking: spendPer(isBooking),
    return: {
      of: sql`round(coalesce(sum(amount) filter (where ${isReceipt}), 0)::numeric / nullif(sum(spend), 0), 1)::float8`,
      behind: nothing,
    },
  }
  return readFacts(db, { ...counted, measures: { ...counted.measures, ...derived } }, asked)
}

export const returnOnSpend: ReportSql<'return'> = { ...counted, read }
