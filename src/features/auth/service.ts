import { createHash, randomBytes } from 'node:crypto'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { Database, Db } from '../../server/database.ts'
import type { Env } from '../../server/env.ts'
import { publish } from '../../server/events.ts'
import type { Actor } from '../access/rules.ts'
import { recordChange } from '../audit/service.ts'
import { queueMail } from '../mail/service.ts'
import { passwordResetMail, verificationMail } from './mails.ts'
import { statusOnceVerified } from './rules.ts'
import { accounts, profiles, sessions, setupTokens, verifications } from './table.ts'

export type { Attempts } from './attempts.ts'
export { beginAttempt, endAttempt } from './oauth-attempts.ts'

/** OWASP's parameters for argon2id: 19 MiB, two passes. The enum is a type only, so its value stands here. */
const argon = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const sessionHours = 10

export type Auth = ReturnType<typeof createAuth>

/** The authentication library, wired to our tables, our mail and our rules. None of its own routes are served. */
export function createAuth(db: Database, env: Env) {
  return betterAuth({
    baseURL: env.APP_URL,
    secret: env.APP_SECRET,
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: { user: profiles, session: sessions, account: accounts, verification: verifications },
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
      password: { hash: (password) => hash(password, argon), verify: ({ hash: stored, password }) => verify(stored, password) },
      onPasswordReset: async ({ user }) => endSessions(db, user.id),
      sendResetPassword: async ({ user, token }) => queueMail(db, passwordResetMail(env, user, token)),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      expiresIn: 24 * 3600,
      afterEmailVerification: async (user) => admitVerified(db, env, user.id, user.email),
      sendVerificationEmail: async ({ user, token }) => queueMail(db, verificationMail(env, user, token)),
    },
    session: { expiresIn: sessionHours * 3600, disableSessionRefresh: true },
    rateLimit: { enabled: false }, // it guards the library's own routes; ours are limited in attempts.ts
    advanced: {
      cookiePrefix: 'refyne',
      useSecureCookies: env.APP_URL.startsWith('https:'),
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: ['x-real-ip'] },
    },
    logger: { disabled: true },
    telemetry: { enabled: false },
  })
}

type NewAccount = { firstName: string; lastName: string; email: string; password: string; role: Actor['role'] }

/** Makes an active, verified account, or turns an existing one into that; for the first administrator and the demo. */
export async function createActiveAccount(tx: Db, account: NewAccount): Promise<string> {
  const { firstName, lastName, email, role } = account
  const name = `${firstName} ${lastName}`
  const active = { name, firstName, lastName, role, status: 'active' as const, emailVerified: true }
  const [row] = await tx
    .insert(profiles)
    .values({ email, ...active })
    .onConflictDoUpdate({ target: profiles.email, set: active })
    .returning({ id: profiles.id })
  const userId = row!.id
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  await tx.insert(accounts).values({ userId, accountId: userId, providerId: 'credential', password: await hash(account.password, argon) })
  return userId
}

/** Ends every session of an account, open streams included, in every process. */
export async function endSessions(tx: Db, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId))
  await publish(tx, 'session', userId)
}

/** Lets a verified account in when its domain is one of the practice's; any other waits for an administrator. */
async function admitVerified(db: Database, env: Env, userId: string, email: string): Promise<void> {
  const status = statusOnceVerified(email, env.COMPANY_DOMAINS)
  await db
    .update(profiles)
    .set({ status })
    .where(and(eq(profiles.id, userId), eq(profiles.status, 'pending')))
  await publish(db, 'people', userId)
}

/** The status of the account whose verification token this is. Only for a token that the library has accepted. */
export async function statusOfVerified(db: Db, acceptedToken: string): Promise<Actor['status'] | null> {
  const payload = JSON.parse(Buffer.from(acceptedToken.split('.')[1] ?? '', 'base64url').toString()) as { email: string }
  const [row] = await db.select({ status: profiles.status }).from(profiles).where(eq(profiles.email, payload.email.toLowerCase()))
  return row?.status ?? null
}

const tokenHash = (token: string) => createHash('sha256').update(token).digest('base64url')

export async function isSetupOpen(db: Db): Promise<boolean> {
  const [admin] = await db.select({ id: profiles.id }).from(profiles).where(eq(profiles.role, 'admin')).limit(1)
  return !admin
}

/** A one-time link for the first administrator, or null when there is one already. */
export async function createSetupLink(db: Db, env: Env): Promise<string | null> {
  if (!(await isSetupOpen(db))) return null
  const token = randomBytes(32).toString('base64url')
  await db.insert(setupTokens).values({ tokenHash: tokenHash(token) })
  return `${env.APP_URL}/setup?token=${token}`
}

/** Uses up the one-time link. Null when it is not valid, or there is an administrator already. */
export async function createFirstAdmin(db: Database, input: Omit<NewAccount, 'role'> & { token: string }): Promise<string | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('accounts'))`)
    const [used] = await tx
      .delete(setupTokens)
      .where(eq(setupTokens.tokenHash, tokenHash(input.token)))
      .returning()
    if (!used || !(await isSetupOpen(tx))) return null
    await tx.delete(setupTokens)
    return createActiveAccount(tx, { ...input, role: 'admin' })
  })
}

/** An account as it acts in the background, for work that it began; null when there is none. It has no session there. */
export async function actorOf(db: Db, id: string): Promise<Actor | null> {
  const [row] = await db.select().from(profiles).where(eq(profiles.id, id))
  return row ? { id, sessionId: '', role: row.role, status: row.status, name: row.name, email: row.email } : null
}

export const listPeople = (db: Db) =>
  db
    .select()
    .from(profiles)
    .where(eq(profiles.status, 'active'))
    .orderBy(asc(sql`fold(${profiles.name})`))

export const listAccounts = (db: Db) =>
  db
    .select()
    .from(profiles)
    .orderBy(sql`${profiles.status} = 'pending' desc`, asc(sql`fold(${profiles.name})`))

type AccountChange = { id: string; status?: Actor['status'] | undefined; role?: Actor['role'] | undefined }

/** Approves, disables or changes the role of an account. The last active administrator stays one. */
export async function updateAccount(scope: Scope, { id, ...change }: AccountChange) {
  return scope.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('accounts'))`)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) return 'not-found' as const
    const after = { role: change.role ?? before.role, status: change.status ?? before.status }
    if (before.role === 'admin' && before.status === 'active' && (after.role !== 'admin' || after.status !== 'active')) {
      const [other] = await tx
        .select({ id: profiles.id })
        .from(profiles)
        .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active'), ne(profiles.id, id)))
        .limit(1)
      if (!other) return 'last-admin' as const
    }
    const [row] = await tx
      .update(profiles)
      .set({ ...after, updatedAt: scope.now() })
      .where(eq(profiles.id, id))
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'account',
      contactIds: [],
      before: { id, role: before.role, status: before.status },
      after: { id, ...after },
    })
    await endSessions(tx, id)
    await publish(tx, 'people', id)
    return row!
  })
}
