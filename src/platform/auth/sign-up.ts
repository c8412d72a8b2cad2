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
import { recordRefusal } from './entries.ts'
import { mailVerification } from './jobs.ts'
import { hashPassword, isBusyHashing, isPasswordOf, keepPassword } from './passwords.ts'
import { lockAccounts } from './people/people.ts'
import { statusOnceVerified } from './rules.ts'
import { countAttempt } from './sign-in.ts'
import { profiles } from './table.ts'

/**
 * Makes an account, which may do nothing until its address is verified. Where the address is taken nothing is written; a password is hashed all the
 * same, so that neither the answer nor its time tells.
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
    await keepPassword(tx, id, stored)
    await recordChange(tx, scope, { action: 'created', kind: 'account', contactIds: [], after: { id, email, role, status } })
    await enqueue(tx, mailVerification, { email })
  })
}

/**
 * Proves the address of an account, by the link that was mailed to it and the account's password. Who reads the mail need not be who signed up: by the
 * link alone a stranger's password would come in. Wrong passwords count as they do when signing in, and leave the link as it is.
 */
export async function verifyAddress(context: Context, { token, password }: { token: string; password: string }) {
  const email = await addressOf(context.env, token)
  const [account] = email ? await context.db.select().from(profiles).where(eq(profiles.email, email)) : []
  if (!account) return refuse('LINK_INVALID')
  const attempt = await countAttempt(context, account.email)
  if (!attempt || isBusyHashing()) return refuse('TOO_MANY_REQUESTS')
  if (!(await isPasswordOf(context.db, account.id, password))) {
    await recordRefusal(context, account, 'proof')
    return refuse('INVALID_CREDENTIALS')
  }
  await attempt.forgive()
  return admitVerified(context, account.id)
}

/** The address that the library has signed into a link of ours; null for one that it has not, or that is over. */
async function addressOf(env: Env, token: string): Promise<string | null> {
  const signed = z.object({ email: z.string() }).safeParse(await verifyJWT(token, env.APP_SECRET))
  return signed.data?.email ?? null
}

/** Lets a verified account in when its domain is one of the practice's; any other waits for an administrator. A second time it changes nothing. */
async function admitVerified(scope: Scope, id: string): Promise<AccountStatus> {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) throw new Error('An account is gone since its password was looked at')
    if (before.emailVerified) return before.status
    const status = before.status === 'pending' ? statusOnceVerified(before.email, scope.env.COMPANY_DOMAINS) : before.status
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
