import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { numberedPages } from '../../shared/page-lists.ts'
import { idempotencyKeyShape, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { sumsTo } from './rules.ts'
import { collectionMessages, cents, ageing, account, outstandingRow, outstandingFilters } from './account-contract.ts'

/** Maximum lengths of a reminder, in characters. */
export const mailLimits = { subject: 300, text: 10_000 } as const

const instalment = z.strictObject({ dueOn: calendarDay, amountCents: cents })
const plan = z.array(instalment).max(60, 'A plan has at most 60 instalments')

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
  payLink: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/payment-link',
      tags,
      summary: 'Get the link by which a patient pays what is outstanding, and a text message to send it',
    })
    .input(ofContact)
    .errors({
      ...noPatient,
      NOTHING_OWED: { status: 409, message: 'This patient has no outstanding balance to pay by card' },
      NO_CARDS: { status: 409, message: 'This practice does not take card payments online' },
    })
    /** `text`: in the patient’s language. `expiresOn`: the last day on which the link works. */
    .output(z.object({ url: z.url(), text: z.string(), expiresOn: z.string() })),
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
