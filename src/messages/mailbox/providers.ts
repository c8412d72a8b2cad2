import { z } from 'zod'
import { type GmailTokens, openGmail } from '../../integrations/mailbox/gmail/gmail.ts'
import { createGmailSignIn } from '../../integrations/mailbox/gmail/sign-in.ts'
import type { Mailbox, Result } from '../../integrations/mailbox/mailbox.ts'
import { openNylas } from '../../integrations/mailbox/nylas/nylas.ts'
import { type BusyTime, readBusyTimes } from '../../integrations/mailbox/nylas/busy-times.ts'
import { createNylasSignIn } from '../../integrations/mailbox/nylas/sign-in.ts'
import type { Env } from '../../kernel/env.ts'
import { type MailProvider, mailProviders } from './rules.ts'

/** Sealed mailbox credentials. */
export type Access = { grantId: string } | GmailTokens

const access = z.union([
  z.strictObject({ grantId: z.string() }),
  z.strictObject({ refreshToken: z.string(), accessToken: z.string(), expiresAt: z.number() }),
])

/** Null: the value was not sealed by us. */
export const accessOf = (text: string): Access | null => access.safeParse(JSON.parse(text)).data ?? null

/** The sign-ins that this installation has credentials for. */
export const offersOf = (env: Env): MailProvider[] =>
  mailProviders.filter((provider) =>
    provider === 'nylas' ? env.NYLAS_CLIENT_ID && env.NYLAS_API_KEY : env.GMAIL_CLIENT_ID && env.GMAIL_CLIENT_SECRET,
  )

const nylasOf = (env: Env) => ({
  apiKey: env.NYLAS_API_KEY ?? '',
  ...(env.NYLAS_URL ? { apiUri: env.NYLAS_URL } : {}),
  timeoutSeconds: env.MAILBOX_TIMEOUT_SECONDS,
})
const gmailOf = (env: Env) => ({
  clientId: env.GMAIL_CLIENT_ID ?? '',
  clientSecret: env.GMAIL_CLIENT_SECRET ?? '',
  ...(env.GMAIL_URL ? { baseUrl: env.GMAIL_URL } : {}),
  timeoutSeconds: env.MAILBOX_TIMEOUT_SECONDS,
})

const nylasSignIn = (env: Env) =>
  createNylasSignIn({ ...nylasOf(env), clientId: env.NYLAS_CLIENT_ID ?? '', redirectUri: `${env.APP_URL}/auth/nylas/callback` })
const gmailSignIn = (env: Env) => createGmailSignIn({ ...gmailOf(env), redirectUri: `${env.APP_URL}/auth/gmail/callback` })

export const signInUrl = (env: Env, provider: MailProvider, state: string): string =>
  provider === 'nylas' ? nylasSignIn(env).url(state) : gmailSignIn(env).url(state)

/** Exchanges the provider's code for access, with the mailbox's address. */
export async function exchange(env: Env, provider: MailProvider, code: string): Promise<Result<{ email: string; access: Access }>> {
  if (provider === 'nylas') {
    const exchanged = await nylasSignIn(env).exchange(code)
    if (!exchanged.ok) return exchanged
    const { email, grantId } = exchanged.value
    return { ok: true, value: { email, access: { grantId } } }
  }
  const exchanged = await gmailSignIn(env).exchange(code)
  if (!exchanged.ok) return exchanged
  return { ok: true, value: { email: exchanged.value.email, access: exchanged.value.tokens } }
}

/** Asks the provider to revoke access. An unreachable provider changes nothing here. */
export const endAccess = (env: Env, given: Access): Promise<void> =>
  'grantId' in given ? nylasSignIn(env).end(given.grantId) : gmailSignIn(env).end(given)

type Opening = {
  /** The mailbox's own address. */
  email: string
  /** Stores renewed credentials before they are used. */
  onRenewed: (renewed: Access) => Promise<void>
}

export function openAccess(env: Env, given: Access, { email, onRenewed }: Opening): Mailbox {
  if ('grantId' in given) return openNylas({ ...nylasOf(env), grantId: given.grantId, email })
  return openGmail({ ...gmailOf(env), tokens: given, onTokens: onRenewed })
}

/** When the calendar of a mailbox is busy; null: this access is to its emails alone. */
export const busyTimesOf = (
  env: Env,
  given: Access,
  email: string,
  range: { from: number; to: number },
): Promise<Result<BusyTime[]>> | null =>
  'grantId' in given ? readBusyTimes({ ...nylasOf(env), grantId: given.grantId, email }, range) : null
