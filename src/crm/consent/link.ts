import type { Env } from '../../kernel/env.ts'
import { openSigned, sign } from '../../kernel/seal.ts'
import { isUuid } from '../../shared/text.ts'

const purpose = 'consent: unsubscribe'

/** The patient and address in an unsubscribe link. Links never expire. */
export type Subscriber = { contactId: string; address: string }

export const unsubscribeLink = (env: Env, { contactId, address }: Subscriber): string =>
  `${env.APP_URL}/u/${sign(env, purpose, `${contactId} ${address}`)}`

/** Reads an unsubscribe token. Null: the token is not one of ours. */
export function subscriberOf(env: Env, token: string): Subscriber | null {
  const text = token.length <= 2_000 ? openSigned(env, purpose, token) : null
  const at = text?.indexOf(' ') ?? -1
  if (text === null || at < 0) return null
  const contactId = text.slice(0, at)
  return isUuid(contactId) ? { contactId, address: text.slice(at + 1) } : null
}
