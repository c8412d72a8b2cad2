import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalPersonName, optionalText, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { cents } from '../collections/contract.ts'
import { posMessages } from '../pos/contract.ts'
import { cartLimits } from '../pos/rules.ts'
import { discountLimit, lineKinds, quoteStatuses, shownStatuses } from './rules.ts'

export const quoteMessages = {
  title: 'Enter a title for the quote',
  words: 'Enter a description',
  kind: 'Choose a line type',
  lines: 'Add at least one line',
  money: posMessages.money,
  quantity: posMessages.quantity,
  taxCode: 'Choose a tax code',
  unknownTaxCode: 'This tax code was not found in QuickBooks',
  exemptReason: posMessages.exemptReason,
  validUntil: 'Enter the last valid day',
  past: 'Choose today or a later day',
  pastDraft: 'Choose a later "valid until" first.',
  pastInstalment: 'An instalment is due before today: choose today or a later day',
  plan: 'Deposit and instalments must sum to the total',
  noPatient: 'This patient does not exist',
  noCase: 'This patient has no surgery with this ID',
  unknownAddress: 'This isn’t one of the patient’s email addresses',
  reason: 'Reason is required',
  name: 'Type the full name as a signature',
  expired: 'This quote has expired. You can create a new version.',
  superseded: 'There is a newer version of this quote. Only the newest can be accepted.',
  notOpen: 'This quote is no longer open',
  expiredForPatient: 'This quote has expired. Please call us for a new one.',
  supersededForPatient: 'We have changed this quote. Please read the newest version.',
  notOpenForPatient: 'This quote is closed. Please call us if you have a question.',
  differsForPatient: 'This quote has changed since you read it. Please read it again.',
  paid: 'Part of this quote has already been paid. Unapply the payments from its charge first.',
  atLeast: 'The quote must total at least $0.01',
  discountPercent: 'Enter a percentage from 0.01 to 99.99. At least $0.01 must remain.',
  discountTooMuch: 'The discount is more than the subtotal',
  discountLeavesNothing: 'At least $0.01 must remain. Enter a smaller discount.',
  totals: 'The amounts do not add up to what was confirmed. Nothing was saved.',
} as const

export const quoteLimits = {
  lines: 50,
  instalments: 60,
  title: 200,
  words: 200,
  note: 2_000,
  reason: 500,
  name: 200,
  paymentName: 80,
} as const

const line = z.object({
  kind: z.enum(lineKinds),
  words: z.string(),
  quantity: z.number().int(),
  unitPriceCents: z.number().int(),
  amountCents: z.number().int(),
  taxCodeId: z.string(),
  taxCodeName: z.string(),
  /** In millionths, as it was when the line was priced. */
  taxRate: z.number().int(),
  taxCents: z.number().int(),
  exemptReason: z.string().nullable(),
  /** The price-list price that the line was created from. */
  priceId: z.uuid().nullable().default(null),
})
export type QuoteLine = z.output<typeof line>

const tax = z.object({ taxCodeId: z.string(), name: z.string(), rate: z.number().int(), base: z.number().int(), tax: z.number().int() })
export type QuoteTax = z.output<typeof tax>

const part = z.object({
  dueOn: z.string(),
  amountCents: z.number().int(),
  /** Null: the default name. Missing in quotes from before instalments had names. */
  name: z.string().nullable().default(null),
})
export type QuotePart = z.output<typeof part>
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
const quotedCase = z.object({ id: z.uuid(), procedures: z.array(z.string()), startsAt: z.date() })

const quote = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contactId: z.uuid(),
  number: z.number().int(),
  /** Which version of the quote it is, from 1. */
  revision: z.number().int(),
  isNewest: z.boolean(),
  title: z.string(),
  note: z.string().nullable(),
  status: z.enum(quoteStatuses),
  /** 'expired' if it was sent and is no longer valid. */
  shownStatus: z.enum(shownStatuses),
  validUntil: z.string(),
  surgery: quotedCase.nullable(),
  lines: z.array(line),
  taxes: z.array(tax),
  subtotalCents: z.number().int(),
  /** In hundredths of a percent; null for an amount, or without a discount. */
  discountPercent: z.number().int().nullable(),
  /** The discount amount before tax. */
  discountCents: z.number().int(),
  taxCents: z.number().int(),
  totalCents: z.number().int(),
  depositCents: z.number().int(),
  depositName: z.string().nullable(),
  instalments: z.array(part),
  isBeforeSurgery: z.boolean(),
  sentAt: z.date().nullable(),
  sentBy: z.uuid().nullable(),
  sentTo: z.string().nullable(),
  acceptedAt: z.date().nullable(),
  /** Null with a time: accepted by the patient in the portal. */
  acceptedBy: z.uuid().nullable(),
  acceptedName: z.string().nullable(),
  acceptedAddress: z.string().nullable(),
  chargeId: z.uuid().nullable(),
  endedAt: z.date().nullable(),
  endedBy: z.uuid().nullable(),
  endReason: z.string().nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})
export type Quote = z.output<typeof quote>

/** The items of a quote for the point of sale. */
const quotedItems = z.object({
  /** The receipt's discount in hundredths of a percent; 0: none, or an amount already deducted from the prices. */
  discountPercent: z.number().int(),
  lines: z.array(
    line
      .pick({ words: true, quantity: true, unitPriceCents: true, taxCodeId: true, exemptReason: true })
      .extend({ item: z.object({ id: z.string(), name: z.string() }).nullable() }),
  ),
})
export type QuotedItems = z.output<typeof quotedItems>

/** The quote as its patient sees it. */
export const patientQuote = quote
  .pick({ id: true, number: true, revision: true, title: true, note: true, validUntil: true, lines: true, taxes: true })
  .extend({
    shownStatus: z.enum(['sent', 'expired', 'accepted', 'declined']),
    subtotalCents: z.number().int(),
    discountPercent: z.number().int().nullable(),
    discountCents: z.number().int(),
    totalCents: z.number().int(),
    depositCents: z.number().int(),
    depositName: z.string().nullable(),
    instalments: z.array(part),
    isBeforeSurgery: z.boolean(),
    /** The day of its surgery; null: none is booked. */
    surgeryDay: z.string().nullable(),
    acceptedAt: z.date().nullable(),
    acceptedName: z.string().nullable(),
    endedAt: z.date().nullable(),
    /** A signed link to its PDF. It needs no cookie, so anyone with it can open it, but only for a minute and during the session. */
    fileUrl: z.string(),
  })
export type PatientQuote = z.output<typeof patientQuote>

/** A tax code's id in QuickBooks, or 'TAX' for the practice's own. */
const newLine = z.strictObject({
  kind: z.enum(lineKinds, quoteMessages.kind),
  words: requiredLine(quoteLimits.words, quoteMessages.words),
  quantity: z
    .number(quoteMessages.quantity)
    .int(quoteMessages.quantity)
    .min(1, quoteMessages.quantity)
    .max(cartLimits.quantity, quoteMessages.quantity),
  unitPriceCents: z
    .number(quoteMessages.money)
    .int(quoteMessages.money)
    .min(0, quoteMessages.money)
    .max(cartLimits.unitPrice, quoteMessages.money),
  taxCodeId: requiredText(64, quoteMessages.taxCode),
  exemptReason: optionalText(200).default(null),
  priceId: z.uuid().nullable().default(null),
})

/** The name of a scheduled payment; empty: the default name. */
const paymentName = optionalText(quoteLimits.paymentName).default(null)

const written = {
  surgeryId: z.uuid().nullable().default(null),
  title: requiredLine(quoteLimits.title, quoteMessages.title),
  note: optionalText(quoteLimits.note).default(null),
  validUntil: calendarDay,
  lines: z.array(newLine).min(1, quoteMessages.lines).max(quoteLimits.lines, `A quote has at most ${quoteLimits.lines} lines`),
  /** Due on acceptance. */
  depositCents: z.number(quoteMessages.money).int(quoteMessages.money).min(0, quoteMessages.money).max(100_000_000, quoteMessages.money),
  depositName: paymentName,
  instalments: z
    .array(z.strictObject({ dueOn: calendarDay, amountCents: cents, name: paymentName }))
    .max(quoteLimits.instalments, `A plan has at most ${quoteLimits.instalments} instalments`),
  isBeforeSurgery: z.boolean().default(false),
  /** In hundredths of a percent; null: `discountCents` is a fixed amount. */
  discountPercent: z
    .number(quoteMessages.discountPercent)
    .int(quoteMessages.discountPercent)
    .min(1, quoteMessages.discountPercent)
    .max(discountLimit, quoteMessages.discountPercent)
    .nullable()
    .default(null),
  discountCents: z
    .number(quoteMessages.money)
    .int(quoteMessages.money)
    .min(0, quoteMessages.money)
    .max(100_000_000, quoteMessages.money)
    .default(0),
  /** The totals shown to the author. The server recomputes them from the lines and refuses different ones. */
  subtotalCents: z.number().int().min(0).max(100_000_000),
  taxCents: z.number().int().min(0).max(100_000_000),
  /** A total of 0 is refused with an error on the discount or the lines. */
  totalCents: z.number().int().min(0).max(100_000_000),
}

const newQuote = z.strictObject({ ...written, contactId: z.uuid(), idempotencyKey: idempotencyKeyShape })
export type NewQuote = z.output<typeof newQuote>
export type Written = Omit<NewQuote, 'contactId' | 'idempotencyKey'>

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
