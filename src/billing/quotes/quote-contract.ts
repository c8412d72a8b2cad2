/** A quote as it is read, by staff and by its patient, and what the screens say about one. */
import { z } from 'zod'
import { posMessages } from '../pos/contract.ts'
import { financingStatuses } from './financing-rules.ts'
import { lineKinds, quoteStatuses, shownStatuses } from './rules.ts'

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
  provider: 'Enter the financing company',
  financed: 'This quote has an open application for financing already',
  highFee: 'The fee cannot be more than what was paid to the clinic',
  feePercent: 'Enter a fee from 0 to 50 percent',
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

export const quotedCase = z.object({ id: z.uuid(), procedures: z.array(z.string()), startsAt: z.date() })

/** The latest application to have a quote financed. */
const financing = z.object({
  id: z.uuid(),
  provider: z.string(),
  status: z.enum(financingStatuses),
  appliedOn: z.string(),
  decidedOn: z.string().nullable(),
  approvedCents: z.number().int().nullable(),
  /** What the company keeps, in hundredths of a percent. */
  feePercent: z.number().int().nullable(),
  receiptId: z.uuid().nullable(),
  paidOn: z.string().nullable(),
  /** What reached the clinic, and what the company kept, in cents. */
  paidCents: z.number().int().nullable(),
  feeCents: z.number().int().nullable(),
})

export const quote = z.object({
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
  financing: financing.nullable(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})
export type Quote = z.output<typeof quote>

/** The items of a quote for the point of sale. */
export const quotedItems = z.object({
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
  .pick({ id: true, number: true, revision: true, title: true, note: true, validUntil: true, taxes: true })
  .extend({
    /** In French, if it names procedures that have a French name; likewise the lines. */
    titleFr: z.string().nullable(),
    lines: z.array(line.extend({ wordsFr: z.string().nullable() })),
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
    /** What is due of an accepted quote now or next, in cents, and the page where it can be paid by card, for an hour. Null: nothing, or it can't. */
    payment: z.object({ dueCents: z.number().int(), path: z.string() }).nullable(),
    /** A signed link to its PDF. It needs no cookie, so anyone with it can open it, but only for a minute and during the session. */
    fileUrl: z.string(),
  })
export type PatientQuote = z.output<typeof patientQuote>
