import { oc } from '@orpc/contract'
import { z } from 'zod'
import { outcome, tooManyTests } from '../../platform/connection-tests/contract.ts'

/** The systems around the server that an administrator can ask whether they answer. QuickBooks has calls of its own. */
export const systems = ['postmark', 'storage', 'clamd', 'mailboxes'] as const
export type System = (typeof systems)[number]

const connection = z.object({
  system: z.enum(systems),
  /** Whether the server is set up with it. */
  isSetUp: z.boolean(),
  /** Of mailboxes: those that are connected, and those that have to be connected again. */
  connected: z.number().int().nullable(),
  broken: z.number().int().nullable(),
})
export type Connection = z.output<typeof connection>

const tags = ['Connections']

export const connectionsContract = {
  list: oc.route({ method: 'GET', path: '/connections', tags, summary: 'The systems around the server' }).output(z.array(connection)),
  test: oc
    .route({ method: 'POST', path: '/connections/{system}/test', tags, summary: 'Test a connected system' })
    .input(z.strictObject({ system: z.enum(systems) }))
    .errors({ NOT_SET_UP: { status: 409, message: 'The server is not set up with this system' }, ...tooManyTests })
    .output(outcome),
}
