import type { Env } from '../kernel/env.ts'

/** How far in the future the text expires: it is current as long as this server answers. */
const validForMs = 30 * 86_400_000

/** /.well-known/security.txt (RFC 9116); null without a contact, which only the operator of an installation can name. */
export function securityText({ SECURITY_CONTACT, APP_URL }: Env, now: Date): string | null {
  if (SECURITY_CONTACT === undefined) return null
  const tomorrow = Math.ceil(now.getTime() / 86_400_000) * 86_400_000
  const expires = new Date(tomorrow + validForMs).toISOString().replace(/\.\d+/, '')
  return `Contact: ${SECURITY_CONTACT}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${APP_URL}/.well-known/security.txt\n`
}
