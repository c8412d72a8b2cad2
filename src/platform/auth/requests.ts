import type { Context } from '../context.ts'
import { countedAs } from '../../kernel/requests.ts'

/** Where a request comes from, for what is counted by it. */
export const address = (context: Pick<Context, 'origin'>): string => countedAs(context.origin.address)

/** Passes the cookies that the library set on to the browser. */
export function forwardCookies(context: Context, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) context.responseHeaders.append('set-cookie', cookie)
}

/**
 * Whether another email that anyone can cause may go to this address, and be caused from this network address, which is counted first: anyone who
 * asks too often uses up no one else's emails.
 */
export async function mayMail({ attempts, ...context }: Context, email: string): Promise<boolean> {
  if (!(await attempts.consume('mailAddress', address(context)))) return false
  const within = await Promise.all([attempts.consume('mail', email), attempts.consume('mailDay', email)])
  return !within.includes(false)
}

/** Forgets sessions here before the answer leaves: the database tells it a moment later. */
export function notifyEnded(context: Context, ids: readonly string[]): void {
  for (const id of ids) context.events.notifyHere({ topic: 'session', id })
}
