import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { numberedPages } from '../../shared/page-lists.ts'
import { idempotencyKeyShape, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { type Ageing, ages, chargeSources, entryKinds, noteKinds, sumsTo } from './rules.ts'

export const collectionMessages = {
  emailRequired: 'Choose an email address',
  noEmail: 'This patient has no email address. Add one first, or print the statement.',
  marketing:
    'The template “Payment reminder” is in the category Marketing, which needs consent. Change its category under Settings, Email templates.',
  unknownAddress: 'This isn’t one of the patient’s email addresses',
  subject: 'Subject is required',
  text: 'Message is required',
  description: 'Say what it is for',
  amount: 'Enter an amount of at least $0.01',
  dueOn: 'Due date is required',
  past: 'Choose today or a later day',
  plan: 'The instalments must sum to the amount',
  reason: 'Reason is required',
  tooMuch: 'This is more than is open',
} as const

/** Characters of a reminder. */
export const mailLimits = { subject: 300, text: 10_000 } as const

/** A million dollars: more is a slip of the finger. */
const maxCents = 100_000_000
export const cents = z
  .number(collectionMessages.amount)
  .int(collectionMessages.amount)
  .min(1, collectionMessages.amount)
  .max(maxCents, 'Enter at most $1,000,000.00')

const instalment = z.strictObject({ dueOn: calendarDay, amountCents: cents })
const plan = z.array(instalment).max(60, 'A plan has at most 60 instalments')

const portion = z.object({ chargeId: z.uuid(), dueOn: z.string(), openCents: z.number().int(), isBeforeSurgery: z.boolean() })
const inCents = z.number().int()
const ageing = z.object({
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
  /** What is still to be paid of it. */
  openCents: z.number().int(),
  dueOn: z.string(),
  isBeforeSurgery: z.boolean(),
  /** The day of the surgery that it has to be paid before, if one is booked: what is due later is not due before it. */
  surgeryDay: z.string().nullable(),
  plan: z.array(z.object({ dueOn: z.string(), amountCents: z.number().int() })),
  source: z.enum(chargeSources),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const entry = z.object({
  id: z.uuid(),
  kind: z.enum(entryKinds),
  /** What it adds to the balance; negative where it takes away. */
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
  /** What neither a charge nor a refund has taken of it. */
  leftCents: z.number().int(),
  completedAt: z.date().nullable(),
})

const payment = deposit.extend({
  paymentMethod: z.string().nullable(),
  /** The names of what was sold. */
  items: z.array(z.string()),
  refundedCents: z.number().int(),
  /** What charges have taken of it. */
  appliedCents: z.number().int(),
  /** What is left of it as a credit of the patient; none of a sale that paid for its own items. */
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

const account = z.object({
  balanceCents: z.number().int(),
  ageing,
  /** What is open, the most urgent first. */
  portions: z.array(portion),
  /** Newest first. */
  charges: z.array(charge),
  entries: z.array(entry),
  /** What was received, newest first. */
  payments: z.array(payment),
  /** The payments of which a credit is left, newest first. */
  deposits: z.array(deposit),
  notes: z.array(note),
  isHeld: z.boolean(),
})
export type Account = z.output<typeof account>

const owing = z.object({
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }),
  /** The booked surgery, otherwise the last one, otherwise the procedure of interest, which has no day. */
  procedure: z.object({ name: z.string(), surgeryDay: z.string().nullable() }).nullable(),
  balanceCents: z.number().int(),
  ageing,
  beforeSurgeryCents: z.number().int(),
  /** The earliest day on which something is, or was, due. */
  nextDueOn: z.string(),
  isHeld: z.boolean(),
  promise: z.object({ amountCents: z.number().int().nullable(), dueOn: z.string().nullable() }).nullable(),
  lastContactDate: z.date().nullable(),
  ownerId: z.uuid().nullable(),
})
export type Owing = z.output<typeof owing>

/** Whom the list of those who owe shows. */
export const outstandingFilters = z.strictObject({
  show: z.enum(['all', 'late', 'before-surgery', 'held', 'promised']).default('all'),
  /** Those of whom something is as late as this; the sums stay those of all. */
  age: z.enum(ages).optional(),
  ownerId: z.uuid().optional(),
})
export type OutstandingFilters = z.output<typeof outstandingFilters>

const ofContact = z.strictObject({ contactId: z.uuid() })
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const noCharge = { NOT_FOUND: { status: 404, message: 'This charge does not exist' } } as const
const tooMuch = {
  TOO_MUCH: {
    status: 422,
    message: collectionMessages.tooMuch,
    data: z.object({ fields: z.record(z.string(), z.string()), openCents: z.number().int() }),
  },
} as const
const tags = ['Collections']
const keyReused = { KEY_REUSED: { status: 409, message: 'This key belongs to something else' } } as const
/** Made when a dialog opens: the same key never writes a second time. Without one, each call writes. */
const keyed = { idempotencyKey: idempotencyKeyShape.optional() }
const nothingOwed = { NOTHING_OWED: { status: 409, message: 'Nothing is owed, so there is nothing to remind of' } } as const
const pages = numberedPages({ limit: 50, max: 200 })

export const collectionsContract = {
  owing: oc
    .route({
      method: 'GET',
      path: '/collections/owing',
      tags,
      summary: 'Who owes, balances due before a surgery first, then what is due the longest',
    })
    .input(outstandingFilters.extend(pages.input))
    .output(pages.output(owing).extend({ balanceCents: z.number().int(), ageing })),
  outstandingCount: oc
    .route({ method: 'GET', path: '/collections/owing/count', tags, summary: 'How many patients have a balance' })
    .output(z.object({ count: z.number().int() })),
  account: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/account',
      tags,
      summary: "A patient's ledger: charges, what was paid of them, and deposits",
    })
    .input(ofContact)
    .errors(noPatient)
    .output(account),
  addCharge: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/charges', tags, summary: 'Charge a patient, at once or in instalments' })
    .input(
      ofContact
        .extend({
          description: requiredLine(300, collectionMessages.description),
          amountCents: cents,
          dueOn: calendarDay,
          isBeforeSurgery: z.boolean().default(false),
          plan: plan.default([]),
          ...keyed,
        })
        .refine(({ plan, amountCents }) => plan.length === 0 || sumsTo(plan, amountCents), {
          path: ['plan'],
          message: collectionMessages.plan,
        }),
    )
    .errors({ ...noPatient, ...keyReused })
    .output(account),
  setPlan: oc
    .route({
      method: 'PUT',
      path: '/charges/{id}/plan',
      tags,
      summary: 'Agree on other days for what is charged; no instalments: all of it on its day',
    })
    .input(z.strictObject({ id: z.uuid(), dueOn: calendarDay, isBeforeSurgery: z.boolean(), plan }))
    .errors({
      ...noCharge,
      PLAN: { status: 422, message: collectionMessages.plan, data: z.object({ fields: z.record(z.string(), z.string()) }) },
    })
    .output(account),
  apply: oc
    .route({ method: 'POST', path: '/charges/{id}/payments', tags, summary: 'Apply a receipt, or a part of it, to a charge' })
    .input(z.strictObject({ id: z.uuid(), receiptId: z.uuid(), amountCents: cents, ...keyed }))
    .errors({ ...noCharge, NO_RECEIPT: { status: 422, message: 'This patient has no receipt with this ID' }, ...tooMuch, ...keyReused })
    .output(account),
  applyAll: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/payments',
      tags,
      summary: 'Apply what is left of a receipt to what is open, the most urgent first',
    })
    .input(ofContact.extend({ receiptId: z.uuid() }))
    .errors({ ...noPatient, NO_RECEIPT: { status: 422, message: 'This patient has no receipt with this ID' } })
    .output(account),
  release: oc
    .route({ method: 'POST', path: '/charges/{id}/releases', tags, summary: 'Take a payment off a charge again; it becomes a deposit' })
    .input(z.strictObject({ id: z.uuid(), receiptId: z.uuid(), amountCents: cents, ...keyed }))
    .errors({ ...noCharge, ...tooMuch, ...keyReused })
    .output(account),
  writeOff: oc
    .route({ method: 'POST', path: '/charges/{id}/write-offs', tags, summary: 'Give up a part of what is open, with a reason' })
    .input(z.strictObject({ id: z.uuid(), amountCents: cents, reason: requiredLine(300, collectionMessages.reason), ...keyed }))
    .errors({ ...noCharge, ...tooMuch, ...keyReused })
    .output(account),
  void: oc
    .route({ method: 'POST', path: '/charges/{id}/void', tags, summary: 'Make a charge void that nothing was paid of' })
    .input(z.strictObject({ id: z.uuid(), reason: requiredLine(300, collectionMessages.reason), ...keyed }))
    .errors({ ...noCharge, CREDITED: { status: 409, message: 'Something was paid or written off already' }, ...keyReused })
    .output(account),
  promise: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/promises', tags, summary: 'A patient promises to pay by a day' })
    .input(ofContact.extend({ amountCents: cents, dueOn: calendarDay, note: optionalText(500).default(null), ...keyed }))
    .errors({
      ...noPatient,
      ...keyReused,
      ...tooMuch,
      PAST: { status: 422, message: collectionMessages.past, data: z.object({ fields: z.record(z.string(), z.string()) }) },
    })
    .output(account),
  hold: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/hold',
      tags,
      summary: 'Let the surgery wait for what is owed, or let it wait no longer',
    })
    .input(ofContact.extend({ isHeld: z.boolean(), note: optionalText(500).default(null), ...keyed }))
    .errors({ ...noPatient, ...keyReused })
    .output(account),
  reminder: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/reminders',
      tags,
      summary: 'The payment reminder from its template, and the addresses it may go to',
    })
    .input(ofContact)
    .errors({ ...noPatient, ...nothingOwed })
    .output(
      z.object({
        addresses: z.array(z.string()),
        /** Addresses that no email may go to, each with the reason. */
        blocked: z.array(z.object({ address: z.string(), reason: z.string() })),
        /** The template is a marketing email, which a reminder must not be. */
        isMarketing: z.boolean(),
        subject: z.string(),
        text: z.string(),
      }),
    ),
  remind: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/reminders',
      tags,
      summary: 'Email a patient what they owe, with a statement of account',
    })
    .input(
      ofContact.extend({
        email: requiredText(254, collectionMessages.emailRequired),
        subject: requiredLine(mailLimits.subject, collectionMessages.subject),
        text: requiredText(mailLimits.text, collectionMessages.text),
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({
      ...noPatient,
      ...nothingOwed,
      INVALID_REFERENCE: {
        status: 422,
        message: collectionMessages.unknownAddress,
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
      NO_EMAIL: { status: 409, message: collectionMessages.noEmail },
      ADDRESS_BLOCKED: {
        status: 409,
        message: 'No email may go to this address',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
      MARKETING_TEMPLATE: { status: 409, message: collectionMessages.marketing },
      ...keyReused,
    })
    .output(account),
}
