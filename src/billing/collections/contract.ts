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
  description: 'Enter a description',
  amount: 'Enter an amount of at least $0.01',
  dueOn: 'Due date is required',
  past: 'Choose today or a later day',
  plan: 'The instalments must sum to the amount',
  reason: 'Reason is required',
  tooMuch: 'This is more than the outstanding amount',
} as const

/** Maximum lengths of a reminder, in characters. */
export const mailLimits = { subject: 300, text: 10_000 } as const

/** A million dollars: anything more is a typo. */
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

const account = z.object({
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

const outstandingRow = z.object({
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }),
  /** The next surgery, otherwise the last one, otherwise the procedure of interest (which has no day). */
  procedure: z.object({ name: z.string(), surgeryDay: z.string().nullable() }).nullable(),
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
const keyReused = { KEY_REUSED: { status: 409, message: 'This idempotency key was used for a different request' } } as const
/** Generated when a dialog opens; a repeated key never writes twice. Without a key, every call writes. */
const keyed = { idempotencyKey: idempotencyKeyShape.optional() }
const nothingOwed = {
  NOTHING_OWED: { status: 409, message: 'This patient has no outstanding balance, so there is nothing to send a reminder about' },
} as const
const pages = numberedPages({ limit: 50, max: 200 })

export const collectionsContract = {
  outstanding: oc
    .route({
      method: 'GET',
      path: '/collections/outstanding',
      tags,
      summary: 'List outstanding balances: due before surgery first, then the oldest',
    })
    .input(outstandingFilters.extend(pages.input))
    .output(pages.output(outstandingRow).extend({ balanceCents: z.number().int(), ageing })),
  outstandingCount: oc
    .route({ method: 'GET', path: '/collections/outstanding/count', tags, summary: 'Count patients with an outstanding balance' })
    .output(z.object({ count: z.number().int() })),
  account: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/account',
      tags,
      summary: "Get a patient's ledger: charges, payments and deposits",
    })
    .input(ofContact)
    .errors(noPatient)
    .output(account),
  addCharge: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/charges', tags, summary: 'Charge a patient in one amount or in instalments' })
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
      summary: 'Change the due dates of a charge; without instalments, all of it is due on one day',
    })
    .input(z.strictObject({ id: z.uuid(), dueOn: calendarDay, isBeforeSurgery: z.boolean(), plan }))
    .errors({
      ...noCharge,
      PLAN: { status: 422, message: collectionMessages.plan, data: z.object({ fields: z.record(z.string(), z.string()) }) },
    })
    .output(account),
  apply: oc
    .route({ method: 'POST', path: '/charges/{id}/payments', tags, summary: 'Apply all or part of a receipt to a charge' })
    .input(z.strictObject({ id: z.uuid(), receiptId: z.uuid(), amountCents: cents, ...keyed }))
    .errors({ ...noCharge, NO_RECEIPT: { status: 422, message: 'This patient has no receipt with this ID' }, ...tooMuch, ...keyReused })
    .output(account),
  applyAll: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/payments',
      tags,
      summary: 'Apply the rest of a receipt to outstanding charges, most urgent first',
    })
    .input(ofContact.extend({ receiptId: z.uuid() }))
    .errors({ ...noPatient, NO_RECEIPT: { status: 422, message: 'This patient has no receipt with this ID' } })
    .output(account),
  release: oc
    .route({ method: 'POST', path: '/charges/{id}/releases', tags, summary: 'Unapply a payment from a charge; it becomes a deposit' })
    .input(z.strictObject({ id: z.uuid(), receiptId: z.uuid(), amountCents: cents, ...keyed }))
    .errors({ ...noCharge, ...tooMuch, ...keyReused })
    .output(account),
  writeOff: oc
    .route({ method: 'POST', path: '/charges/{id}/write-offs', tags, summary: 'Write off part of an outstanding charge, with a reason' })
    .input(z.strictObject({ id: z.uuid(), amountCents: cents, reason: requiredLine(300, collectionMessages.reason), ...keyed }))
    .errors({ ...noCharge, ...tooMuch, ...keyReused })
    .output(account),
  void: oc
    .route({ method: 'POST', path: '/charges/{id}/void', tags, summary: 'Void a charge that has no payments' })
    .input(z.strictObject({ id: z.uuid(), reason: requiredLine(300, collectionMessages.reason), ...keyed }))
    .errors({ ...noCharge, CREDITED: { status: 409, message: 'Part of this charge has already been paid or written off' }, ...keyReused })
    .output(account),
  promise: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/promises', tags, summary: 'Record a promise to pay by a date' })
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
      summary: 'Put a surgery on hold until the balance is paid, or release the hold',
    })
    .input(ofContact.extend({ isHeld: z.boolean(), note: optionalText(500).default(null), ...keyed }))
    .errors({ ...noPatient, ...keyReused })
    .output(account),
  reminder: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/reminders',
      tags,
      summary: 'Get the payment reminder from its template, and the addresses it may be sent to',
    })
    .input(ofContact)
    .errors({ ...noPatient, ...nothingOwed })
    .output(
      z.object({
        addresses: z.array(z.string()),
        /** Addresses that can't receive email, each with the reason. */
        blocked: z.array(z.object({ address: z.string(), reason: z.string() })),
        /** Whether the template is in the Marketing category, which a reminder must not be. */
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
      summary: 'Email a patient a payment reminder with a statement of account',
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
        message: 'This address can’t receive email',
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
      MARKETING_TEMPLATE: { status: 409, message: collectionMessages.marketing },
      ...keyReused,
    })
    .output(account),
}
