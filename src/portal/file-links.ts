import type { Env } from '../kernel/env.ts'
import type { Scope } from '../kernel/scope.ts'
import { isStamped, stamp } from '../kernel/seal.ts'

/** A link to a document, its preview, a quote, a receipt or a sealed consent form. It is valid in one session, until `expires` (milliseconds since 1970). */
export type FileLink = { id: string; as: 'file' | 'preview' | 'quote' | 'receipt' | 'consent'; sessionId: string; expires: number }

const purpose = 'portal file link'
const textOf = ({ id, as, sessionId, expires }: FileLink): string => `${id}\0${as}\0${sessionId}\0${expires}`

export const signLink = (env: Env, link: FileLink): string => stamp(env, purpose, textOf(link))

/** Whether this server signed the link and it has not expired. */
export const isLive = ({ env, now }: Pick<Scope, 'env' | 'now'>, link: FileLink, signature: string): boolean =>
  isStamped(env, purpose, textOf(link), signature) && link.expires > now().getTime()
