import { sql } from 'drizzle-orm'
import { countOf, overTime, type ReportSql, sumOf } from './facts.ts'
import { meets, within } from './sql.ts'

const isReceipt = sql`part = 'receipt'`
const isTax = sql`part = 'tax'`

/** Formatted like `formatTax` of receipts: 'HST ON 13%'. */
const taxCodeLabel = sql`case when (line->>'rate')::int = 0 or line->>'name' ~ '[0-9]%' then line->>'name'
  else (line->>'name') || ' ' || trim_scale((line->>'rate')::numeric / 10000) || '%' end`

/** Receipts as QuickBooks has them, with the money that changed hands, plus a fact for each of their tax lines: taxed amount and tax. */
export const receipts: ReportSql<'receipts'> = {
  facts: (asked) => sql`
    with chosen as materialized (
      select receipt.*, linked.contact_id from sales_receipts as receipt
      left join contact_customers as linked on linked.customer_id = receipt.customer_id
      where receipt.state = 'complete' and ${within(sql`receipt.created_at`, asked)} and ${meets(asked, { user: sql`receipt.created_by` })}
    )
    select 'receipt' as kind, id, contact_id, created_at as at,
      case when kind = 'refund' then 'Refund to ' else 'Sale to ' end || customer_name as what, total_cents - prepaid_cents as amount, 'money' as unit,
      'receipt' as part, kind = 'refund' as is_refund, subtotal_cents - discount_cents - prepaid_cents as before_tax, tax_cents as tax, payment_method as method,
      null as tax_code
    from chosen
    union all
    select 'receipt', id, contact_id, created_at, 'Tax on ' || case when kind = 'refund' then 'the refund to ' else 'the sale to ' end || customer_name,
      (line->>'tax')::bigint, 'money', 'tax', kind = 'refund', (line->>'base')::bigint, (line->>'tax')::bigint, payment_method,
      ${taxCodeLabel}
    from chosen cross join lateral jsonb_array_elements(taxes) as line`,
  measures: {
    receipts: countOf(isReceipt),
    subtotal: sumOf(sql`before_tax`, isReceipt),
    tax: sumOf(sql`tax`, isReceipt),
    total: sumOf(sql`amount`, isReceipt),
    refunds: sumOf(sql`-amount`, sql`part = 'receipt' and is_refund`),
    base: sumOf(sql`before_tax`, isTax),
    taxed: sumOf(sql`tax`, isTax),
  },
  breakdowns: {
    time: overTime('fitting'),
    tax: { key: sql`tax_code`, names: 'text', isPartial: true },
    method: { key: sql`method`, names: 'text', none: 'Not specified' },
  },
}
