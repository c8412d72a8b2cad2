import type { Env } from '../../kernel/env.ts'

type Address = Pick<Env, 'APP_URL'>

export const isHttps = ({ APP_URL }: Address): boolean => APP_URL.startsWith('https:')

/** At an https address the browser takes and sends such cookies for this host alone, over https alone: no neighbour can set one. */
export const cookiePrefix = (env: Address): string => (isHttps(env) ? '__Host-refyne' : 'refyne')

/** One of our cookies as it was sent, with its name; null without it. */
export function cookieOf(env: Address, headers: Headers, name: 'session_token' | 'two_factor'): { pair: string; value: string } | null {
  const start = `${cookiePrefix(env)}.${name}=`
  const pair = (headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(start))
  return pair === undefined ? null : { pair, value: pair.slice(start.length) }
}
