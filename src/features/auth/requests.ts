import type { Context } from '../../server/context.ts'
import { countedAs } from '../../server/requests.ts'

/** Where a request comes from, for what is counted by it. */
export const address = (context: Context): string => countedAs(context.origin.address)

/** Passes the cookies that the library set on to the browser. */
export function forwardCookies(context: Context, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) context.responseHeaders.append('set-cookie', cookie)
}

/** Whether another mail may go to this address, and be caused from this network address. */
export const mayMail = async (context: Context, email: string): Promise<boolean> =>
  (await context.attempts.consume('mail', email)) && (await context.attempts.consume('mailAddress', address(context)))

/** Forgets sessions here before the answer leaves: the database tells it a moment later. */
export function tellEnded(context: Context, ids: readonly string[]): void {
  for (const id of ids) context.events.tellHere({ topic: 'session', id })
}
