import { oc } from '@orpc/contract'
import { z } from 'zod'
import { outcome, tooManyTests } from '../../platform/connection-tests/contract.ts'

/** The external systems that an administrator can test. QuickBooks has its own calls. */
export const systems = ['postmark', 'twilio', 'stripe', 'storage', 'clamd', 'timestamps', 'mailboxes'] as const
export type System = (typeof systems)[number]

const connection = z.object({
  system: z.enum(systems),
  /** Whether the server is configured to use it. */
  isSetUp: z.boolean(),
  /** For mailboxes: how many are connected, and how many must be reconnected. */
  connected: z.number().int().nullable(),
  broken: z.number().int().nullable(),
  /** For Stripe, if the practice takes cards. */
  cards: z
    .object({
      /** Whether cards are really charged: the key is not one for tests. */
      isLive: z.boolean(),
      /** Whether Stripe's events are accepted, and when the last one came. */
      acceptsEvents: z.boolean(),
      lastEventAt: z.date().nullable(),
      /** The names of QuickBooks' accounts: where card payments are deposited, payouts arrive, and fees and disputed money are posted. */
      accounts: z.object({ payments: z.string(), payouts: z.string(), fees: z.string(), disputes: z.string() }),
    })
    .nullable(),
})
export type Connection = z.output<typeof connection>

const tags = ['Connections']

export const connectionsContract = {
  list: oc.route({ method: 'GET', path: '/connections', tags, summary: 'List the external systems' }).output(z.array(connection)),
  test: oc
    .route({ method: 'POST', path: '/connections/{system}/test', tags, summary: 'Test a connected system' })
    .input(z.strictObject({ system: z.enum(systems) }))
    .errors({ NOT_SET_UP: { status: 409, message: 'This system is not set up on the server' }, ...tooManyTests })
    .output(outcome),
}
