import { and, asc, eq, getTableColumns, gt, like, lt, ne, sql } from 'drizzle-orm'
import { type Scope, staff } from '../../../kernel/scope.ts'
import type { Database, Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Actor } from '../../../kernel/access/rules.ts'
import { type AccountEvent, notifyPerson } from '../account/account-emails.ts'
import { difference } from '../../../kernel/audit/rules.ts'
import { recordChange, recordChanges } from '../../audit/service.ts'
import type { SessionUser } from '../../../kernel/access/session-contract.ts'
import { isLastEmergency } from './emergency.ts'
import { lockAccounts } from './lock-accounts.ts'
import { endSessions } from '../sessions/session-expiry.ts'
import { accounts, invitations, passkeys, profiles, twoFactors, verifications } from '../table.ts'

type Profile = typeof profiles.$inferSelect

/** What pages see of an account. */
export const asUser = (row: Profile): SessionUser => ({ ...row, fullName: row.name })

/** Loads an account that must exist. */
export const userById = async (db: Db, id: string): Promise<SessionUser> =>
  asUser((await db.select().from(profiles).where(eq(profiles.id, id)))[0]!)
export const userByEmail = async (db: Db, email: string): Promise<SessionUser> =>
  asUser((await db.select().from(profiles).where(eq(profiles.email, email)))[0]!)

/** Changes the actor's own name. */
export async function updateMyName(scope: Scope, { firstName, lastName }: { firstName: string; lastName: string }): Promise<SessionUser> {
  const { id } = staff(scope)
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id)).for('update')
    const names = { firstName, lastName, name: `${firstName} ${lastName}` }
    const [row] = await tx
      .update(profiles)
      .set({ ...names, updatedAt: scope.now() })
      .where(eq(profiles.id, id))
      .returning()
    const changed = difference<Record<string, unknown>>(
      { firstName: before!.firstName, lastName: before!.lastName },
      { firstName, lastName },
    )
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'account',
      contactIds: [],
      before: { id, ...changed.before },
      after: { id, ...changed.after },
    })
    await publish(tx, 'people', id)
    return asUser(row!)
  })
}

export const listPeople = (db: Db): Promise<Profile[]> =>
  db
    .select()
    .from(profiles)
    .where(eq(profiles.status, 'active'))
    .orderBy(asc(sql`fold(${profiles.name})`))

/** Whether an account belongs to someone at the sign-in provider. */
// Names of tables, because the query builder leaves them out of a query of one table.
const isLinked = sql<boolean>`exists (select from accounts a where a.user_id = profiles.id and a.provider_id like 'oidc %')`

const passkeyCount = sql<number>`(select count(*)::int from passkeys p where p.user_id = profiles.id)`
const accountColumns = { ...getTableColumns(profiles), isLinked, passkeys: passkeyCount }

export const listAccounts = (db: Db) =>
  db
    .select(accountColumns)
    .from(profiles)
    .orderBy(sql`${profiles.status} = 'pending' desc`, asc(sql`fold(${profiles.name})`))

export const accountById = async (db: Db, id: string) => (await db.select(accountColumns).from(profiles).where(eq(profiles.id, id)))[0]!

type AccountChange = { id: string; status?: Actor['status'] | undefined; role?: Actor['role'] | undefined }

/** Approves, disables or changes the role of an account, and ends its sessions. The last active administrator cannot be removed. */
export async function updateAccount(scope: Scope, { id, ...change }: AccountChange) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) return null
    const after = { role: change.role ?? before.role, status: change.status ?? before.status }
    if (isActiveAdmin(before) && !isActiveAdmin(after)) {
      if (await isLastAdmin(tx, id)) return refuse('LAST_ADMIN')
      if (await isLastEmergency(tx, scope.env, before)) return refuse('LAST_EMERGENCY')
      await endInvitationsOf(tx, scope, id)
    }
    const [row] = await tx
      .update(profiles)
      .set({ ...after, emergencyAccess: before.emergencyAccess && isActiveAdmin(after), updatedAt: scope.now() })
      .where(eq(profiles.id, id))
      .returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'account',
      contactIds: [],
      before: { id, role: before.role, status: before.status },
      after: { id, ...after },
    })
    const news = newsOf(before, after, staff(scope).name)
    if (news) await notifyPerson(tx, scope, before, news)
    await endSessions(tx, id)
    await publish(tx, 'people', id)
    return row!
  })
}

const isActiveAdmin = ({ role, status }: Standing): boolean => role === 'admin' && status === 'active'

async function isLastAdmin(tx: Db, id: string): Promise<boolean> {
  const [other] = await tx
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active'), ne(profiles.id, id)))
    .limit(1)
  return !other
}

/**
 * Gives an account the role of its groups at the sign-in provider, and ends its sessions. The last administrator keeps the role, and so does
 * everyone with emergency access, which has to work when the provider does not. Call with the accounts locked.
 */
export async function followGroups(tx: Db, scope: Scope, before: Profile, role: Actor['role']): Promise<Profile> {
  if (before.role === role || before.emergencyAccess || (before.role === 'admin' && (await isLastAdmin(tx, before.id)))) return before
  if (isActiveAdmin(before)) await endInvitationsOf(tx, scope, before.id)
  const [row] = await tx.update(profiles).set({ role, updatedAt: scope.now() }).where(eq(profiles.id, before.id)).returning()
  const { id } = before
  const because = 'Groups at the sign-in provider'
  await recordChange(tx, scope, {
    action: 'changed',
    kind: 'account',
    contactIds: [],
    before: { id, role: before.role },
    after: { id, role, because },
  })
  await notifyPerson(tx, scope, before, { what: 'role', by: scope.env.OIDC_NAME, before: before.role, role })
  await endSessions(tx, id)
  await publish(tx, 'people', id)
  return row!
}

/** Invitations from someone who is no longer an administrator are withdrawn; another administrator can resend them. */
async function endInvitationsOf(tx: Db, scope: Scope, invitedBy: string): Promise<void> {
  const expiresAt = scope.now()
  const ended = await tx
    .update(invitations)
    .set({ expiresAt })
    .where(and(eq(invitations.invitedBy, invitedBy), gt(invitations.expiresAt, expiresAt)))
    .returning()
  await recordChanges(
    tx,
    scope,
    ended.map(({ id, email, role }) => ({ action: 'changed', kind: 'invitation', contactIds: [], after: { id, email, role, expiresAt } })),
  )
}

type Standing = Pick<Profile, 'role' | 'status'>

/** What to email about a change to an account. Users who cannot sign in are not notified of their role. */
function newsOf(before: Standing, after: Standing, by: string): AccountEvent | null {
  const { role } = after
  const isNew = before.status !== after.status
  if (after.status === 'disabled') return isNew ? { what: 'disabled', by } : null
  if (after.status === 'pending') return null
  if (isNew) return { what: before.status === 'pending' ? 'approved' : 'enabled', by, role }
  return before.role === role ? null : { what: 'role', by, before: before.role, role }
}

/** After a password change: ends all sessions, started sign-ins and other reset links of the account, and emails the user. */
export const endWithOldPassword = (db: Database, scope: { env: Env; now: () => Date }, user: { id: string; email: string; name: string }) =>
  db.transaction(async (tx) => {
    await endSessions(tx, user.id)
    await tx.delete(verifications).where(eq(verifications.value, user.id))
    await notifyPerson(tx, scope, user, { what: 'password' })
  })

/**
 * Accounts that signed up, did not verify within a week, and were not touched by an administrator: most likely not their owner's address.
 */
export async function purgeUnverified(scope: Scope): Promise<void> {
  await scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const deleted = await tx
      .delete(profiles)
      .where(
        and(
          eq(profiles.status, 'pending'),
          eq(profiles.emailVerified, false),
          lt(profiles.createdAt, sql`now() - interval '7 days'`),
          lt(profiles.updatedAt, sql`${profiles.createdAt} + interval '1 second'`),
        ),
      )
      .returning()
    await recordChanges(
      tx,
      scope,
      deleted.map(({ id, email, role, status }) => ({
        action: 'deleted',
        kind: 'account',
        contactIds: [],
        before: { id, email, role, status },
      })),
    )
    for (const { id } of deleted) await publish(tx, 'people', id)
  })
}

/** Removes the authenticator and the passkeys of a user who lost them; the password alone is enough again. Null if the account is not found. */
export async function resetTwoFactor(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id)).for('update')
    if (!before) return null
    if (await isLastEmergency(tx, scope.env, before)) return refuse('LAST_EMERGENCY')
    await removeTwoFactor(tx, scope, before)
    const gone = await tx.delete(passkeys).where(eq(passkeys.userId, id)).returning()
    for (const { name } of gone) await recordPasskey(tx, scope, id, { name, change: 'Removed' })
    if (before.twoFactorEnabled || gone.length > 0)
      await notifyPerson(tx, scope, before, { what: 'two-factor-reset', by: staff(scope).name })
    await endSessions(tx, id)
    return { ...before, twoFactorEnabled: false }
  })
}

/** Forgets who an account is at the sign-in provider, for someone who has a new account there. Null if the account is not found. */
export async function unlinkSso(scope: Scope, id: string): Promise<Profile | null> {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [account] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!account) return null
    await tx.delete(accounts).where(and(eq(accounts.userId, id), like(accounts.providerId, 'oidc %')))
    const after = { id, email: account.email, singleSignOn: 'Unlinked' }
    await recordChange(tx, scope, { action: 'changed', kind: 'account', contactIds: [], after })
    await endSessions(tx, id)
    await publish(tx, 'people', id)
    return account
  })
}

/** Removes the authenticator and recovery codes of an account, if any. */
export async function removeTwoFactor(
  tx: Db,
  scope: Scope,
  { id, twoFactorEnabled }: Pick<Profile, 'id' | 'twoFactorEnabled'>,
): Promise<void> {
  await tx.delete(twoFactors).where(eq(twoFactors.userId, id))
  if (!twoFactorEnabled) return
  // Emergency access needs it, and must not come back with a new authenticator.
  await tx.update(profiles).set({ twoFactorEnabled: false, emergencyAccess: false, updatedAt: scope.now() }).where(eq(profiles.id, id))
  await recordTwoFactor(tx, scope, id, false)
}

/** Audit row for an authenticator that was added or removed. */
export async function recordTwoFactor(tx: Db, scope: Scope, id: string, isOn: boolean): Promise<void> {
  const [before, after] = [
    { id, twoFactorEnabled: !isOn },
    { id, twoFactorEnabled: isOn },
  ]
  await recordChange(tx, scope, { action: 'changed', kind: 'account', contactIds: [], before, after })
  await publish(tx, 'people', id)
}

/** Audit row for a passkey that was added or removed. */
export async function recordPasskey(
  tx: Db,
  scope: Scope,
  id: string,
  passkey: { name: string; change: 'Added' | 'Removed' },
): Promise<void> {
  await recordChange(tx, scope, { action: 'changed', kind: 'account', contactIds: [], after: { id, passkey } })
  await publish(tx, 'people', id)
}
