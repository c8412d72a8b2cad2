import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { differenceKinds, transactionKinds, payoutStates, payoutStatuses } from './rules.ts'

const tags = ['Payouts']
const get = (path: `/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })
const post = (path: `/${string}`, summary: string) => oc.route({ method: 'POST', path, tags, summary })

/** Filters of the list of payouts and of its export. */
export const payoutFilters = z.strictObject({ state: z.enum(payoutStates, 'Choose a state').optional() })
export type PayoutFilters = z.output<typeof payoutFilters>

const payoutPages = cursorPages(instantPlace, { limit: 50, max: 200 })

/** The place of a transaction, which has Stripe's id. */
const transactionPlace = z.strictObject({ at: instantPlace.shape.at, id: z.string().max(200) })
export type TransactionPlace = z.output<typeof transactionPlace>
const transactionPages = cursorPages(transactionPlace, { limit: 100, max: 100 })

const difference = z.object({
  kind: z.enum(differenceKinds),
  /** Stripe’s id of the transaction; null: the payout as a whole. */
  transactionId: z.string().nullable(),
  /** What our record says, or the payout. */
  expectedCents: z.number().int().nullable(),
  actualCents: z.number().int().nullable(),
})

const payout = z.object({
  id: z.uuid(),
  stripePayoutId: z.string(),
  state: z.enum(payoutStates),
  /** Stripe’s word. */
  status: z.enum(payoutStatuses),
  /** What reaches the bank. Negative: Stripe takes it from there. */
  amountCents: z.number().int(),
  currency: z.string(),
  arrivesOn: z.iso.date(),
  createdAt: z.date(),
  /** Gross, refunds, disputes and others, less the fees, are the amount, unless there are differences. Refunds are negative, fees positive. */
  grossCents: z.number().int(),
  refundCents: z.number().int(),
  disputeCents: z.number().int(),
  otherCents: z.number().int(),
  feeCents: z.number().int(),
  differences: z.array(difference),
  /** When the differences were found; to be sent back when they are accepted. */
  reconciledAt: z.date().nullable(),
  acceptedReason: z.string().nullable(),
  acceptedBy: z.uuid().nullable(),
  acceptedAt: z.date().nullable(),
  /** Why QuickBooks was not asked. */
  postingProblem: z.string().nullable(),
  /** The deposit in QuickBooks; null: QuickBooks was not asked. */
  deposit: z
    .object({
      state: z.enum(['pending', 'complete', 'failed']),
      qbId: z.string().nullable(),
      /** QuickBooks’ own total, once it has the deposit. */
      qbTotalCents: z.number().int().nullable(),
      isUncertain: z.boolean(),
      problem: z.string().nullable(),
      attempts: z.number().int(),
      nextAttemptAt: z.date().nullable(),
      completedAt: z.date().nullable(),
    })
    .nullable(),
})

const contact = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

/** One payout, with the payments of ours that its differences are about. */
const payoutDetails = payout.extend({
  differences: z.array(
    difference.extend({
      /** Whose money it is; null: no record of ours. */
      contact: contact.nullable(),
      card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
    }),
  ),
})

const transaction = z.object({
  /** Stripe’s id of the transaction. */
  id: z.string(),
  kind: z.enum(transactionKinds),
  /** Stripe’s reporting category. */
  category: z.string(),
  sourceId: z.string().nullable(),
  amountCents: z.number().int(),
  feeCents: z.number().int(),
  netCents: z.number().int(),
  createdAt: z.date(),
  /** Whose money it is; null: no record of ours. */
  contact: contact.nullable(),
  /** The receipt of the payment or refund; null: none yet. */
  receiptId: z.uuid().nullable(),
  /** In QuickBooks. */
  receiptNumber: z.string().nullable(),
  disputeId: z.uuid().nullable(),
})

const one = z.strictObject({ id: z.uuid() })
const noPayout = { NOT_FOUND: { status: 404, message: 'This payout does not exist' } } as const

/** What Stripe paid out to the practice's bank account, compared with our records and posted to QuickBooks. */
export const payoutsContract = {
  list: get('/payouts', 'List payouts, newest first, and count those with differences')
    .input(payoutFilters.extend(payoutPages.input))
    .output(payoutPages.output(payout).extend({ differing: z.number().int() })),
  overdue: get('/payouts/overdue', 'List payments that no payout holds although Stripe should have paid them out, oldest first').output(
    z.object({
      data: z.array(z.object({ id: z.uuid(), amountCents: z.number().int(), paidAt: z.date(), contact })),
      total: z.number().int(),
      /** Days after which a payment counts: a week more than the longest time between two payouts of the last three months. */
      afterDays: z.number().int(),
    }),
  ),
  get: get('/payouts/{id}', 'Get a payout with its differences').input(one).errors(noPayout).output(payoutDetails),
  transactions: get('/payouts/{id}/transactions', 'List the transactions of a payout, newest first')
    .input(one.extend(transactionPages.input))
    .errors(noPayout)
    .output(transactionPages.output(transaction)),
  check: post('/payouts/{id}/checks', 'Ask Stripe about a payout again and compare it again; idempotent')
    .input(one)
    .errors({
      ...noPayout,
      CARDS_UNAVAILABLE: {
        status: 503,
        message: 'Stripe is not available at the moment. Nothing was changed. Try again in a few minutes.',
      },
    })
    .output(payoutDetails),
  accept: post(
    '/payouts/{id}/acceptance',
    'Accept the differences of a payout, so that it is posted to QuickBooks as the bank shows it; idempotent',
  )
    .input(
      one.extend({
        reason: requiredText(500, 'Say why the differences are acceptable'),
        /** Of the payout that was seen. */
        reconciledAt: instant,
      }),
    )
    .errors({ ...noPayout, CHANGED: { status: 409, message: 'The differences have changed. Look at the payout again.' } })
    .output(payoutDetails),
  post: post('/payouts/{id}/posting', 'Record a payout in QuickBooks now; idempotent')
    .input(one)
    .errors({
      ...noPayout,
      NOT_READY: { status: 409, message: 'Only a paid payout without open differences is posted' },
      RECONNECT: { status: 409, message: 'QuickBooks is not connected. Ask an administrator to connect it in Settings.' },
      PENDING: { status: 503, message: 'QuickBooks is not answering. The payout is posted automatically when it does.' },
      REFUSED: { status: 422, message: 'QuickBooks refused this' },
    })
    .output(payoutDetails),
}
