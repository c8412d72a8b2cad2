import { oc } from '@orpc/contract'
import { z } from 'zod'
import { idempotencyKeyShape, requiredLine } from '../../shared/text-shapes.ts'
import { feeKinds, feeStates } from './rules.ts'

const visitMoney = z.object({
  /** What the patient accepted when booking. */
  terms: z.object({
    text: z.string(),
    acceptedAt: z.date(),
    depositCents: z.number().int(),
    lateFeeCents: z.number().int(),
    /** The last moment at which it can be cancelled at no charge. */
    freeUntil: z.date(),
  }),
  /** `due`: not paid. `returned`: it goes back to the card, or went. */
  deposit: z.enum(['none', 'due', 'paid', 'returned']),
  /** The card that paid the deposit, to which it goes back; null: not known. */
  depositCard: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** The saved card that a fee would be charged to; null: there is none. */
  card: z.object({ brand: z.string(), last4: z.string(), expiryMonth: z.number().int(), expiryYear: z.number().int() }).nullable(),
  /** The fee that the terms ask for now, while no one has decided about it. */
  due: z.object({ kind: z.enum(feeKinds), amountCents: z.number().int() }).nullable(),
  fee: z
    .object({
      kind: z.enum(feeKinds),
      amountCents: z.number().int(),
      state: z.enum(feeStates),
      /** What is not paid of it. */
      openCents: z.number().int(),
      /** What it took of the deposit, or will take while it is being charged. */
      fromDepositCents: z.number().int(),
      failureCode: z.string().nullable(),
      reason: z.string().nullable(),
      at: z.date(),
      /** Whether the visit was booked again since. There is no other fee for it. */
      isEarlier: z.boolean(),
    })
    .nullable(),
})
export type VisitMoney = z.output<typeof visitMoney>

const tags = ['Visit fees']
const one = z.strictObject({ id: z.uuid() })
const noVisit = { NOT_FOUND: { status: 404, message: 'This appointment does not exist' } } as const
const paying = {
  PAYING: { status: 409, message: 'The patient has paid by card. Try again once QuickBooks has the payment.' },
} as const
const notDue = { NOT_DUE: { status: 409, message: 'No fee is due for this visit. Reload the page to see why.' } } as const

export const visitFeesContract = {
  ofAppointment: oc
    .route({
      method: 'GET',
      path: '/appointments/{id}/fee',
      tags,
      summary: 'Get the deposit, the saved card and the fee of an appointment',
    })
    .input(one)
    .errors(noVisit)
    /** Null: the patient accepted no terms. */
    .output(visitMoney.nullable()),
  charge: oc
    .route({
      method: 'POST',
      path: '/appointments/{id}/fee',
      tags,
      summary: 'Charge the fee of a missed or late-cancelled visit: from the deposit first, then to the saved card',
    })
    .input(one.extend({ /** The same key charges once; another key tries a refused card again. */ idempotencyKey: idempotencyKeyShape }))
    .errors({ ...noVisit, ...notDue, ...paying })
    .output(visitMoney.nullable()),
  waive: oc
    .route({
      method: 'POST',
      path: '/appointments/{id}/fee-waiver',
      tags,
      summary: 'Charge no fee, also none whose card was refused, and give the deposit back; idempotent',
    })
    .input(one.extend({ reason: requiredLine(200, 'Enter a reason') }))
    .errors({ ...noVisit, ...notDue, ...paying })
    .output(visitMoney.nullable()),
}
