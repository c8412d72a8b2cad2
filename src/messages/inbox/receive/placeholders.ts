import { z } from 'zod'
import type { Env } from '../../../kernel/env.ts'
import { seal, unseal } from '../../../kernel/seal.ts'

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

export const sealSecret = (env: Env, given: Secret): string => seal(env, use, JSON.stringify(given))

/** Null: it was sealed with an installation secret that is no longer known. */
export function openSecret(env: Env, sealed: string): Secret | null {
  const text = unseal(env, use, sealed)
  return text === null ? null : secret.parse(JSON.parse(text))
}

/** The value has to be harmless in HTML, as an address is. */
export const fillPlaceholder = ({ standsFor, value }: Secret, { body, htmlBody }: { body: string; htmlBody: string | null }) => ({
  body: body.replaceAll(standsFor, () => value),
  htmlBody: htmlBody && htmlBody.replaceAll(standsFor, () => value),
})
