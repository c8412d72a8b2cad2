import { randomUUID } from 'node:crypto'
import { totalsOf } from '../../src/billing/pos/rules.ts'
import { amountOfCents } from '../../src/shared/money.ts'
import { daysLater } from '../../src/shared/zoned-time.ts'
import { type Client, signIn } from './quickbooks.ts'
import { demoPassword, staff } from '../staff.ts'

type Patient = { id: string; firstName: string; lastName: string; email: string }
type Sale = { item: string; dollars: number; method: string; discount?: number; taxCode?: string; exemptReason?: string }

/** Today's sales, in the order in which patients arrived. */
const sales: Sale[] = [
  { item: 'Consultation, plastic surgeon', dollars: 250, method: 'Visa' },
  { item: 'Rhinoplasty', dollars: 8_900, method: 'Transfer', discount: 500 },
  { item: 'Consultation, plastic surgeon', dollars: 250, method: 'Debit' },
  { item: 'Carpal tunnel release', dollars: 1_350, method: 'Visa', taxCode: 'Exempt', exemptReason: 'Referred, medically necessary' },
  { item: 'Upper blepharoplasty', dollars: 1_825, method: 'Visa' },
  { item: 'Abdominoplasty', dollars: 4_900, method: 'Transfer' },
]

/** Outstanding charges: due in days from today, amounts in dollars. */
const charges = [
  { description: 'Abdominoplasty, balance', dollars: 7_224, dueIn: 9, isBeforeSurgery: true, parts: 1 },
  { description: 'Rhinoplasty, balance', dollars: 4_957, dueIn: 4, isBeforeSurgery: true, parts: 1 },
  { description: 'Breast lift', dollars: 9_492, dueIn: -41, isBeforeSurgery: false, parts: 4 },
  { description: 'Scar revision', dollars: 1_638.5, dueIn: -18, isBeforeSurgery: false, parts: 1 },
  { description: 'Neck lift', dollars: 9_266, dueIn: -97, isBeforeSurgery: false, parts: 3 },
  { description: 'Consultation, missed', dollars: 150, dueIn: 14, isBeforeSurgery: false, parts: 1 },
]

/**
 * A day at the front desk: receipts, a refund, and outstanding charges. Runs once: returns false when there are payments already, or when a
 * password has been changed.
 */
export async function takePayments(url: string, today: string): Promise<boolean> {
  const password = demoPassword
  const desk = await signIn(url, { email: staff.frontDesk.email, password })
  const billing = await signIn(url, { email: staff.billing.email, password })
  if (!desk || !billing || (await hasPayments(billing))) return false
  const { data: booked } = await desk.contacts.byStage({ stage: 'Surgery Booked' })
  const patients = booked.filter((contact): contact is typeof contact & { email: string } => contact.email !== null)
  const paid: { receiptId: string; patient: Patient }[] = []
  for (const [index, sale] of sales.entries()) {
    const patient = patients[index]
    if (patient) paid.push({ receiptId: await sell(desk, patient, sale), patient })
  }
  for (const [index, charge] of charges.entries()) {
    const patient = patients[index + 4]
    if (patient) await addCharge(desk, patient, charge, today)
  }
  await addArrangements(desk, billing, paid, patients.slice(4), today)
  return true
}

async function hasPayments(billing: Client): Promise<boolean> {
  const [receipts, receivables] = await Promise.all([billing.pos.receipts({ limit: 1 }), billing.collections.outstanding({})])
  return receipts.data.length > 0 || receivables.total > 0
}

async function sell(desk: Client, { firstName, lastName, email }: Patient, sale: Sale): Promise<string> {
  const customer = await desk.pos.createCustomer({ firstName, lastName, email })
  const [{ accounts }, { taxCodes }, { classes }, { items }] = await Promise.all([
    desk.pos.accounts(),
    desk.pos.taxCodes(),
    desk.pos.classes(),
    desk.pos.searchItems({ query: sale.item }),
  ])
  const item = items.find(({ name }) => name === sale.item) ?? items[0]!
  const taxCode = taxCodes.find(({ Name }) => Name === (sale.taxCode ?? 'HST ON'))!
  const unitPrice = sale.dollars * 100
  const rate = (taxCode.SalesTaxRateList[0]?.RateValue ?? 0) * 10_000
  const totals = totalsOf([{ unitPrice, quantity: 1, taxCodeId: taxCode.Id, rate }], sale.discount ?? 0)
  const account = accounts.find(({ Name }) => Name.startsWith(sale.method === 'Transfer' ? 'Undeposited' : 'Moneris')) ?? accounts[0]!
  const { receiptId } = await desk.pos.createReceipt({
    customerId: customer.Id,
    customerName: customer.name,
    classRef: classes[0]?.Id ?? null,
    lineItems: [
      {
        DetailType: 'SalesItemLineDetail',
        Amount: sale.dollars,
        Description: item.name,
        SalesItemLineDetail: {
          ItemRef: { value: item.qbItemId, name: item.name },
          UnitPrice: sale.dollars,
          Qty: 1,
          TaxCodeRef: { value: taxCode.Id },
        },
        ...(sale.exemptReason ? { exemptReason: sale.exemptReason } : {}),
      },
    ],
    subtotal: amountOfCents(totals.subtotal),
    discountPercent: amountOfCents(sale.discount ?? 0),
    discountAmount: amountOfCents(totals.discount),
    taxAmount: amountOfCents(totals.tax),
    total: amountOfCents(totals.total),
    depositAccount: account.Id,
    paymentMethod: sale.method,
    idempotencyKey: randomUUID(),
  })
  return receiptId
}

/** Adds a charge, in `parts` instalments a month apart. */
async function addCharge(desk: Client, { id }: Patient, charge: (typeof charges)[number], today: string): Promise<void> {
  const { description, dollars, dueIn, isBeforeSurgery, parts } = charge
  const amountCents = Math.round(dollars * 100)
  const dueOn = daysLater(today, dueIn)
  const part = Math.floor(amountCents / parts)
  const plan = Array.from({ length: parts }, (_, index) => ({
    dueOn: daysLater(dueOn, 30 * index),
    amountCents: index === parts - 1 ? amountCents - part * (parts - 1) : part,
  }))
  await desk.collections.addCharge({ contactId: id, description, amountCents, dueOn, isBeforeSurgery, plan: parts > 1 ? plan : [] })
}

/** Adds a deposit applied to a charge, a refund, a promise to pay, and a surgery on hold. */
async function addArrangements(
  desk: Client,
  billing: Client,
  paid: readonly { receiptId: string; patient: Patient }[],
  debtors: readonly Patient[],
  today: string,
): Promise<void> {
  const last = paid.at(-1)
  const isOutstanding = last && debtors.some(({ id }) => id === last.patient.id)
  if (isOutstanding) await desk.collections.applyAll({ contactId: last.patient.id, receiptId: last.receiptId })
  const [first] = paid
  if (first) {
    const { totalCents, depositAccountId, paymentMethod } = await billing.pos.receipt({ id: first.receiptId })
    await billing.pos.refund({
      id: first.receiptId,
      lines: [0],
      amountCents: totalCents,
      reason: 'Consultation moved to another clinic',
      depositAccount: depositAccountId,
      paymentMethod,
      idempotencyKey: randomUUID(),
    })
  }
  const [held, promising] = [debtors[0], debtors[3]]
  if (held) await desk.collections.hold({ contactId: held.id, isHeld: true, note: 'Until the balance is paid' })
  if (promising) {
    const amountCents = 100_000
    await desk.collections.promise({ contactId: promising.id, amountCents, dueOn: daysLater(today, 5), note: 'By phone, will call back' })
  }
}
