import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'
import { requiredText } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { maxStatement } from './rules.ts'

const tags = ['Disputes']

export const disputeFilters = z.strictObject({ state: z.enum(['open', 'over'], 'Choose a state').optional() })
export type DisputeFilters = z.output<typeof disputeFilters>

/** The place of a dispute: of one that waits for evidence its deadline, of others when they were opened. */
const disputePlace = instantPlace.extend({ isOpen: z.boolean() })
export type DisputePlace = z.output<typeof disputePlace>
const disputePages = cursorPages(disputePlace, { limit: 50, max: 200 })

const dispute = z.object({
  id: z.uuid(),
  stripeDisputeId: z.string(),
  contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }),
  amountCents: z.number().int(),
  /** Stripe’s words, such as 'fraudulent' and 'needs_response'. */
  reason: z.string(),
  status: z.string(),
  /** By when evidence has to be submitted. */
  dueBy: z.date().nullable(),
  createdAt: z.date(),
  paidAt: z.date().nullable(),
  cardBrand: z.string().nullable(),
  cardLast4: z.string().nullable(),
  /** Since when evidence is on its way to Stripe, when Stripe had it, and why Stripe refused it. */
  evidenceAt: z.date().nullable(),
  submittedAt: z.date().nullable(),
  evidenceProblem: z.string().nullable(),
})

const place = { address: z.string().nullable(), device: z.string().nullable() }
const details = dispute.extend({
  /** Of the statement; to be sent back when it is saved or submitted. */
  version: z.number().int(),
  /** What is written to the bank: as submitted, as staff changed it, or as proposed. */
  statement: z.string(),
  /** Facts of the record. No procedures, and no words of messages. */
  evidence: z.object({
    patient: z.object({ name: z.string(), email: z.string().nullable() }),
    payment: z.object({
      amountCents: z.number().int(),
      paidAt: z.date(),
      isInPerson: z.boolean(),
      card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
      ...place,
      startedAt: z.date(),
    }),
    acceptances: z.array(z.object({ title: z.string(), text: z.string(), acceptedAt: z.date(), ...place })),
    receipt: z.object({ number: z.string().nullable(), totalCents: z.number().int(), completedAt: z.date().nullable() }).nullable(),
    /** The visit that the payment is for. Its day is submitted as the date of the service. */
    serviceAt: z.date().nullable(),
    visits: z.array(z.object({ startsAt: z.date(), status: z.string() })),
    /** Null: a call, of which no one recorded who called. */
    contacts: z.array(z.object({ at: z.date(), channel: z.string(), isFromPatient: z.boolean().nullable() })),
    /** Names are null for those who only submit evidence; all is null for those who neither submit it nor see a patient’s consent forms. */
    consents: z.array(z.object({ name: z.string().nullable(), signedAt: z.date() })).nullable(),
  }),
})

const one = z.strictObject({ id: z.uuid() })
const statement = requiredText(maxStatement, `Write a statement of at most ${maxStatement.toLocaleString('en-CA')} characters`)
const noDispute = { NOT_FOUND: { status: 404, message: 'This dispute does not exist' } } as const
const closed = { CLOSED: { status: 409, message: 'This dispute no longer takes evidence' } } as const
const submitted = { SUBMITTED: { status: 409, message: 'Evidence was already submitted. It can be submitted once.' } } as const

/** Payments that cardholders dispute with their bank, and the evidence that the practice submits. */
export const disputesContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/disputes',
      tags,
      summary:
        'List disputed card payments, those that wait for evidence by their deadline and the others newest first, and count the first',
    })
    .input(disputeFilters.extend(disputePages.input))
    .output(disputePages.output(dispute).extend({ open: z.number().int() })),
  get: oc
    .route({ method: 'GET', path: '/disputes/{id}', tags, summary: 'Get a dispute with its prepared evidence' })
    .input(one)
    .errors(noDispute)
    .output(details),
  save: oc
    .route({ method: 'PUT', path: '/disputes/{id}/statement', tags, summary: 'Keep the statement to the bank without submitting it' })
    .input(one.extend({ version, statement }))
    .errors({ ...noDispute, ...closed, ...submitted, ...changedMeanwhile })
    .output(details),
  accept: oc
    .route({
      method: 'POST',
      path: '/disputes/{id}/acceptance',
      tags,
      summary: 'Accept a dispute, so that the cardholder keeps the money; final, and idempotent',
    })
    .input(one)
    .errors({
      ...noDispute,
      ...closed,
      ...submitted,
      CARD_REFUSED: { status: 422, message: 'Stripe refused this' },
      CARDS_UNAVAILABLE: { status: 503, message: 'Stripe is not available at the moment. Please try again in a few minutes.' },
    })
    .output(details),
  submit: oc
    .route({
      method: 'POST',
      path: '/disputes/{id}/submission',
      tags,
      summary: 'Submit the evidence to the bank, once; the same statement again is the same submission',
    })
    .input(one.extend({ version, statement }))
    .errors({
      ...noDispute,
      ...closed,
      ...submitted,
      ...changedMeanwhile,
      CARD_REFUSED: { status: 422, message: 'Stripe refused the evidence' },
      CARDS_UNAVAILABLE: {
        status: 503,
        message: 'Stripe is not available at the moment. The evidence is kept and is submitted as soon as it is.',
      },
    })
    .output(details),
}
