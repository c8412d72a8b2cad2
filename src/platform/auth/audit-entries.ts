import { eq } from 'drizzle-orm'
import type { Scope } from '../../kernel/scope.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { recordChange, recordChanges } from '../audit/service.ts'
import type { SessionUser } from '../../kernel/access/session-contract.ts'
import { profiles } from './table.ts'

/** Audit entries for sign-ins (ASVS 5.0, 16.3.1): successes, failures with the reason, sign-outs and new passwords. */

const refusals = {
  password: 'Unknown address or wrong password',
  unverified: 'The address is not confirmed yet',
  disabled: 'The account is disabled',
  code: 'The code was wrong or already used',
  passwordsOff: 'Single sign-on is required',
  passkey: 'The passkey was not valid',
  proof: 'Wrong password or code',
  provider: 'The response of the sign-in provider was not valid',
  providerEmail: 'The sign-in provider does not confirm the address',
  noAccount: 'There is no account for this address',
  otherIdentity: 'The account is linked to another sign-in at the provider',
  noGroup: 'In no group that has a role',
}

export type RefusalReason = keyof typeof refusals

const about = { kind: 'session', contactIds: [] as string[] } as const

export type SignInMethod = 'Password' | 'Authenticator' | 'Recovery code' | 'Passkey' | 'Single sign-on'

export const recordSignIn = (tx: Db, scope: Scope, user: SessionUser, by: SignInMethod, more = {}): Promise<void> =>
  recordChange(tx, as(scope, user), { ...about, action: 'signed-in', after: { with: by, ...more } })

export const recordSignOut = (scope: Scope): Promise<void> => recordChange(scope.db, scope, { ...about, action: 'signed-out' })

/** Records that a user ended their sessions elsewhere. */
export const recordEndedSessions = (tx: Db, scope: Scope, ended: readonly { device: string; address: string | null }[]): Promise<void> =>
  recordChanges(
    tx,
    scope,
    ended.map((before) => ({ ...about, action: 'signed-out', before })),
  )

/**
 * Records a refused sign-in. The address is stored only if an account has it, because an unknown one may be a password in the wrong field.
 * Known and unknown addresses cost the same statements.
 */
export async function recordRefusal(scope: Scope, account: { email: string } | { id: string }, why: RefusalReason): Promise<void> {
  const email = await emailOf(scope.db, account)
  await recordChange(scope.db, scope, { ...about, action: 'denied', after: { ...(email && { email }), reason: refusals[why] } })
}

/** @param id the account; there is no signed-in user after a forgotten password */
export const recordNewPassword = async (scope: Scope, id: string): Promise<void> =>
  recordChange(scope.db, scope, {
    kind: 'account',
    contactIds: [],
    action: 'changed',
    after: { id, email: await emailOf(scope.db, { id }), password: 'Set again' },
  })

async function emailOf(db: Db, account: { email: string } | { id: string }): Promise<string | null> {
  const [row] = await db
    .select({ email: profiles.email })
    .from(profiles)
    .where('id' in account ? eq(profiles.id, account.id) : eq(profiles.email, account.email))
  return row?.email ?? null
}

/** The request context of the user who has just signed in. */
const as = (scope: Scope, { id, role, status, email, fullName }: SessionUser): Scope => ({
  ...scope,
  actor: { id, role, status, email, name: fullName, sessionId: '' },
})
