import { oc } from '@orpc/contract'
import { z } from 'zod'
import { receiptKinds } from '../billing/payments/contract.ts'
import { claim } from './home-contract.ts'
import { portalMessages } from './rules.ts'

const account = z.object({
  /** What is owed, one line for each due date. */
  portions: z.array(z.object({ cents: z.number().int(), dueOn: z.string(), isBeforeSurgery: z.boolean() })),
  /** Paid by card, in cents, and not among the receipts yet; it is still part of what is owed. */
  underWayCents: z.number().int(),
  /** The page where what is owed can be paid by card, for an hour; null: it can't. */
  payPath: z.string().nullable(),
  /** Sales and refunds in QuickBooks, newest first. */
  receipts: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(receiptKinds),
      number: z.string().nullable(),
      items: z.array(z.object({ name: z.string(), nameFr: z.string().nullable() })),
      /** Taken in advance, and how much of it, in cents, has paid charges since: that part is a payment, the rest is still a deposit. */
      isDeposit: z.boolean(),
      appliedCents: z.number().int(),
      /** Negative for a refund. */
      totalCents: z.number().int(),
      paymentMethod: z.string().nullable(),
      createdAt: z.date(),
      /** A signed link to the PDF, for one minute and only while the session is active. */
      fileUrl: z.string(),
    }),
  ),
})
export type OwnAccount = z.output<typeof account>

/** What the session's patient has paid and owes. */
export const receiptsContract = {
  fetchReceipts: oc
    .route({
      method: 'POST',
      path: '/functions/patient-receipts-fetch',
      summary: 'List the receipts and the open balance of the session’s patient',
      tags: ['Patient portal'],
    })
    .input(claim)
    .errors({
      SESSION_OVER: { status: 401, message: portalMessages.sessionOver },
      NOT_FOUND: { status: 404, message: 'Patient not found' },
    })
    .output(account),
}
