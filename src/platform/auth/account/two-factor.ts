import { APIError } from 'better-auth'
import { createHmac } from 'node:crypto'
import { symmetricDecrypt } from 'better-auth/crypto'
import { and, eq, gt, isNull, lt, ne, or } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { staff } from '../../../kernel/scope.ts'
import { recordChange } from '../../audit/service.ts'
import { cookieOf } from '../sessions/cookies.ts'
import { withoutPassword } from '../sessions/direct-sessions.ts'
import type { PasskeyAssertion } from '../passkey-contract.ts'
import { notifyPerson } from './account-emails.ts'
import { ownerOfPasskey } from './passkeys.ts'
import { isLastEmergency } from '../people/emergency.ts'
import { lockAccounts } from '../people/lock-accounts.ts'
import { removeTwoFactor, recordTwoFactor } from '../people/people.ts'
import { isPasswordOf } from '../passwords.ts'
import type { Auth } from '../service.ts'
import { endSomeSessions } from '../sessions/session-expiry.ts'
import { accounts, passkeys, profiles, sessions, twoFactors, verifications } from '../table.ts'

/** The library's error code; null for any other error. */
export const errorCode = (error: unknown): string | null => (error instanceof APIError ? String(error.body?.code) : null)

const codePeriodMs = 30_000

const wrongCodes = new Set(['INVALID_CODE', 'INVALID_BACKUP_CODE', 'INVALID_TOTP_CODE'])

/** Whether the library refused the code, as opposed to failing otherwise. */
const isWrongCode = (error: unknown): boolean => wrongCodes.has(errorCode(error) ?? '')

type Api = Auth['api']
type Verified = { headers: Headers }

export type SecondStep = { code?: string | undefined; recoveryCode?: string | undefined; passkey?: PasskeyAssertion | undefined }

/** Checks the second step: an authenticator code, a recovery code, which works once, or a passkey. Returns null headers if it was wrong. */
export async function verifySecondStep(context: Context, { code, recoveryCode, passkey }: SecondStep) {
  const challenge = await challengeOf(context)
  if (!challenge) return refuse('SIGN_IN_AGAIN')
  const [pending] = await context.db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, challenge.identifier), gt(verifications.expiresAt, new Date())))
  if (!pending) return refuse('SIGN_IN_AGAIN')
  const { userId } = pending
  const isAfterPassword = !challenge.identifier.startsWith(withoutPassword)
  const wrong = { userId, isAfterPassword, headers: null }
  if (passkey) {
    if ((await ownerOfPasskey(context, passkey)) !== userId) return wrong
    const [used] = await context.db.delete(verifications).where(eq(verifications.identifier, challenge.identifier)).returning()
    if (!used) return refuse('SIGN_IN_AGAIN')
    const opened = await context.auth.api.openDirectSession({ body: { userId }, headers: context.requestHeaders, returnHeaders: true })
    return { userId, isAfterPassword, headers: opened.headers }
  }
  if (code !== undefined && !(await isNewCode(context, userId, code))) return wrong
  // Sends only this cookie: with an existing session cookie the library would use that session's account.
  const headers = new Headers(context.requestHeaders)
  headers.set('cookie', challenge.cookie)
  try {
    const ask = { headers, returnHeaders: true } as const
    const answer: Verified =
      code !== undefined
        ? await context.auth.api.verifyTOTP({ body: { code }, ...ask })
        : await context.auth.api.verifyBackupCode({ body: { code: recoveryCode ?? '' }, ...ask })
    return { userId, isAfterPassword, headers: answer.headers }
  } catch (error) {
    if (isWrongCode(error)) return wrong
    // Simultaneous use of one recovery code: the other request won.
    if (error instanceof APIError) return error.status === 'CONFLICT' ? wrong : refuse('SIGN_IN_AGAIN')
    throw error
  }
}

/** A sign-in that is waiting for its second step, by its signed cookie. */
async function challengeOf({ auth, env, requestHeaders }: Context): Promise<{ cookie: string; identifier: string } | null> {
  const found = cookieOf(env, requestHeaders, 'two_factor')
  if (!found) return null
  const { identifier } = await auth.api.readSecondStep({ headers: new Headers({ cookie: found.pair }) })
  // The same table holds password resets and counted attempts, which prove no first step.
  return identifier && /^2fa-(?!attempts-)/.test(identifier) ? { cookie: found.pair, identifier } : null
}

/**
 * Stores the half minute of a code. False if it is not later than the last accepted one (RFC 6238, 5.2), so a code read over someone's
 * shoulder can't be reused, even after a newer one. Wrong codes are refused and counted by the library.
 */
async function isNewCode(context: Context, userId: string, code: string): Promise<boolean> {
  const [stored] = await context.db
    .select({ id: twoFactors.id, secret: twoFactors.secret })
    .from(twoFactors)
    .where(eq(twoFactors.userId, userId))
  if (!stored) return true
  const { secretConfig } = await context.auth.$context
  const step = stepOf(await symmetricDecrypt({ key: secretConfig, data: stored.secret }), code)
  if (step === null) return true
  const isLater = or(isNull(twoFactors.lastStep), lt(twoFactors.lastStep, step))
  const updated = await context.db
    .update(twoFactors)
    .set({ lastStep: step })
    .where(and(eq(twoFactors.id, stored.id), isLater))
    .returning({ id: twoFactors.id })
  return updated.length > 0
}

/** The newest half minute accepted by the library that this code belongs to; null if none. */
function stepOf(secret: string, code: string): number | null {
  const now = Math.floor(Date.now() / codePeriodMs)
  return [now + 1, now, now - 1].find((step) => codeAt(secret, step) === code) ?? null
}

/** HOTP (RFC 4226) with six digits. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

type Proof = { code?: string | undefined; password?: string | undefined; passkey?: PasskeyAssertion | undefined }

/** Whether the actor gave their own password, a code of their authenticator, or their passkey. */
export async function proveMe(context: Context, { code, password = '', passkey }: Proof) {
  if (passkey) return (await ownerOfPasskey(context, passkey)) === staff(context).id ? true : refuse('INVALID_PASSKEY')
  if (code !== undefined) return (await isMyCode(context, code)) ? true : refuse('INVALID_CODE')
  return (await isPasswordOf(context.db, staff(context).id, password)) ? true : refuse('INVALID_CREDENTIALS')
}

/** Whether the code matches the actor's authenticator; only for accounts that have one. */
async function isMyCode(context: Context, code: string): Promise<boolean> {
  const { id } = staff(context)
  if (!(await isOn(context, id)) || !(await isNewCode(context, id, code))) return false
  return isShown(context, code)
}

async function isShown(context: Context, code: string): Promise<boolean> {
  try {
    await context.auth.api.verifyTOTP({ body: { code }, headers: context.requestHeaders })
    return true
  } catch (error) {
    if (isWrongCode(error)) return false
    throw error
  }
}

async function isOn(context: Context, id: string): Promise<boolean> {
  const [row] = await context.db.select({ isOn: profiles.twoFactorEnabled }).from(profiles).where(eq(profiles.id, id))
  return row?.isOn ?? false
}

/** How an account can confirm an action. */
export async function waysToConfirm({ db, env }: Pick<Context, 'db' | 'env'>, id: string) {
  const [credentials, passkey] = await Promise.all([
    db.select({ providerId: accounts.providerId }).from(accounts).where(eq(accounts.userId, id)),
    db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, id)).limit(1),
  ])
  return {
    hasPassword: credentials.some(({ providerId }) => providerId === 'credential'),
    hasPasskey: passkey.length > 0,
    isLinked: env.OIDC_ISSUER !== undefined && credentials.some(({ providerId }) => providerId.startsWith('oidc ')),
  }
}

export async function twoFactorOf(context: Context) {
  const { id } = staff(context)
  const ways = await waysToConfirm(context, id)
  if (!(await isOn(context, id))) return { isOn: false, recoveryCodesLeft: 0, ...ways }
  return { isOn: true, recoveryCodesLeft: (await recoveryCodesOf(context.auth.api, id)).length, ...ways }
}

const recoveryCodesOf = async (api: Api, userId: string): Promise<string[]> => (await api.viewBackupCodes({ body: { userId } })).backupCodes

/** Creates a new authenticator secret, replacing one that was not confirmed. Nothing else changes until a code confirms it. */
export async function beginTwoFactor(context: Context, password: string) {
  const { id } = staff(context)
  if (!(await isPasswordOf(context.db, id, password))) return refuse('INVALID_CREDENTIALS')
  if (await isOn(context, id)) return refuse('ALREADY_ON')
  await context.db.delete(twoFactors).where(eq(twoFactors.userId, id))
  const answer = await context.auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: context.requestHeaders })
  if (answer.method !== 'totp') throw new Error('The library started a different method than requested')
  // The profile stores whether it is on. Otherwise the library would open a new session with the first code and sign this page out.
  await context.db.update(twoFactors).set({ verified: true }).where(eq(twoFactors.userId, id))
  return { uri: answer.totpURI, secret: new URL(answer.totpURI).searchParams.get('secret') ?? '' }
}

/** Confirms the first code; sign-ins require a code from now on. Other sessions of the account never showed one, so they are ended. */
export async function confirmTwoFactor(context: Context, code: string) {
  const me = staff(context)
  const { id, sessionId } = me
  if (await isOn(context, id)) return refuse('ALREADY_ON')
  const [begun] = await context.db.select({ id: twoFactors.id }).from(twoFactors).where(eq(twoFactors.userId, id))
  if (!begun) return refuse('NOT_ON')
  if (!(await isNewCode(context, id, code)) || !(await isShown(context, code))) return refuse('INVALID_CODE')
  const ended = await context.db.transaction(async (tx) => {
    // Restarted in another tab: the code belongs to the previous secret.
    const [still] = await tx.select({ id: twoFactors.id }).from(twoFactors).where(eq(twoFactors.id, begun.id)).for('update')
    if (!still) return null
    await tx.update(profiles).set({ twoFactorEnabled: true, updatedAt: context.now() }).where(eq(profiles.id, id))
    await recordTwoFactor(tx, context, id, true)
    await notifyPerson(tx, context, me, { what: 'two-factor-on' })
    return endSomeSessions(tx, id, ne(sessions.id, sessionId))
  })
  return ended ? { recoveryCodes: await recoveryCodesOf(context.auth.api, id), ended } : refuse('NOT_ON')
}

export async function renewRecoveryCodes(context: Context, password: string) {
  const me = staff(context)
  if (!(await isOn(context, me.id))) return refuse('NOT_ON')
  if (!(await isPasswordOf(context.db, me.id, password))) return refuse('INVALID_CREDENTIALS')
  const { backupCodes } = await context.auth.api.generateBackupCodes({ body: { password }, headers: context.requestHeaders })
  await context.db.transaction(async (tx) => {
    const after = { id: me.id, recoveryCodes: 'Made again' }
    await recordChange(tx, context, { action: 'changed', kind: 'account', contactIds: [], after })
    await notifyPerson(tx, context, me, { what: 'recovery-codes' })
  })
  return { recoveryCodes: backupCodes }
}

export async function turnOffTwoFactor(context: Context, password: string) {
  const { id } = staff(context)
  if (!(await isPasswordOf(context.db, id, password))) return refuse('INVALID_CREDENTIALS')
  return context.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [mine] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!mine?.twoFactorEnabled) return refuse('NOT_ON')
    if (await isLastEmergency(tx, context.env, mine)) return refuse('LAST_EMERGENCY')
    await removeTwoFactor(tx, context, mine)
    await notifyPerson(tx, context, mine, { what: 'two-factor-off' })
    return true
  })
}
