import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalPersonName, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { cents } from '../collections/account-contract.ts'
import { receiptMessages, settling } from '../pos/receipt-contract.ts'
import { lineKinds } from './rules.ts'
import { quoteMessages, quoteLimits, quotedCase, quote, quotedItems } from './quote-contract.ts'
import { written, newQuote } from './written-contract.ts'

/** A procedure to quote, with its default lines. */
const quotedProcedure = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Inactive procedures are not offered for new quotes. */
  isActive: z.boolean(),
  /** When its price list was last changed; null: it has none. */
  pricesChangedAt: z.date().nullable(),
  prices: z.array(
    z.object({
      /** Null: a suggested line, because the procedure has no price list. */
      id: z.uuid().nullable(),
      kind: z.enum(lineKinds),
      description: z.string(),
      quantity: z.number().int(),
      unitPriceCents: z.number().int().nullable(),
      /** Null: the practice's default. */
      taxCodeId: z.string().nullable(),
    }),
  ),
})

const ofContact = z.strictObject({ contactId: z.uuid() })
const one = z.strictObject({ id: z.uuid() })
const version = z.number('The version is missing').int().min(1)
const fields = z.object({ fields: z.record(z.string(), z.string()) })

const noPatient = { NOT_FOUND: { status: 404, message: quoteMessages.noPatient } } as const
const noQuote = { NOT_FOUND: { status: 404, message: 'This quote does not exist' } } as const
const keyReused = { KEY_REUSED: { status: 409, message: 'This idempotency key was used for a different request' } } as const
const conflict = {
  CONFLICT: { status: 409, message: 'Someone has changed this quote in the meantime', data: z.object({ current: quote }) },
} as const
/** Also used by the portal's calls. */
export const quoteRefusals = {
  EXPIRED: { status: 409, message: quoteMessages.expiredForPatient },
  SUPERSEDED: { status: 409, message: quoteMessages.supersededForPatient },
  NOT_OPEN: { status: 409, message: quoteMessages.notOpenForPatient },
  TOTALS_DIFFER: { status: 422, message: quoteMessages.differsForPatient },
} as const
const expired = { EXPIRED: { status: 409, message: quoteMessages.expired } } as const
const superseded = { SUPERSEDED: { status: 409, message: quoteMessages.superseded } } as const
const notOpen = { NOT_OPEN: { status: 409, message: quoteMessages.notOpen } } as const
const unacceptable = { ...expired, ...superseded, ...notOpen } as const
const unwritable = {
  INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
  TOTALS_DIFFER: { status: 422, message: quoteMessages.totals, data: fields },
} as const
const wrongDay = { INVALID_REFERENCE: unwritable.INVALID_REFERENCE } as const
const financingErrors = {
  NOT_FOUND: { status: 404, message: 'This application for financing does not exist' },
  NOT_NEXT: { status: 409, message: 'This application is in another stage by now. Reload the page to see it.' },
} as const
const tags = ['Quotes']
const reason = requiredText(quoteLimits.reason, quoteMessages.reason)

export const quotesContract = {
  ofContact: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/quotes',
      tags,
      summary: "List a patient's quotes in all versions, newest first",
    })
    .input(ofContact)
    .errors(noPatient)
    .output(z.array(quote)),
  choices: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/quote-choices',
      tags,
      summary: 'List procedures with prices, surgeries and email addresses for a new quote',
    })
    .input(ofContact)
    .errors(noPatient)
    .output(
      z.object({
        cases: z.array(
          quotedCase.extend({
            priceCents: z.number().int().nullable(),
            procedureIds: z.array(z.uuid()),
            /** Whether it is upcoming and has no accepted quote, which makes it the likely case for a new quote. */
            isUnquoted: z.boolean(),
          }),
        ),
        procedures: z.array(quotedProcedure),
        /** The patient's procedure of interest. */
        procedureId: z.uuid().nullable(),
        addresses: z.array(z.string()),
      }),
    ),
  get: oc
    .route({ method: 'GET', path: '/quotes/{id}', tags, summary: 'Get one version of a quote' })
    .input(one)
    .errors(noQuote)
    .output(quote),
  quotedItems: oc
    .route({
      method: 'GET',
      path: '/charges/{chargeId}/quoted-items',
      tags,
      summary: 'Get the quote lines behind a charge, with their QuickBooks items',
    })
    .input(z.strictObject({ chargeId: z.uuid() }))
    .errors({ NOT_FOUND: { status: 404, message: 'This charge has no quote' } })
    .output(quotedItems),
  create: oc
    .route({ method: 'POST', path: '/quotes', tags, summary: 'Create a draft quote, once per idempotency key' })
    .input(newQuote)
    .errors({ ...unwritable, ...keyReused })
    .output(quote),
  change: oc
    .route({ method: 'PUT', path: '/quotes/{id}', tags, summary: 'Update a draft; a sent quote needs a new version' })
    .input(z.strictObject({ ...written, id: z.uuid(), version }))
    .errors({
      ...noQuote,
      ...conflict,
      ...unwritable,
      NOT_DRAFT: { status: 409, message: 'This quote was already sent. Make a new version instead.' },
    })
    .output(quote),
  revise: oc
    .route({ method: 'POST', path: '/quotes/{id}/versions', tags, summary: 'Replace a quote with a new draft version' })
    .input(one.extend({ idempotencyKey: idempotencyKeyShape }))
    .errors({ ...noQuote, ...keyReused, ...superseded, ...notOpen })
    .output(quote),
  send: oc
    .route({ method: 'POST', path: '/quotes/{id}/send', tags, summary: 'Email a quote as a PDF; without an address, mark it as delivered' })
    .input(
      one.extend({
        version,
        email: requiredText(254, 'Choose an address').nullable(),
        /** Also the ID of the email's timeline entry. */
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({ ...noQuote, ...conflict, ...keyReused, ...unacceptable, INVALID_REFERENCE: unwritable.INVALID_REFERENCE })
    .output(quote),
  accept: oc
    .route({ method: 'POST', path: '/quotes/{id}/accept', tags, summary: 'Accept a quote for a patient (idempotent)' })
    .input(one.extend({ totalCents: cents, name: optionalPersonName(quoteLimits.name, 'The name').default(null) }))
    .errors({ ...noQuote, ...unacceptable, TOTALS_DIFFER: unwritable.TOTALS_DIFFER })
    .output(quote),
  applyForFinancing: oc
    .route({ method: 'POST', path: '/quotes/{id}/financing', tags, summary: 'Record that a patient has applied to have a quote financed' })
    .input(one.extend({ provider: requiredLine(80, quoteMessages.provider), appliedOn: calendarDay }))
    .errors({ ...noQuote, ...notOpen, ...expired, ...wrongDay, FINANCED: { status: 409, message: quoteMessages.financed } })
    .output(quote),
  approveFinancing: oc
    .route({
      method: 'POST',
      path: '/financing/{id}/approval',
      tags,
      summary: 'Record that financing was approved, with the amount and the fee',
    })
    .input(
      one.extend({
        decidedOn: calendarDay,
        amountCents: cents,
        /** What the company keeps, in hundredths of a percent. */
        feePercent: z
          .number(quoteMessages.feePercent)
          .int(quoteMessages.feePercent)
          .min(0, quoteMessages.feePercent)
          .max(5_000, quoteMessages.feePercent),
      }),
    )
    .errors({ ...financingErrors, ...wrongDay })
    .output(quote),
  declineFinancing: oc
    .route({ method: 'POST', path: '/financing/{id}/decline', tags, summary: 'Record that financing was declined or is no longer wanted' })
    .input(one.extend({ decidedOn: calendarDay }))
    .errors({
      ...financingErrors,
      ...wrongDay,
      PAYING: { status: 409, message: 'The payment of this financing is recorded already. Cancel its receipt under Pending first.' },
    })
    .output(quote),
  payFinancing: oc
    .route({
      method: 'POST',
      path: '/financing/{id}/payment',
      tags,
      summary: 'Record what a financing company paid, once, with the fee that it kept',
    })
    .input(
      one
        .extend({
          /** What reached the clinic, and what the company kept, in cents. */
          paidCents: cents,
          feeCents: z
            .number(quoteMessages.money)
            .int(quoteMessages.money)
            .min(0, quoteMessages.money)
            .max(100_000_000, quoteMessages.money),
          paidOn: calendarDay,
          /** The account in QuickBooks that has the money. */
          depositAccount: requiredText(64, 'Choose an account'),
        })
        // Together they pay the patient's charge, so a fee without bounds would be a write-off.
        .refine(({ paidCents, feeCents }) => feeCents <= paidCents, { path: ['feeCents'], message: quoteMessages.highFee }),
    )
    .errors({
      ...financingErrors,
      ...settling,
      ...keyReused,
      ...wrongDay,
      NOT_CONNECTED: { status: 409, message: receiptMessages.reconnect },
      NO_ITEM: { status: 409, message: 'QuickBooks lacks the item for this' },
      NO_CUSTOMER: { status: 409, message: 'This patient has no email address, which QuickBooks needs. Add one first.' },
      AWAY: { status: 503, message: receiptMessages.away },
      NOT_ACCEPTED: { status: 409, message: 'Accept the quote first: the payment is applied to its charge' },
    })
    .output(quote),
  decline: oc
    .route({ method: 'POST', path: '/quotes/{id}/decline', tags, summary: 'Mark a quote as declined' })
    .input(one.extend({ reason }))
    .errors({ ...noQuote, ...superseded, ...notOpen })
    .output(quote),
  withdraw: oc
    .route({
      method: 'POST',
      path: '/quotes/{id}/withdraw',
      tags,
      summary: 'Withdraw a quote; an accepted one only by administrators and billing, while nothing is paid',
    })
    .input(one.extend({ reason }))
    .errors({ ...noQuote, ...notOpen, PAID: { status: 409, message: quoteMessages.paid } })
    .output(quote),
}
