import { sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { revenueOfReceipts } from '../../../billing/payments/service.ts'
import { countOf, overTime, type Reading, readFacts, type ReportSql, sumOf } from './facts.ts'
import { type Asked, joinSource, locationName, meets, source, within } from './sql.ts'

const isSale = sql`not is_refund`
const procedure = sql`coalesce(planned.id::text, '~' || nullif(surgery.procedure_name, ''), c.procedure_of_interest::text, '~' || nullif(btrim(c.procedure_text), ''))`

const what = sql`case receipt.kind when 'sale' then 'Sale to ' when 'refund' then 'Refund to ' when 'deposit' then 'Deposit applied for '
  else 'Deposit unapplied for ' end`

const counted: Omit<ReportSql<'revenue'>, 'read'> = {
  facts: (asked) => sql`
    select 'receipt' as kind, receipt.receipt_id as id, linked.contact_id, receipt.at,
      ${what} || receipt.customer_name as what, receipt.cents as amount, 'money' as unit, receipt.kind in ('refund', 'release') as is_refund,
      ${source} as source, ${procedure} as procedure, coalesce(surgery.surgeon_id, c.assigned_provider_id)::text as provider
    from (${revenueOfReceipts()}) as receipt
    left join contact_customers as linked on linked.customer_id = receipt.customer_id
    left join contacts as c on c.id = linked.contact_id ${joinSource(asked)}
    left join lateral (
      select surgeon_id, room_id, procedures->0->>'id' as procedure_id, procedures->0->>'name' as procedure_name from surgeries
      where contact_id = c.id and status <> 'cancelled'
      order by starts_at < date_trunc('day', receipt.at, ${asked.timeZone}),
        abs(extract(epoch from starts_at - receipt.at)), id
      limit 1
    ) as surgery on true
    left join procedures as planned on planned.id::text = surgery.procedure_id
    left join rooms on rooms.id = surgery.room_id
    where ${within(sql`receipt.at`, asked)}
      and ${meets(asked, {
        user: sql`coalesce(surgery.surgeon_id, c.assigned_provider_id)`,
        source,
        procedure: sql`case when surgery.procedure_id is null then c.procedure_of_interest else planned.id end`,
        location: locationName,
      })}`,
  measures: {
    net: sumOf(sql`amount`),
    sold: sumOf(sql`amount`, isSale),
    refunded: sumOf(sql`-amount`, sql`is_refund`),
    receipts: countOf(),
  },
  breakdowns: {
    month: overTime('month'),
    procedure: { key: sql`procedure`, names: 'procedure' },
    user: { key: sql`provider`, names: 'staff' },
    source: { key: sql`source`, names: 'text' },
  },
}

/** Average sale is a figure only. */
async function read(db: Db, asked: Asked): Promise<Reading> {
  const average = { of: sql`round(avg(amount) filter (where ${isSale}))::float8`, behind: isSale }
  return readFacts(db, { ...counted, measures: { ...counted.measures, average } }, asked)
}

export const revenue: ReportSql<'revenue'> = { ...counted, read }
