import { createOidc, type Identity, type OidcClient, type OidcFailure } from '../../../integrations/oidc/client.ts'
import type { Env } from '../../../kernel/env.ts'
import { isRefusal, refuse } from '../../../kernel/refusal.ts'
import { hashToken, newToken } from '../../../kernel/tokens.ts'
import type { Context } from '../../context.ts'
import { waysToConfirm } from '../account/two-factor.ts'
import { recordRefusal, recordSignIn, type RefusalReason } from '../audit-entries.ts'
import { beginAttempt, endAttempt } from '../oauth-attempts.ts'
import { asUser } from '../people/people.ts'
import { address } from '../requests.ts'
import { attemptCookie, cookieOf } from '../sessions/cookies.ts'
import { askSecondStep, openSession } from '../sessions/open-session.ts'
import { recordProof } from '../sessions/session-expiry.ts'
import { admit, linkedAccount } from './admit.ts'

type Purpose = 'sign-in' | 'proof'
const nameOf = (purpose: Purpose): string => `single sign-on: ${purpose}`
const cookieSeconds = 10 * 60

/** What the sign-in page shows; null if single sign-on is not set up. */
export const ssoOf = (env: Env) => (env.OIDC_ISSUER ? { name: env.OIDC_NAME, isOnly: env.OIDC_ONLY } : null)

/** One client per process, which remembers the provider's endpoints and keys. */
const clients = new WeakMap<Env, OidcClient>()

function clientOf(env: Env): OidcClient | null {
  if (!env.OIDC_ISSUER) return null
  const known = clients.get(env)
  if (known) return known
  const client = createOidc({
    issuer: env.OIDC_ISSUER,
    clientId: env.OIDC_CLIENT_ID,
    clientSecret: env.OIDC_CLIENT_SECRET,
    redirectUri: `${env.APP_URL}/auth/sso/callback`,
    timeoutSeconds: env.OIDC_TIMEOUT_SECONDS,
  })
  clients.set(env, client)
  return client
}

/**
 * Both are made from the browser's cookie, so that no one without it can finish the sign-in: the PKCE challenge, of which the cookie itself
 * is the verifier, and the nonce that the ID token has to repeat.
 */
const challengeOf = (cookie: string) => hashToken(cookie)
const nonceOf = (cookie: string) => hashToken(`nonce ${cookie}`)

/** The provider's sign-in page, for this browser. As a proof for sensitive actions, the provider must ask again. */
export async function beginSso(context: Context, purpose: Purpose) {
  const client = clientOf(context.env)
  if (!client) return refuse('NOT_SET_UP')
  if (!(await context.attempts.consume('directSignIn', address(context)))) return refuse('TOO_MANY_REQUESTS')
  const cookie = newToken()
  const state = await beginAttempt(context, nameOf(purpose), challengeOf(cookie))
  const url = await client.authorizeUrl({ state, nonce: nonceOf(cookie), challenge: challengeOf(cookie), again: purpose === 'proof' })
  if (!url.ok) return unavailable(context, url)
  context.responseHeaders.append('set-cookie', attemptCookie(context.env, cookie, cookieSeconds))
  return url.value
}

/** Signs in whoever the provider says it is: at once, or after a second factor that the provider did not ask for. */
export async function finishSso(context: Context, callback: { code: string; state: string; iss?: string | undefined }) {
  const client = clientOf(context.env)
  if (!client) return refuse('NOT_SET_UP')
  const cookie = cookieOf(context.env, context.requestHeaders, 'attempt')?.value
  const purpose = cookie && (await purposeOf(context, callback.state, cookie))
  if (!purpose) return refuse('SIGN_IN_AGAIN')
  context.responseHeaders.append('set-cookie', attemptCookie(context.env, '', 0))
  const answer = await client.exchange(callback, { nonce: nonceOf(cookie), verifier: cookie, again: purpose === 'proof' })
  if (!answer.ok) {
    if (answer.kind === 'away') return unavailable(context, answer)
    context.log.warn({ reason: answer.message }, 'The response of the sign-in provider was not valid')
    await recordRefusal(context, { email: '' }, 'provider')
    return refuse('SIGN_IN_REFUSED')
  }
  if (purpose === 'proof') return prove(context, answer.value)
  const admitted = await admit(context, answer.value)
  if (isRefusal(admitted)) {
    await recordRefusal(
      context,
      admitted.data.id ? { id: admitted.data.id } : { email: answer.value.email ?? '' },
      reasons[admitted.refusal],
    )
    return refuse(admitted.refusal)
  }
  return enter(context, answer.value, admitted)
}

/** What this browser's attempt is for; uses it up. */
async function purposeOf(context: Context, state: string, cookie: string): Promise<Purpose | null> {
  for (const purpose of ['sign-in', 'proof'] as const)
    if (await endAttempt(context, nameOf(purpose), state, challengeOf(cookie))) return purpose
  return null
}

/** Counts as the actor's password, if it is they who signed in at the provider again. */
async function prove(context: Context, identity: Identity) {
  const linked = await linkedAccount(context.db, identity)
  if (!context.actor || linked?.id !== context.actor.id) {
    await recordRefusal(context, context.actor ? { id: context.actor.id } : { email: '' }, 'otherIdentity')
    return refuse('NOT_YOU')
  }
  await recordProof(context)
  return { isProven: true as const }
}

async function enter(context: Context, identity: Identity, account: Parameters<typeof asUser>[0]) {
  if (account.twoFactorEnabled && !identity.hasSecondFactor) {
    await askSecondStep(context, account.id)
    return { secondStep: true as const }
  }
  await recordSignIn(context.db, context, asUser(account), 'Single sign-on')
  await openSession(context, account.id, await provenAt(context, identity, account.id))
  return asUser(account)
}

/**
 * When someone proved who they are. A provider that does not say may have asked nothing: they confirm with their password or passkey, and
 * without either, signing in counts.
 */
async function provenAt(context: Context, { signedInAt }: Identity, userId: string): Promise<Date | null> {
  if (signedInAt) return signedInAt
  const { hasPassword, hasPasskey } = await waysToConfirm(context, userId)
  return hasPassword || hasPasskey ? new Date(0) : null
}

function unavailable(context: Context, { message }: OidcFailure) {
  context.log.warn({ reason: message }, 'The sign-in provider is not available')
  return refuse('PROVIDER_UNAVAILABLE')
}

const reasons = {
  PROVIDER_EMAIL_NOT_VERIFIED: 'providerEmail',
  NO_ACCOUNT: 'noAccount',
  OTHER_IDENTITY: 'otherIdentity',
  NO_ROLE: 'noGroup',
  ACCOUNT_DISABLED: 'disabled',
} as const satisfies Record<string, RefusalReason>
