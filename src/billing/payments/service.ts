import { type SQL, sql } from 'drizzle-orm'

/** The part of a sale that is prepaid by it, before tax. */
const issued = sql`case when receipt.issued_cents = 0 then 0 else (
  select coalesce(sum((line->>'amountCents')::bigint), 0) from jsonb_array_elements(receipt.lines) as line where line ? 'issues') end`

/**
 * What counts as revenue, each cent once: what was sold, after discounts and before tax, less refunds. A gift card, a package and store credit are
 * liabilities when they are sold and count with what they pay; a deposit counts when it is applied to a charge. Rows: `receipt_id`,
 * `customer_id`, `customer_name`, `at`, `kind` ('sale', 'refund', 'deposit', or 'release' of a deposit from its charge), and `cents`, negative for refunds and
 * releases.
 */
export const revenueOfReceipts = (): SQL => sql`
  select receipt.id as receipt_id, receipt.customer_id, receipt.customer_name, receipt.created_at as at, receipt.kind,
    receipt.subtotal_cents - receipt.discount_cents - ${issued} as cents
  from sales_receipts as receipt left join sales_receipts as sale on sale.id = receipt.refund_of
  where receipt.state = 'complete' and not coalesce(sale.is_deposit, receipt.is_deposit)
    and (receipt.issued_cents = 0 or receipt.subtotal_cents - receipt.discount_cents <> ${issued})
  union all
  select receipt.id, receipt.customer_id, receipt.customer_name, entry.created_at, case when entry.kind = 'release' then 'release' else 'deposit' end,
    -entry.amount_cents
  from ledger_entries as entry join sales_receipts as receipt on receipt.id = entry.receipt_id
  where receipt.is_deposit and entry.kind in ('payment', 'release')`
