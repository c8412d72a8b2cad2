import { verifyJWT } from 'better-auth/crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Env } from '../../kernel/env.ts'
import { publish } from '../../kernel/events/events.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { AccountStatus } from '../../kernel/access/rules.ts'
import { recordChange } from '../audit/service.ts'
import { recordRefusal } from './audit-entries.ts'
import { mailVerification } from './jobs.ts'
import { hashPassword, isHashQueueFull, isPasswordOf, storePasswordHash } from './passwords.ts'
import { lockAccounts } from './people/lock-accounts.ts'
import { statusAfterVerification } from './rules.ts'
import { countAttempt } from './sign-in.ts'
import { profiles } from './table.ts'

/**
 * Creates an account that can do nothing until its address is verified. If the address is taken, nothing is written but a password is
 * still hashed, so neither the answer nor its timing reveals it.
 */
export async function signUp(
  scope: Scope,
  { password, ...person }: { firstName: string; lastName: string; email: string; password: string },
): Promise<void> {
  const stored = await hashPassword(password)
  await scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [made] = await tx
      .insert(profiles)
      .values({ ...person, name: `${person.firstName} ${person.lastName}` })
      .onConflictDoNothing()
      .returning()
    if (!made) return
    const { id, email, role, status } = made
    await storePasswordHash(tx, id, stored)
    await recordChange(tx, scope, { action: 'created', kind: 'account', contactIds: [], after: { id, email, role, status } })
    await enqueue(tx, mailVerification, { email })
  })
}

/**
 * Verifies an account's address by the emailed link and the account's password. The reader of the email may not be who signed up: with the
 * link alone, someone else's password would be activated. Wrong passwords count as at sign-in and leave the link valid.
 */
export async function verifyAddress(context: Context, { token, password }: { token: string; password: string }) {
  const email = await addressOf(context.env, token)
  const [account] = email ? await context.db.select().from(profiles).where(eq(profiles.email, email)) : []
  if (!account) return refuse('LINK_INVALID')
  const attempt = await countAttempt(context, account.email)
  if (!attempt || isHashQueueFull()) return refuse('TOO_MANY_REQUESTS')
  if (!(await isPasswordOf(context.db, account.id, password))) {
    await recordRefusal(context, account, 'proof')
    return refuse('INVALID_CREDENTIALS')
  }
  await attempt.forgive()
  return admitVerified(context, account.id)
}

/** The address signed into one of our links; null if forged or expired. */
async function addressOf(env: Env, token: string): Promise<string | null> {
  const signed = z.object({ email: z.string() }).safeParse(await verifyJWT(token, env.APP_SECRET))
  return signed.data?.email ?? null
}

/** Activates a verified account of a company domain; others wait for an administrator. Idempotent. */
async function admitVerified(scope: Scope, id: string): Promise<AccountStatus> {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) throw new Error('An account was deleted after its password was checked')
    if (before.emailVerified) return before.status
    const status = before.status === 'pending' ? statusAfterVerification(before.email, scope.env.COMPANY_DOMAINS) : before.status
    await tx.update(profiles).set({ emailVerified: true, status, updatedAt: scope.now() }).where(eq(profiles.id, id))
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'account',
      contactIds: [],
      before: { id, emailVerified: false, status: before.status },
      after: { id, email: before.email, emailVerified: true, status },
    })
    await publish(tx, 'people', id)
    return status
  })
}
