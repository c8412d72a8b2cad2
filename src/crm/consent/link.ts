import type { Env } from '../../kernel/env.ts'
import { openSigned, sign } from '../../kernel/sealed.ts'
import { isUuid } from '../../shared/text.ts'

const use = 'consent: unsubscribe'

/** Who unsubscribes which address. A link of years ago still works: it is never too late to leave. */
export type Subscriber = { contactId: string; address: string }

export const unsubscribeLink = (env: Env, { contactId, address }: Subscriber): string =>
  `${env.APP_URL}/u/${sign(env, use, `${contactId} ${address}`)}`

/** Null: we have not made this token. */
export function subscriberOf(env: Env, token: string): Subscriber | null {
  const text = token.length <= 2_000 ? openSigned(env, use, token) : null
  const at = text?.indexOf(' ') ?? -1
  if (text === null || at < 0) return null
  const contactId = text.slice(0, at)
  return isUuid(contactId) ? { contactId, address: text.slice(at + 1) } : null
}
