import { oc } from '@orpc/contract'
import { z } from 'zod'
import { idempotencyKeyShape, requiredLine, requiredText } from '../../shared/text-shapes.ts'
import { posMessages } from '../pos/contract.ts'
import { settling } from '../pos/receipt-contract.ts'
import { prepaidEntryKinds, prepaidKinds, prepaidLimits } from './rules.ts'

export const prepaidMessages = {
  amount: 'Enter an amount of at least $0.01',
  tooMuchCredit: 'Enter at most $50,000.00',
  reason: 'Reason is required',
  code: 'Enter the code of the gift card',
} as const

const tags = ['Gift cards, packages and credit']
const fields = z.object({ fields: z.record(z.string(), z.string()) })
const keyed = { idempotencyKey: idempotencyKeyShape }
const ofContact = z.strictObject({ contactId: z.uuid() })
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const cents = z
  .number(prepaidMessages.amount)
  .int(prepaidMessages.amount)
  .min(1, prepaidMessages.amount)
  .max(prepaidLimits.creditCents, prepaidMessages.tooMuchCredit)

/** What recording a sale may answer. */
const recording = {
  ...settling,
  REFUSED: { status: 409, message: 'QuickBooks refused this', data: z.object({ receiptId: z.uuid() }) },
  INVALID_REFERENCE: { status: 422, message: 'Please check the marked fields', data: fields },
  KEY_REUSED: { status: 409, message: 'This idempotency key was used for another receipt' },
  NOT_CONNECTED: { status: 409, message: posMessages.reconnect },
  NO_ITEM: { status: 409, message: 'QuickBooks lacks the item for this' },
  NO_CUSTOMER: { status: 409, message: 'This patient has no email address, which QuickBooks needs. Add one first.' },
  AWAY: { status: 503, message: 'QuickBooks does not answer. Please try again in a moment.' },
} as const

const entry = z.object({
  id: z.uuid(),
  kind: z.enum(prepaidEntryKinds),
  /** The change to the balance, in cents, and of a package also in sessions. */
  amountCents: z.number().int(),
  sessions: z.number().int(),
  /** The sale or refund that it is part of. */
  receiptId: z.uuid(),
  docNumber: z.string().nullable(),
  reason: z.string().nullable(),
  /** Whether it is a session that was used and can be returned. */
  isUndoable: z.boolean(),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const balance = z.object({
  id: z.uuid(),
  kind: z.enum(prepaidKinds),
  /** Of a gift card: the last characters of its code. */
  last4: z.string().nullable(),
  /** Of a package. */
  itemName: z.string().nullable(),
  sessions: z.number().int().nullable(),
  sessionsLeft: z.number().int(),
  /** The last day on which a package can be used; null: it does not expire. */
  expiresOn: z.string().nullable(),
  /** What is left, in cents. */
  balanceCents: z.number().int(),
  createdAt: z.date(),
  /** Newest first. */
  entries: z.array(entry),
})
const balances = z.array(balance)

/** Gift cards, packages and store credit. They are sold, and gift cards and credit used, by `pos.createReceipt`. */
export const prepaidContract = {
  sellable: oc
    .route({ method: 'GET', path: '/prepaid/items', tags, summary: 'List what can be sold and used later, as items of QuickBooks' })
    .output(
      z.object({
        kinds: z.array(z.object({ kind: z.enum(prepaidKinds), itemId: z.string(), itemName: z.string() })),
        /** The items of what is prepaid, of goodwill and of financing fees, which no package contains. */
        notInPackages: z.array(z.string()),
        /** Gift cards and credit are sold with this tax code. */
        taxCodeId: z.string().nullable(),
      }),
    ),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/prepaid', tags, summary: 'List a patient’s gift cards, packages and credit' })
    .input(ofContact)
    .errors(noPatient)
    .output(balances),
  giftCard: oc
    .route({
      method: 'POST',
      path: '/gift-cards/lookups',
      tags,
      summary: 'Look up what is left of a gift card, by its code; changes nothing',
    })
    .input(z.strictObject({ code: requiredText(40, prepaidMessages.code) }))
    .errors({ NOT_FOUND: { status: 404, message: 'No gift card has this code' } })
    .output(z.object({ last4: z.string(), balanceCents: z.number().int() })),
  giveCredit: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/credits', tags, summary: 'Give a patient store credit, which the practice pays' })
    .input(ofContact.extend({ amountCents: cents, reason: requiredLine(300, prepaidMessages.reason), ...keyed }))
    .errors({ ...noPatient, ...recording })
    .output(balances),
  payCharge: oc
    .route({ method: 'POST', path: '/contacts/{contactId}/credit-payments', tags, summary: 'Pay towards a charge with store credit' })
    .input(ofContact.extend({ chargeId: z.uuid(), accountId: z.uuid(), amountCents: cents, ...keyed }))
    .errors({ ...noPatient, ...recording })
    .output(balances),
  takeSession: oc
    .route({ method: 'POST', path: '/packages/{id}/sessions', tags, summary: 'Use one session of a package' })
    .input(z.strictObject({ id: z.uuid(), ...keyed }))
    .errors({
      ...recording,
      NOT_FOUND: { status: 404, message: 'This package does not exist' },
      NO_SESSIONS: { status: 409, message: 'All sessions of this package were used' },
      EXPIRED: { status: 409, message: 'This package has expired' },
    })
    .output(balances),
  undoSession: oc
    .route({
      method: 'POST',
      path: '/packages/{id}/sessions/{receiptId}/return',
      tags,
      summary: 'Return a session that was used by mistake',
    })
    .input(z.strictObject({ id: z.uuid(), receiptId: z.uuid(), ...keyed }))
    .errors({
      ...recording,
      NOT_FOUND: { status: 404, message: 'This session does not exist' },
      RETURNED: { status: 409, message: 'This session was returned already' },
      UNCERTAIN: { status: 409, message: 'QuickBooks has not confirmed this session yet. Try again in a few minutes.' },
    })
    .output(balances),
}
