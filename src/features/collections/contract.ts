import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { chargeSources, entryKinds, noteKinds, sumsTo } from './rules.ts'

export const collectionMessages = {
  emailRequired: 'Choose an address',
  stranger: 'This is no address of the patient',
  subject: 'Subject is required',
  text: 'Write what the mail says',
  description: 'Say what it is for',
  amount: 'Enter an amount of at least $0.01',
  dueOn: 'Due date is required',
  past: 'Choose today or a later day',
  plan: 'The instalments must sum to the amount',
  reason: 'Reason is required',
  tooMuch: 'This is more than is open',
} as const

/** Characters of a reminder. */
export const mailLimits = { subject: 200, text: 5_000 } as const

/** A million dollars: more is a slip of the finger. */
const mostCents = 100_000_000
export const cents = z
  .number(collectionMessages.amount)
  .int(collectionMessages.amount)
  .min(1, collectionMessages.amount)
  .max(mostCents, 'Enter at most $1,000,000.00')

const instalment = z.strictObject({ dueOn: calendarDay, amountCents: cents })
const plan = z.array(instalment).max(60, 'A plan has at most 60 instalments')

const portion = z.object({ chargeId: z.uuid(), dueOn: z.string(), openCents: z.number().int(), isBeforeSurgery: z.boolean() })
const ageing = z.object({ current: z.number().int(), days30: z.number().int(), days60: z.number().int(), days90: z.number().int() })

const charge = z.object({
  id: z.uuid(),
  description: z.string(),
  amountCents: z.number().int(),
  /** What is still to be paid of it. */
  openCents: z.number().int(),
  dueOn: z.string(),
  isBeforeSurgery: z.boolean(),
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
  /** What no charge has taken of it. */
  leftCents: z.number().int(),
  completedAt: z.date().nullable(),
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
  deposits: z.array(deposit),
  notes: z.array(note),
  isHeld: z.boolean(),
})
export type Account = z.output<typeof account>

const owing = z.object({
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }),
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
export const owingFilters = z.strictObject({
  show: z.enum(['all', 'late', 'before-surgery', 'held', 'promised']).default('all'),
  ownerId: z.uuid().optional(),
})
export type OwingFilters = z.output<typeof owingFilters>

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
const keyed = { idempotencyKey: z.uuid('This is no key').optional() }
const nothingOwed = { NOTHING_OWED: { status: 409, message: 'Nothing is owed, so there is nothing to remind of' } } as const
/** As many as a page of those who owe has. */
export const owingPage = 50

export const collectionsContract = {
  owing: oc
    .route({
      method: 'GET',
      path: '/collections/owing',
      tags,
      summary: 'Who owes, balances due before a surgery first, then what is due the longest',
    })
    .input(owingFilters.extend({ page: z.coerce.number<number | string>().int().min(1).max(10_000).default(1) }))
    .output(z.object({ data: z.array(owing).max(owingPage), total: z.number().int(), balanceCents: z.number().int(), ageing })),
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
    .errors({ ...noCharge, NO_RECEIPT: { status: 422, message: 'This patient has no such receipt' }, ...tooMuch, ...keyReused })
    .output(account),
  applyAll: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/payments',
      tags,
      summary: 'Apply what is left of a receipt to what is open, the most urgent first',
    })
    .input(ofContact.extend({ receiptId: z.uuid() }))
    .errors({ ...noPatient, NO_RECEIPT: { status: 422, message: 'This patient has no such receipt' } })
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
      summary: 'What a reminder of what is owed could say, and where it may go',
    })
    .input(ofContact)
    .errors({ ...noPatient, ...nothingOwed })
    .output(z.object({ addresses: z.array(z.string()), subject: z.string(), text: z.string() })),
  remind: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/reminders',
      tags,
      summary: 'E-mail a patient what they owe, with a statement of account',
    })
    .input(
      ofContact.extend({
        email: requiredText(254, collectionMessages.emailRequired),
        subject: requiredLine(mailLimits.subject, collectionMessages.subject),
        text: requiredText(mailLimits.text, collectionMessages.text),
        idempotencyKey: z.uuid('This is no key'),
      }),
    )
    .errors({
      ...noPatient,
      ...nothingOwed,
      INVALID_REFERENCE: {
        status: 422,
        message: collectionMessages.stranger,
        data: z.object({ fields: z.record(z.string(), z.string()) }),
      },
      ...keyReused,
    })
    .output(account),
}
