import path from 'node:path'
import { reportNames } from '../src/insight/reports/name-rules.ts'
import { definitionOf } from '../src/insight/reports/report-rules.ts'
import { type Clinic, filledAt } from './clinic/clinic.ts'
import { withClinic } from './load/measure.ts'
import type { Options } from './options.ts'
import type { Row } from './report.ts'

/** The number of interactions per patient. */
const interactionsEach = 5
/** Target p50 of a report, in milliseconds. */
const targetMs = 2_000
const periods = ['last-30-days', 'last-12-months'] as const

/** Measures every report for the last 30 days and the last year against the same SQL without our server. */
export async function benchReports({ sizes, seconds, only }: Options): Promise<Row[]> {
  const rows: Row[] = []
  for (const size of sizes) {
    rows.push(
      ...(await withClinic(
        size,
        seconds,
        only,
        async (clinic, measure) => {
          await addInteractions(clinic, size)
          await addSales(clinic)
          await clinic.query('vacuum analyze')
          for (const report of reportNames) {
            for (const period of periods) {
              const requests = [{ method: 'GET' as const, path: `/api/reports/${report}?period=${period}` }]
              await measure(`${definitionOf(report).title}, ${period.replaceAll('-', ' ')}`, requests, {
                aims: [{ of: 'oursP50', atMost: targetMs }],
                connections: [1],
              })
            }
          }
        },
        {
          NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'clock-offset.ts')}`,
          BENCH_CLOCK_AHEAD: String(filledAt.getTime() - Date.now()),
        },
      )),
    )
  }
  return rows
}

/** Adds the missing interactions, in the months after each patient was added. Half of them are replies to a patient. */
async function addInteractions(clinic: Clinic, size: number): Promise<void> {
  const [{ missing }] = (await clinic.query<{ missing: number }>(
    'select greatest(0, $1::bigint - (select count(*) from interactions))::int as missing',
    [size * interactionsEach],
  )) as [{ missing: number }]
  await clinic.query(
    `insert into interactions (contact_id, type, description, date, created_by)
     select contact.id, case when mix % 2 = 0 then 'note' when mix % 3 = 0 then 'email' else 'call' end, 'About the quote',
       contact.created_at + (mix % 5000 + 5) * interval '20 minutes', person.id
     from (select id, created_at, row_number() over () as place from contacts) as contact
     join generate_series(1, ceil($1::int / (select count(*) from contacts)::float)::int) as turn on true
     cross join lateral (select abs(hashint8(place * 31 + turn)) as mix) as mixed
     join (select id, row_number() over (order by id) - 1 as place, count(*) over () as people from profiles) as person
       on person.place = mixed.mix % person.people
     limit $1`,
    [missing],
  )
}

/** Adds a sale for every 20th patient and a partial refund for every tenth sale. */
async function addSales(clinic: Clinic): Promise<void> {
  await clinic.query(
    `with buyer as materialized (select id, created_at, row_number() over (order by seq) as place from contacts where seq % 20 = 0),
     linked as (insert into contact_customers (contact_id, customer_id, linked_at) select id, 'bench ' || place, created_at from buyer)
     insert into sales_receipts (kind, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes, subtotal_cents,
       discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, payment_method, is_uncertain, created_at)
     select 'sale', 'complete', gen_random_uuid(), '', gen_random_uuid()::text, 'bench', 'bench ' || place, 'Customer ' || place, '[]',
       jsonb_build_array(jsonb_build_object('taxCodeId', '1', 'name', 'HST ON', 'rate', 130000, 'base', 100 * (place % 9000), 'tax', 13 * (place % 9000))),
       100 * (place % 9000), 0, 0, 13 * (place % 9000), 113 * (place % 9000), '1', 'Bank', case place % 3 when 0 then 'Visa' when 1 then 'Transfer' end, false,
       created_at + interval '40 days'
     from buyer`,
  )
  await clinic.query(
    `insert into sales_receipts (kind, refund_of, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
       subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_at)
     select 'refund', id, 'complete', gen_random_uuid(), '', gen_random_uuid()::text, 'bench', customer_id, customer_name, '[]', '[]', -100, 0, 0, -13, -113,
       '1', 'Bank', false, created_at + interval '3 days'
     from sales_receipts where abs(hashtext(customer_id)) % 10 = 0`,
  )
}
