/** A patient's account and a row of the outstanding list, as they are read. */
import { z } from 'zod'
import { receiptPrepaid } from '../payments/contract.ts'
import { type Ageing, ages, chargeSources, entryKinds, noteKinds } from './rules.ts'

export const collectionMessages = {
  emailRequired: 'Choose an email address',
  noEmail: 'This patient has no email address. Add one first, or print the statement.',
  marketing:
    'The template “Payment reminder” is in the category Marketing, which needs consent. Change its category under Settings, Email templates.',
  unknownAddress: 'This isn’t one of the patient’s email addresses',
  subject: 'Subject is required',
  text: 'Message is required',
  description: 'Enter a description',
  amount: 'Enter an amount of at least $0.01',
  dueOn: 'Due date is required',
  past: 'Choose today or a later day',
  plan: 'The instalments must sum to the amount',
  reason: 'Reason is required',
  tooMuch: 'This is more than the outstanding amount',
} as const

/** A million dollars: anything more is a typo. */
const maxCents = 100_000_000
export const cents = z
  .number(collectionMessages.amount)
  .int(collectionMessages.amount)
  .min(1, collectionMessages.amount)
  .max(maxCents, 'Enter at most $1,000,000.00')

const portion = z.object({ chargeId: z.uuid(), dueOn: z.string(), openCents: z.number().int(), isBeforeSurgery: z.boolean() })
const inCents = z.number().int()
export const ageing = z.object({
  current: inCents,
  days1to30: inCents,
  days31to60: inCents,
  days61to90: inCents,
  over90: inCents,
} satisfies Record<keyof Ageing, z.ZodNumber>)

const charge = z.object({
  id: z.uuid(),
  description: z.string(),
  amountCents: z.number().int(),
  /** The unpaid amount. */
  openCents: z.number().int(),
  dueOn: z.string(),
  isBeforeSurgery: z.boolean(),
  /** The day of the surgery that this must be paid before, if one is booked. Instalments due later aren't due before surgery. */
  surgeryDay: z.string().nullable(),
  plan: z.array(z.object({ dueOn: z.string(), amountCents: z.number().int() })),
  source: z.enum(chargeSources),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const entry = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  /** The change to the balance; negative for a credit. */
  amountCents: z.number().int(),
  chargeId: z.uuid().nullable(),
  receiptId: z.uuid().nullable(),
  description: z.string(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const deposit = z.object({
  receiptId: z.uuid(),
  docNumber: z.string().nullable(),
  totalCents: z.number().int(),
  /** The amount that is neither applied to a charge nor refunded. */
  leftCents: z.number().int(),
  completedAt: z.date().nullable(),
})

const payment = deposit.extend({
  paymentMethod: z.string().nullable(),
  /** The part of the total that gift cards, packages and credit paid. */
  prepaidCents: z.number().int(),
  prepaid: receiptPrepaid,
  /** Names of the items sold. */
  items: z.array(z.string()),
  refundedCents: z.number().int(),
  /** The amount applied to charges. */
  appliedCents: z.number().int(),
  /** The amount left as patient credit; 0 for a sale that paid for its own items. */
  creditCents: z.number().int(),
})

const note = z.object({
  id: z.uuid(),
  kind: z.enum(noteKinds),
  amountCents: z.number().int().nullable(),
  dueOn: z.string().nullable(),
  note: z.string().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})

export const account = z.object({
  balanceCents: z.number().int(),
  ageing,
  /** Open portions, most urgent first. */
  portions: z.array(portion),
  /** Newest first. */
  charges: z.array(charge),
  entries: z.array(entry),
  /** Payments received, newest first. */
  payments: z.array(payment),
  /** Payments with credit left, newest first. */
  deposits: z.array(deposit),
  notes: z.array(note),
  isHeld: z.boolean(),
})
export type Account = z.output<typeof account>

export const outstandingRow = z.object({
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }),
  /** The next surgery, otherwise the last one, otherwise the procedure of interest (which has no day). */
  procedure: z.object({ name: z.string(), surgeryDay: z.string().nullable() }).nullable(),
  /** What the open charges are for, most urgent first. */
  charges: z.array(z.string()),
  balanceCents: z.number().int(),
  ageing,
  beforeSurgeryCents: z.number().int(),
  /** The earliest due date, past or future. */
  nextDueOn: z.string(),
  isHeld: z.boolean(),
  promise: z.object({ amountCents: z.number().int().nullable(), dueOn: z.string().nullable() }).nullable(),
  lastContactDate: z.date().nullable(),
  ownerId: z.uuid().nullable(),
})
export type OutstandingRow = z.output<typeof outstandingRow>

/** Filters of the outstanding list. */
export const outstandingFilters = z.strictObject({
  show: z.enum(['all', 'late', 'before-surgery', 'held', 'promised']).default('all'),
  /** Patients with an amount in this ageing bucket. The totals still cover all patients. */
  age: z.enum(ages).optional(),
  ownerId: z.uuid().optional(),
})
export type OutstandingFilters = z.output<typeof outstandingFilters>
