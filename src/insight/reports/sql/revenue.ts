import { sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import { countOf, overTime, type Reading, readFacts, type ReportSql, sumOf } from './facts.ts'
import { type Asked, joinSource, locationName, meets, source, within } from './sql.ts'

const isSale = sql`not is_refund`
const procedure = sql`coalesce(planned.id::text, '~' || nullif(surgery.procedure_name, ''), c.procedure_of_interest::text, '~' || nullif(btrim(c.procedure_text), ''))`

const counted: Omit<ReportSql<'revenue'>, 'read'> = {
  facts: (asked) => sql`
    select 'receipt' as kind, receipt.id, linked.contact_id, receipt.created_at as at,
      case when receipt.kind = 'refund' then 'Refund to ' else 'Sale to ' end || receipt.customer_name as what,
      receipt.subtotal_cents - receipt.discount_cents as amount, 'money' as unit, receipt.kind = 'refund' as is_refund,
      ${source} as source, ${procedure} as procedure, coalesce(surgery.surgeon_id, c.assigned_provider_id)::text as provider
    from sales_receipts as receipt
    left join contact_customers as linked on linked.customer_id = receipt.customer_id
    left join contacts as c on c.id = linked.contact_id ${joinSource(asked)}
    left join lateral (
      select surgeon_id, room_id, procedures->0->>'id' as procedure_id, procedures->0->>'name' as procedure_name from surgeries
      where contact_id = c.id and status <> 'cancelled'
      order by starts_at < date_trunc('day', receipt.created_at, ${asked.timeZone}),
        abs(extract(epoch from starts_at - receipt.created_at)), id
      limit 1
    ) as surgery on true
    left join procedures as planned on planned.id::text = surgery.procedure_id
    left join rooms on rooms.id = surgery.room_id
    where receipt.state = 'complete' and ${within(sql`receipt.created_at`, asked)}
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
