import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { QuickBooksSimulator } from '../../simulators/quickbooks/server.ts'
import { toQuickBooksPayload } from '../../src/billing/pos/quickbooks-payload.ts'
import { totalsOf } from '../../src/billing/pos/rules.ts'
import type { salesReceipts } from '../../src/billing/payments/table.ts'
import { amountOfCents, centsToText } from '../../src/shared/money.ts'
import { dayAt } from '../../src/shared/zoned-time.ts'
import { day } from '../clock.ts'

export type SurgeryPatient = {
  id: string
  first_name: string
  last_name: string
  email: string
  procedure: string
  revenue: number
  booked_at: Date
  operated_at: Date
}
type Payment = { patient: SurgeryPatient; chargeId: string; customerId: string; cents: number; at: Date; description: string }

/** Days of past surgeries with payments in QuickBooks. */
const daysBack = 365
const methods = ['Visa', 'Transfer', 'Mastercard', 'Debit'] as const
/** The deposit in percent of the price, and how many days before surgery the balance is paid. */
const [depositPercent, balanceDays] = [20, 14]

/**
 * Records the payments of patients who have had surgery, in the QuickBooks simulator and in the database: a deposit at booking and the
 * balance two weeks before surgery. Runs once, after a first receipt has been taken, which serves as the template. Calls would take a minute
 * for a large clinic, so the records are created in the simulator without calls.
 */
export async function recordPastPayments(databaseUrl: string, quickBooks: Simulator, timeZone: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: patients } = await client.query<SurgeryPatient>(
      `select c.id, first_name, last_name, email, procedures.name as procedure, revenue::float8 as revenue, stage_entered_at as booked_at,
         surgical_date + time '12:00' as operated_at
       from contacts as c join procedures on procedures.id = procedure_of_interest
       where surgical_date between now() - make_interval(days => $1) and now() and revenue > 0 and email is not null
         and not exists (select 1 from contact_customers where contact_id = c.id)
       order by surgical_date, c.seq`,
      [daysBack],
    )
    const customers = patients.map((patient) => createCustomer(quickBooks, patient))
    await client.query(
      `with made as (select * from jsonb_to_recordset($1::jsonb) as made("id" text, "name" text, "contactId" uuid, "email" text, "facts" jsonb)),
       objects as (
         insert into quickbooks_objects (kind, id, name, email, is_active, facts, read_at)
         select 'customer', id, name, email, true, facts, now() from made
       )
       insert into contact_customers (contact_id, customer_id, linked_at) select "contactId", id, now() from made`,
      [JSON.stringify(customers)],
    )
    const payments = patients.flatMap((patient, index) => paymentsOf(patient, customers[index]!.id))
    await writePayments(client, payments, quickBooks, timeZone)
  } finally {
    await client.end()
  }
}

/** A customer with the patient's name, and with the email address if the name is taken, as the product adds them. */
function createCustomer(quickBooks: Simulator, { id: contactId, first_name: firstName, last_name: lastName, email }: SurgeryPatient) {
  const body = { GivenName: firstName, FamilyName: lastName, PrimaryEmailAddr: { Address: email } }
  const name = `${firstName} ${lastName}`
  let customer: ReturnType<Simulator['create']>
  try {
    customer = quickBooks.create('Customer', { ...body, DisplayName: name })
  } catch {
    customer = quickBooks.create('Customer', { ...body, DisplayName: `${name} (${email})` })
  }
  const facts = { syncToken: customer.SyncToken, givenName: firstName, familyName: lastName }
  return { id: customer.Id, name: customer.DisplayName, contactId, email, facts }
}

function paymentsOf(patient: SurgeryPatient, customerId: string): Payment[] {
  const chargeId = randomUUID()
  const deposit = Math.round((patient.revenue * depositPercent) / 10_000) * 100
  const balanceAt = Math.max(patient.operated_at.getTime() - balanceDays * day, patient.booked_at.getTime() + day)
  const common = { patient, chargeId, customerId }
  return [
    { ...common, cents: deposit, at: patient.booked_at, description: `${patient.procedure}, deposit` },
    { ...common, cents: patient.revenue - deposit, at: new Date(balanceAt), description: `${patient.procedure}, balance` },
  ]
}

type Simulator = Pick<QuickBooksSimulator, 'create'>

/**
 * Writes receipts to the QuickBooks simulator and to the database, with their timeline and ledger entries. They use the accounts, class and
 * tax of the first receipt taken. The item sold is the one named after the procedure, otherwise the first receipt's.
 */
export async function writePayments(
  client: pg.Client,
  payments: readonly Payment[],
  quickBooks: Simulator,
  timeZone: string,
): Promise<void> {
  const { rows: receipts } = await client.query<TemplateReceipt>(
    `select * from sales_receipts where state = 'complete' and kind = 'sale' and tax_cents > 0 and discount_percent = 0 order by created_at limit 1`,
  )
  const [template] = receipts
  if (!template) return
  const { rows: items } = await client.query<Item>("select id, name from quickbooks_objects where kind = 'item'")
  const drafts = payments
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((payment, index) => toDraft(payment, index, template, items))
  const rows = drafts.map((draft) => createReceipt(quickBooks, template, draft, timeZone))
  await client.query(
    `with made as (select * from jsonb_to_recordset($1::jsonb) as made("id" uuid, "contactId" uuid, "customerId" text, "customerName" text, "lines" jsonb, "taxes" jsonb,
       "subtotalCents" bigint, "taxCents" bigint, "totalCents" bigint, "paymentMethod" text, "number" text, "qbId" text, "at" timestamptz, "summary" text)),
     receipts as (
       insert into sales_receipts (id, state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes, subtotal_cents,
         discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, class_id, class_name, payment_method, qb_id,
         doc_number, qb_total_cents, is_uncertain, logged_at, created_by, created_at, completed_at)
       select made.id, 'complete', gen_random_uuid(), 'demo', made.id::text, first.realm_id, "customerId", "customerName", made.lines, made.taxes, "subtotalCents",
         0, 0, "taxCents", "totalCents", first.deposit_account_id, first.deposit_account_name, first.class_id, first.class_name, "paymentMethod", "qbId",
         number, "totalCents", false, at, first.created_by, at, at
       from made, sales_receipts as first where first.id = $2 returning id
     )
     insert into interactions (contact_id, type, description, date, created_by, qb_sales_receipt_id, sales_receipt_data, payment_method, deposit_account, metadata, created_at)
     select "contactId", 'sales_receipt', summary, at, first.created_by, "qbId",
       jsonb_build_object('customerName', "customerName", 'className', first.class_name, 'memo', null, 'lines', made.lines, 'taxes', made.taxes,
         'subtotalCents', "subtotalCents", 'discountPercent', 0, 'discountCents', 0, 'taxCents', "taxCents", 'totalCents', "totalCents"),
       "paymentMethod", first.deposit_account_name,
       jsonb_build_object('receiptId', made.id, 'kind', 'sale', 'refundReason', null, 'number', number, 'items', jsonb_build_array(made.lines->0->>'name'),
         'moreItems', 0, 'totalCents', "totalCents", 'paymentMethod', "paymentMethod", 'depositAccount', first.deposit_account_name), at
     from made, sales_receipts as first where first.id = $2`,
    [JSON.stringify(rows), template.id],
  )
  // The charge for each surgery, and its payment by these receipts.
  await client.query(
    `with made as (select * from jsonb_to_recordset($1::jsonb) as made("id" uuid, "contactId" uuid, "chargeId" uuid, "procedure" text, "totalCents" bigint, "number" text, "at" timestamptz)),
     charges as (
       insert into ledger_entries (id, contact_id, kind, amount_cents, description, due_on, is_before_surgery, created_by, created_at)
       select "chargeId", "contactId", 'charge', sum("totalCents"), "procedure", max(at)::date, true, $2, min(at) from made
       group by "chargeId", "contactId", "procedure"
     )
     insert into ledger_entries (contact_id, kind, amount_cents, charge_id, receipt_id, description, created_by, created_at)
     select "contactId", 'payment', -"totalCents", "chargeId", id, 'Sales receipt ' || number, $2, at from made`,
    [JSON.stringify(rows), template.created_by],
  )
}

type Item = { id: string; name: string }
type Draft = ReturnType<typeof toDraft>
type Row = typeof salesReceipts.$inferSelect
/** The row of the first receipt taken. */
interface TemplateReceipt {
  id: string
  lines: [Row['lines'][number]]
  taxes: [Row['taxes'][number]]
  deposit_account_id: Row['depositAccountId']
  class_id: Row['classId']
  created_by: string
}

function toDraft(
  { patient, chargeId, customerId, cents, at, description }: Payment,
  index: number,
  { lines: [line], taxes: [tax] }: TemplateReceipt,
  items: readonly Item[],
) {
  const totals = totalsOf([{ unitPrice: cents, quantity: 1, taxCodeId: line.taxCodeId, rate: line.taxRate }], 0)
  const number = `H${String(index + 1).padStart(4, '0')}`
  const { id: itemId, name } = items.find((item) => item.name === patient.procedure) ?? { id: line.itemId, name: line.name }
  const amounts = { quantity: 1, unitPriceCents: cents, amountCents: cents, taxCents: totals.tax }
  return {
    id: randomUUID(),
    contactId: patient.id,
    chargeId,
    procedure: patient.procedure,
    customerId,
    customerName: `${patient.first_name} ${patient.last_name}`,
    lines: [{ ...line, itemId, name, description, ...amounts }],
    taxes: [{ ...tax, base: cents, tax: totals.tax }],
    subtotalCents: cents,
    taxCents: totals.tax,
    totalCents: totals.total,
    paymentMethod: methods[index % methods.length]!,
    number,
    at,
    summary: `Sales receipt ${number}, $${centsToText(totals.total)}`,
  }
}

/** Creates a receipt in the QuickBooks simulator with its number and date, as the product would have. */
function createReceipt(quickBooks: Simulator, template: TemplateReceipt, draft: Draft, timeZone: string): Draft & { qbId: string } {
  const { deposit_account_id: depositAccountId, class_id: classId } = template
  const receipt = toQuickBooksPayload({
    ...draft,
    kind: 'sale',
    discountCents: 0,
    prepaid: [],
    depositAccountId,
    classId,
    refundReason: null,
    memo: null,
  })
  const created = quickBooks.create('SalesReceipt', { ...receipt, DocNumber: draft.number, TxnDate: dayAt(draft.at, timeZone) })
  if (created.TotalAmt !== amountOfCents(draft.totalCents))
    throw new Error(`QuickBooks computed a different total for receipt ${draft.number}`)
  return { ...draft, qbId: created.Id }
}
