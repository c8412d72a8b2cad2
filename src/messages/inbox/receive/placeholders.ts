import { z } from 'zod'
import type { Env } from '../../../kernel/env.ts'
import { seal, unseal } from '../../../kernel/seal.ts'
import { escaped } from '../link-rules.ts'

/** A file that is kept as its text. `mimeType` says which characters it is in. */
export interface OwnFile {
  name: string
  mimeType: string
  text: string
}

/** A placeholder in a stored email, and what replaces it for the reader, such as a sign-in link. */
const secret = z.object({ standsFor: z.string().min(1), value: z.string() })
export type Secret = z.output<typeof secret>

const use = 'inbox: secret of a mail'

export const sealSecrets = (env: Env, given: readonly Secret[]): string => seal(env, use, JSON.stringify(given))

/** Null: they were sealed with an installation secret that is no longer known. The previous release sealed a single one. */
export function openSecrets(env: Env, sealed: string): Secret[] | null {
  const text = unseal(env, use, sealed)
  return text === null ? null : z.union([z.array(secret), secret.transform((one) => [one])]).parse(JSON.parse(text))
}

/** Replaces placeholders by their values, which have to be harmless in HTML, as an address is. */
export function fillPlaceholders(secrets: readonly Secret[], text: string): string {
  if (secrets.length === 0) return text
  // The longest first: an address may begin with another.
  const places = secrets.map(({ standsFor }) => standsFor).toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(places.map(escaped).join('|'), 'g')
  return text.replace(pattern, (found) => secrets.find(({ standsFor }) => standsFor === found)!.value)
}
