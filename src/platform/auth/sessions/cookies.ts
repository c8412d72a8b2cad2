import type { Env } from '../../../kernel/env.ts'

type Address = Pick<Env, 'APP_URL'>

export const isHttps = ({ APP_URL }: Address): boolean => APP_URL.startsWith('https:')

/** On HTTPS the browser accepts and sends these cookies for this host only, so a neighbouring host cannot set one. */
export const cookiePrefix = (env: Address): string => (isHttps(env) ? '__Host-refyne' : 'refyne')

/** One of our cookies with its name, as sent; null if absent. */
export function cookieOf(env: Address, headers: Headers, name: 'session_token' | 'two_factor'): { pair: string; value: string } | null {
  const start = `${cookiePrefix(env)}.${name}=`
  const pair = (headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(start))
  return pair === undefined ? null : { pair, value: pair.slice(start.length) }
}
