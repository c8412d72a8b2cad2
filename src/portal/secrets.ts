import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Env } from '../kernel/env.ts'
import type { Scope } from '../kernel/scope.ts'
import { codeLength } from './rules.ts'

/** Keys of the portal's own, made from the installation's secret, so that none is stored. */
const keyFor = (env: Env, use: string): Buffer => createHmac('sha256', env.APP_SECRET).update(`portal: ${use}`).digest()

/** Six digits from the system's own source of chance. */
export const newCode = (): string => String(randomInt(10 ** codeLength)).padStart(codeLength, '0')

/** A code is short enough to be tried out: without the key, its hash tells nothing. */
export const hashCode = (env: Env, email: string, code: string): string =>
  createHmac('sha256', keyFor(env, 'codes')).update(`${email}\0${code}`).digest('base64url')

export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** What a link to a file is good for: one document (or its preview) or quote, one session, until a moment. */
export type FileLink = { id: string; as: 'file' | 'preview' | 'quote'; sessionId: string; expires: number }

export function signLink(env: Env, { id, as, sessionId, expires }: FileLink): string {
  return createHmac('sha256', keyFor(env, 'links')).update(`${id}\0${as}\0${sessionId}\0${expires}`).digest('base64url')
}

/** Whether a link was signed here and its moment is still to come. */
export const isLive = ({ env, now }: Pick<Scope, 'env' | 'now'>, link: FileLink, signature: string): boolean =>
  isSame(signLink(env, link), signature) && link.expires > now().getTime()

export function isSame(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)]
  return a.length === b.length && timingSafeEqual(a, b)
}
