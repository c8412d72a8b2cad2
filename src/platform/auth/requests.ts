import type { Context } from '../context.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { countedAs } from '../../kernel/http/requests.ts'
import { staff } from '../../kernel/scope.ts'
import { recordRefusal } from './entries.ts'
import { isBusyHashing } from './passwords.ts'

/** Where a request comes from, for what is counted by it. */
export const address = (context: Pick<Context, 'origin'>): string => countedAs(context.origin.address)

/** Passes the cookies that the library set on to the browser. */
export function forwardCookies(context: Context, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) context.responseHeaders.append('set-cookie', cookie)
}

/**
 * Refuses another email that anyone can cause where too many went to this address, or were caused from this network address, which is counted
 * first: anyone who asks too often uses up no one else's emails.
 */
export async function limitMails({ attempts, ...context }: Context, email: string) {
  if (!(await attempts.consume('mailAddress', address(context)))) return refuse('TOO_MANY_REQUESTS')
  const within = await Promise.all([attempts.consume('mail', email), attempts.consume('mailDay', email)])
  return within.includes(false) ? refuse('TOO_MANY_REQUESTS') : true
}

/** Refuses another try of a link where too many came from this network address. */
export const limitTokens = async (context: Context) =>
  (await context.attempts.consume('token', address(context))) ? true : refuse('TOO_MANY_REQUESTS')

/** Does what a signed-in person has to prove for who they are. A wrong password or code is recorded, and too many of them are refused. */
export async function withProof<Result>(context: Context, work: () => Promise<Result>) {
  const { id } = staff(context)
  if (isBusyHashing() || !(await context.attempts.consume('proof', id))) return refuse('TOO_MANY_REQUESTS')
  const result = await work()
  if (!isRefusal(result)) await context.attempts.forgive('proof', id)
  else if (result.refusal === 'INVALID_CREDENTIALS' || result.refusal === 'INVALID_CODE') await recordRefusal(context, { id }, 'proof')
  return result
}

/** Forgets sessions here before the answer leaves: the database tells it a moment later. */
export function notifyEnded(context: Context, ids: readonly string[]): void {
  for (const id of ids) context.events.notifyHere({ topic: 'session', id })
}
