import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requiredText } from '../../shared/text-shapes.ts'
import { connectionStates } from './rules.ts'

const quickbooksMessages = {
  off: 'QuickBooks is not set up on this installation. An administrator has to set QUICKBOOKS_CLIENT_ID and QUICKBOOKS_CLIENT_SECRET.',
  state: 'This sign-in was started elsewhere or took too long. Please connect again.',
} as const

const status = z.object({
  state: z.enum(connectionStates),
  companyName: z.string().nullable(),
  connectedAt: z.date().nullable(),
  /** When the oldest of the lists (accounts, classes, tax codes, items, customers) was last read; null before the first read. */
  listsReadAt: z.date().nullable(),
  /** Base URL of QuickBooks links; null if this installation does not use Intuit's servers. */
  quickBooksUrl: z.url().nullable(),
})
export type QuickBooksStatus = z.output<typeof status>

const tags = ['QuickBooks']

export const quickbooksContract = {
  status: oc.route({ method: 'GET', path: '/qbo/status', tags, summary: 'Get the QuickBooks connection and company' }).output(status),
  connect: oc
    .route({ method: 'POST', path: '/qbo/connect', tags, summary: "Start connecting on Intuit's page" })
    .errors({ NOT_SET_UP: { status: 409, message: quickbooksMessages.off } })
    .output(z.object({ url: z.url() })),
  finish: oc
    .route({ method: 'POST', path: '/qbo/callback', tags, summary: "Finish connecting with Intuit's callback" })
    .input(
      z.strictObject({
        code: requiredText(2_000, 'The code is missing'),
        state: requiredText(200, 'The state is missing'),
        realmId: z.string().regex(/^\d{1,30}$/, 'This is no company of QuickBooks'),
      }),
    )
    .errors({
      NOT_SET_UP: { status: 409, message: quickbooksMessages.off },
      STATE: { status: 409, message: quickbooksMessages.state },
      CODE: { status: 409, message: 'QuickBooks did not accept this. Please connect again.' },
      AWAY: { status: 503, message: 'QuickBooks does not answer. Please try again in a moment.' },
    })
    .output(status),
  disconnect: oc.route({ method: 'POST', path: '/qbo/disconnect', tags, summary: 'Delete the connection and its tokens' }).output(status),
  refresh: oc
    .route({
      method: 'POST',
      path: '/qbo/references/refresh',
      tags,
      summary: 'Refresh accounts, classes, tax codes, items and customers',
    })
    .errors({
      RECONNECT: { status: 409, message: 'QuickBooks is not connected. Ask an administrator to connect it in Settings.' },
      AWAY: { status: 503, message: 'QuickBooks does not answer. The last synced data is still used.' },
    })
    .output(status),
}
