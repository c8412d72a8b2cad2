import type { Env } from '../../../kernel/env.ts'

type Address = Pick<Env, 'APP_URL'>

export const isHttps = ({ APP_URL }: Address): boolean => APP_URL.startsWith('https:')

/** On HTTPS the browser accepts and sends these cookies for this host only, so a neighbouring host cannot set one. */
export const cookiePrefix = (env: Address): string => (isHttps(env) ? '__Host-refyne' : 'refyne')

/** One of our cookies with its name, as sent; null if absent. */
export function cookieOf(
  env: Address,
  headers: Headers,
  name: 'session_token' | 'two_factor' | 'attempt',
): { pair: string; value: string } | null {
  const start = `${cookiePrefix(env)}.${name}=`
  const pair = (headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(start))
  return pair === undefined ? null : { pair, value: pair.slice(start.length) }
}

/** The cookie of the browser that starts a sign-in elsewhere: whoever finishes it must have it. It ends with the attempt. */
export const attemptCookie = (env: Address, value: string, maxAgeSeconds: number): string =>
  [
    `${cookiePrefix(env)}.attempt=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(isHttps(env) ? ['Secure'] : []),
  ].join('; ')
