import { createHash } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { eq } from 'drizzle-orm'
import type { Database, Db } from '../../kernel/postgres/database.ts'
import type { Env } from '../../kernel/env.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { recordChange } from '../audit/service.ts'
import { queueMail } from '../mail/service.ts'
import { cookiePrefix, isHttps } from './sessions/cookies.ts'
import { directSessions, secondStepWithin } from './sessions/direct-sessions.ts'
import { passwordResetMail, verificationMail } from './emails.ts'
import { hashPassword, setPassword, verifyPassword } from './passwords.ts'
import { lockAccounts } from './people/lock-accounts.ts'
import { endWithOldPassword } from './people/people.ts'
import { newRecoveryCodes } from './account/recovery-codes.ts'
import { accounts, profiles, sessions, setupTokens, twoFactors, verifications } from './table.ts'

export type { Attempts } from '../../kernel/attempts.ts'
export { beginAttempt, endAttempt } from './oauth-attempts.ts'
export { listPeople } from './people/people.ts'
export { remainingLifetime } from './sessions/session-expiry.ts'

/** Absolute lifetime; idle sessions end sooner (SESSION_IDLE_MINUTES). */
const sessionHours = 10
/** Prefix of a reset link's token in the library; only a hash of the token is stored. */
const resetPrefix = 'reset-password:'

export type Auth = ReturnType<typeof createAuth>

/** The authentication library, wired to our tables, email and rules. None of its own routes are exposed. */
export function createAuth(db: Database, env: Env) {
  return betterAuth({
    baseURL: env.APP_URL,
    secrets: [env.APP_SECRET, ...env.OLD_APP_SECRETS].map((value) => ({ version: versionOf(value), value })),
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: profiles, session: sessions, account: accounts, verification: verifications, twoFactor: twoFactors },
    }),
    user: {
      additionalFields: {
        firstName: { type: 'string', required: true },
        lastName: { type: 'string', required: true },
        role: { type: 'string', input: false, defaultValue: 'front_desk' },
        status: { type: 'string', input: false, defaultValue: 'pending' },
      },
    },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: true,
      autoSignIn: false,
      minPasswordLength: 6,
      maxPasswordLength: 200,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: 3600,
      password: { hash: hashPassword, verify: ({ hash: stored, password }) => verifyPassword(stored, password) },
      onPasswordReset: ({ user }) => endWithOldPassword(db, { env, now: () => new Date() }, user),
      sendResetPassword: async ({ user, token }) => queueMail(db, passwordResetMail(env, user, token)),
    },
    emailVerification: {
      expiresIn: 24 * 3600,
      sendVerificationEmail: async ({ user, token }) => queueMail(db, verificationMail(env, user, token)),
    },
    verification: { storeIdentifier: { default: 'plain', overrides: { [resetPrefix]: { hash: async (named) => hashToken(named) } } } },
    session: { expiresIn: sessionHours * 3600, disableSessionRefresh: true },
    rateLimit: { enabled: false }, // it guards the library's own routes; ours are limited in attempts.ts
    plugins: [
      twoFactor({
        issuer: env.PRACTICE_NAME,
        twoFactorCookieMaxAge: secondStepWithin,
        totpOptions: { digits: 6, period: 30 },
        backupCodeOptions: { customBackupCodesGenerate: newRecoveryCodes, storeBackupCodes: 'encrypted' },
      }),
      directSessions,
    ],
    advanced: {
      cookiePrefix: cookiePrefix(env),
      useSecureCookies: false, // it would add the weaker __Secure- prefix before ours
      defaultCookieAttributes: { secure: isHttps(env), httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: ['x-real-ip'] },
    },
    logger: { disabled: true },
    telemetry: { enabled: false },
  })
}

/** Which secret encrypted an authenticator's secret, so that APP_SECRET can be rotated: the library stores this with it. */
const versionOf = (secret: string): number => createHash('sha256').update(`refyne authenticators ${secret}`).digest().readUInt32BE()

type Person = { firstName: string; lastName: string; email: string; role: Actor['role'] }
type NewAccount = Person & { password: string }

/** Creates an active, verified account, or turns an existing one into it; for the first administrator and the demo. Returns its id. */
export async function createActiveAccount(tx: Db, account: NewAccount): Promise<string> {
  const userId = await activateAccount(tx, account)
  await setPassword(tx, userId, account.password)
  return userId
}

/** The same, but leaves the password as it is: a new account has none, so that no one can sign in with it yet. */
export async function activateAccount(tx: Db, { firstName, lastName, email, role }: Person): Promise<string> {
  const name = `${firstName} ${lastName}`
  const active = { name, firstName, lastName, role, status: 'active' as const, emailVerified: true }
  const [row] = await tx
    .insert(profiles)
    .values({ email, ...active })
    .onConflictDoUpdate({ target: profiles.email, set: active })
    .returning({ id: profiles.id })
  return row!.id
}

/** The account whose password this link may set; null if invalid or already used. */
export async function ownerOfReset(db: Db, token: string): Promise<string | null> {
  const [row] = await db
    .select({ id: verifications.value })
    .from(verifications)
    .where(eq(verifications.identifier, hashToken(resetPrefix + token)))
  return row?.id ?? null
}

export async function isSetupOpen(db: Db): Promise<boolean> {
  const [admin] = await db.select({ id: profiles.id }).from(profiles).where(eq(profiles.role, 'admin')).limit(1)
  return !admin
}

/** Creates a one-time link for the first administrator; null if there is one already. */
export async function createSetupLink(db: Db, env: Env): Promise<string | null> {
  if (!(await isSetupOpen(db))) return null
  const token = newToken()
  await db.insert(setupTokens).values({ tokenHash: hashToken(token) })
  return `${env.APP_URL}/setup?token=${token}`
}

/** Uses up the one-time link, which is invalid once there is an administrator. */
export async function createFirstAdmin(scope: Scope, input: Omit<NewAccount, 'role'> & { token: string }) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [used] = await tx
      .delete(setupTokens)
      .where(eq(setupTokens.tokenHash, hashToken(input.token)))
      .returning()
    if (!used || !(await isSetupOpen(tx))) return refuse('LINK_INVALID')
    await tx.delete(setupTokens)
    const role = 'admin'
    const id = await createActiveAccount(tx, { ...input, role })
    await recordChange(tx, scope, { action: 'created', kind: 'account', contactIds: [], after: { id, email: input.email, role } })
    return id
  })
}

/** The account as a background actor, for work it started; null if not found. It has no session. */
export async function actorOf(db: Db, id: string): Promise<Actor | null> {
  const [row] = await db.select().from(profiles).where(eq(profiles.id, id))
  return row ? { id, sessionId: '', role: row.role, status: row.status, name: row.name, email: row.email } : null
}
