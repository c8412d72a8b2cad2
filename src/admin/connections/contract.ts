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
