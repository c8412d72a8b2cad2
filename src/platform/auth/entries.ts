import { eq } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { recordChange, recordChanges } from '../audit/service.ts'
import type { SessionUser } from '../../kernel/access/session-contract.ts'
import { profiles } from './table.ts'

/** What of signing in stands in the audit log (ASVS 5.0, 16.3.1): who came in, who was not let in and why, who left, and new passwords. */

const refusals = {
  password: 'No one has this address, or the password is another',
  unverified: 'The address is not confirmed yet',
  disabled: 'The account is disabled',
  code: 'The code was wrong, or used already',
  proof: 'The password or the code was wrong',
}

const about = { kind: 'session', contactIds: [] as string[] } as const

export const recordSignIn = (scope: Scope, user: SessionUser, by: 'Password' | 'Authenticator' | 'Recovery code'): Promise<void> =>
  recordChange(scope.db, as(scope, user), { ...about, action: 'signed-in', after: { with: by } })

export const recordSignOut = (scope: Scope): Promise<void> => recordChange(scope.db, scope, { ...about, action: 'signed-out' })

/** Someone has signed themselves out elsewhere. */
export const recordEndedSessions = (tx: Db, scope: Scope, ended: readonly { device: string; address: string | null }[]): Promise<void> =>
  recordChanges(
    tx,
    scope,
    ended.map((before) => ({ ...about, action: 'signed-out', before })),
  )

/**
 * Someone was not let in. The address stands there where an account has it: what no one has may be a password in the wrong field.
 * Known and unknown addresses cost the same statements.
 */
export async function recordRefusal(scope: Scope, whose: { email: string } | { id: string }, why: keyof typeof refusals): Promise<void> {
  const email = await emailOf(scope.db, whose)
  await recordChange(scope.db, scope, { ...about, action: 'denied', after: { ...(email && { email }), reason: refusals[why] } })
}

/** @param id whose: no one is signed in where the password was forgotten. */
export const recordNewPassword = async (scope: Scope, id: string): Promise<void> =>
  recordChange(scope.db, scope, {
    kind: 'account',
    contactIds: [],
    action: 'changed',
    after: { id, email: await emailOf(scope.db, { id }), password: 'Set again' },
  })

async function emailOf(db: Db, whose: { email: string } | { id: string }): Promise<string | null> {
  const [row] = await db
    .select({ email: profiles.email })
    .from(profiles)
    .where('id' in whose ? eq(profiles.id, whose.id) : eq(profiles.email, whose.email))
  return row?.email ?? null
}

/** The request, as someone who is signed in from now on. */
const as = (scope: Scope, { id, role, status, email, fullName }: SessionUser): Scope => ({
  ...scope,
  actor: { id, role, status, email, name: fullName, sessionId: '' },
})
