import type { Context } from '../context.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import { staff } from '../../kernel/scope.ts'
import { recordRefusal } from './audit-entries.ts'
import { isHashQueueFull } from './passwords.ts'

/** The network address used for rate limits. */
export const address = (context: Pick<Context, 'origin'>): string => rateLimitKey(context.origin.address)

/** Forwards the library's cookies to the browser. */
export function forwardCookies(context: Context, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) context.responseHeaders.append('set-cookie', cookie)
}

/**
 * Refuses another email that an anonymous request would cause if too many went to this address, or came from this network address. The
 * network address is counted first, so an abuser uses up no one else's emails.
 */
export async function limitMails({ attempts, ...context }: Context, email: string) {
  if (!(await attempts.consume('mailAddress', address(context)))) return refuse('TOO_MANY_REQUESTS')
  const within = await Promise.all([attempts.consume('mail', email), attempts.consume('mailDay', email)])
  return within.includes(false) ? refuse('TOO_MANY_REQUESTS') : true
}

/** Refuses another try of a link if too many came from this network address. */
export const limitTokens = async (context: Context) =>
  (await context.attempts.consume('token', address(context))) ? true : refuse('TOO_MANY_REQUESTS')

const wrongProofs = new Set(['INVALID_CREDENTIALS', 'INVALID_CODE', 'INVALID_PASSKEY'])

/** Runs an action that requires the user's password or code. Failures are recorded, and too many are refused. */
export async function withProof<Result>(context: Context, work: () => Promise<Result>) {
  const { id } = staff(context)
  if (isHashQueueFull() || !(await context.attempts.consume('proof', id))) return refuse('TOO_MANY_REQUESTS')
  const result = await work()
  if (!isRefusal(result)) await context.attempts.forgive('proof', id)
  else if (wrongProofs.has(result.refusal)) await recordRefusal(context, { id }, 'proof')
  return result
}

/** Evicts sessions from this process's cache before the response is sent; the database notification arrives a moment later. */
export function notifyEnded(context: Context, ids: readonly string[]): void {
  for (const id of ids) context.events.notifyLocal({ topic: 'session', id })
}
