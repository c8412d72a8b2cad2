import { APIError } from 'better-auth'
import { eq } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { recordRefusal, recordSignIn } from './audit-entries.ts'
import { mailVerification } from './jobs.ts'
import { isHashQueueFull, isPasswordOf } from './passwords.ts'
import { mayUsePassword, recordLocalSignIn } from './people/emergency.ts'
import { userByEmail, userById } from './people/people.ts'
import { address, forwardCookies, limitMails } from './requests.ts'
import { endSessions } from './sessions/session-expiry.ts'
import { profiles } from './table.ts'
import { ownerOfPasskey } from './account/passkeys.ts'
import { errorCode, type SecondStep, verifySecondStep } from './account/two-factor.ts'
import type { PasskeyAssertion } from './passkey-contract.ts'
import { openSession } from './sessions/open-session.ts'

/**
 * Signs in with a password. For an unknown address the library also hashes a password, so neither the answer nor its timing reveals which
 * addresses exist.
 */
export async function signIn(context: Context, { email, password }: { email: string; password: string }) {
  const attempt = await countAttempt(context, email)
  if (!attempt || isHashQueueFull()) return refuse('TOO_MANY_REQUESTS')
  if (!(await mayUsePassword(context, { email }))) {
    const user = await userByEmail(context.db, email)
    const isRight = await isPasswordOf(context.db, user.id, password)
    await recordRefusal(context, user, isRight ? 'passwordsOff' : 'password')
    if (!isRight) return refuse('INVALID_CREDENTIALS')
    await attempt.forgive()
    return refuse('SSO_REQUIRED')
  }
  try {
    const { headers, response } = await context.auth.api.signInEmail({
      body: { email, password },
      headers: context.requestHeaders,
      returnHeaders: true,
    })
    await attempt.forgive()
    const user = await userByEmail(context.db, email)
    if (user.status === 'disabled') {
      await endSessions(context.db, user.id)
      await recordRefusal(context, user, 'disabled')
      return refuse('ACCOUNT_DISABLED')
    }
    const isWhole = !('twoFactorRedirect' in response)
    if (isWhole) await recordLocalSignIn(context, user, 'Password')
    forwardCookies(context, headers)
    return isWhole ? user : { secondStep: true as const }
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    const isUnverified = errorCode(error) === 'EMAIL_NOT_VERIFIED'
    await recordRefusal(context, { email }, isUnverified ? 'unverified' : 'password')
    if (!isUnverified) return refuse('INVALID_CREDENTIALS')
    const limited = await limitMails(context, email)
    if (isRefusal(limited)) return limited
    await enqueue(context.db, mailVerification, { email })
    return refuse('EMAIL_NOT_VERIFIED')
  }
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(context: Context, passkey: PasskeyAssertion) {
  const from = address(context)
  if (!(await context.attempts.consume('secondStep', from))) return refuse('TOO_MANY_REQUESTS')
  const owner = await ownerOfPasskey(context, passkey)
  if (!owner) {
    await recordRefusal(context, { email: '' }, 'passkey')
    return refuse('INVALID_PASSKEY')
  }
  await context.attempts.forgive('secondStep', from)
  const user = await userById(context.db, owner)
  if (user.status === 'disabled') {
    await recordRefusal(context, user, 'disabled')
    return refuse('ACCOUNT_DISABLED')
  }
  if (!(await mayUsePassword(context, user))) {
    await recordRefusal(context, user, 'passwordsOff')
    return refuse('SSO_REQUIRED')
  }
  await recordLocalSignIn(context, user, 'Passkey')
  await openSession(context, owner)
  return user
}

/** Completes a sign-in with an authenticator code, a recovery code or a passkey. */
export async function signInWithCode(context: Context, input: SecondStep) {
  const from = address(context)
  if (!(await context.attempts.consume('secondStep', from))) return refuse('TOO_MANY_REQUESTS')
  const step = await verifySecondStep(context, input)
  if (isRefusal(step)) return step
  if (step.headers === null) {
    await recordRefusal(context, { id: step.userId }, input.passkey ? 'passkey' : 'code')
    return refuse(input.passkey ? 'INVALID_PASSKEY' : 'INVALID_CODE')
  }
  const user = await userById(context.db, step.userId)
  if (user.status === 'disabled') {
    await endSessions(context.db, user.id)
    await recordRefusal(context, user, 'disabled')
    return refuse('ACCOUNT_DISABLED')
  }
  await context.attempts.forgive('secondStep', from)
  const by = input.passkey ? 'Passkey' : input.code === undefined ? 'Recovery code' : 'Authenticator'
  if (step.isAfterPassword) await recordLocalSignIn(context, user, by)
  else await recordSignIn(context.db, context, user, by)
  forwardCookies(context, step.headers)
  return user
}

/**
 * Signs in with the password that was just set (spec 2). For an unverified address the response reveals nothing: the link is in its
 * mailbox.
 */
export async function enterWithNewPassword(
  context: Context,
  id: string,
  password: string,
): Promise<{ next: 'home' | 'second-step' | 'sign-in' }> {
  const [account] = await context.db.select().from(profiles).where(eq(profiles.id, id))
  if (!account?.emailVerified) return { next: 'sign-in' }
  const result = await signIn(context, { email: account.email, password })
  if (isRefusal(result)) return { next: 'sign-in' }
  return { next: 'secondStep' in result ? 'second-step' : 'home' }
}

/** Null after too many failures. Counted before the password is checked, for any address alike, and refunded if it was correct. */
export async function countAttempt(context: Context, email: string): Promise<{ forgive: () => Promise<void> } | null> {
  const { attempts } = context
  const from = address(context)
  const pair = `${email} ${from}`
  const counted: [Parameters<typeof attempts.consume>[0], string][] = [
    ['signIn', pair],
    ['signInAddress', from],
    ['signInAccount', email],
  ]
  if (!(await attempts.consume('signIn', pair)) || !(await attempts.consume('signInAddress', from))) return null
  if (!(await attempts.consume('signInAccount', email))) {
    counted.push(['signInUnderAttack', pair])
    if (!(await attempts.consume('signInUnderAttack', pair))) return null
  }
  return {
    forgive: async () => {
      for (const [name, key] of counted) await attempts.forgive(name, key)
    },
  }
}
