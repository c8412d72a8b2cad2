import { and, asc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import { type Scope, staff } from '../../../kernel/scope.ts'
import type { Database, Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Actor } from '../../../kernel/access/rules.ts'
import { type AccountNews, notifyPerson } from '../account/account-mails.ts'
import { difference } from '../../../kernel/audit/rules.ts'
import { recordChange, recordChanges } from '../../audit/service.ts'
import type { SessionUser } from '../../../kernel/access/session-contract.ts'
import { endSessions } from '../session-life.ts'
import { invitations, profiles, twoFactors, verifications } from '../table.ts'

type Profile = typeof profiles.$inferSelect

/** Actions that depend on which accounts there are wait for one another: the last administrator, the first one, an address that is taken. */
export const lockAccounts = (tx: Db) => tx.execute(sql`select pg_advisory_xact_lock(hashtext('accounts'))`)

const asUser = (row: Profile): SessionUser => ({ ...row, fullName: row.name })

/** An account that is known to be there. */
export const userById = async (db: Db, id: string): Promise<SessionUser> =>
  asUser((await db.select().from(profiles).where(eq(profiles.id, id)))[0]!)
export const userByEmail = async (db: Db, email: string): Promise<SessionUser> =>
  asUser((await db.select().from(profiles).where(eq(profiles.email, email)))[0]!)

/** The name that one goes by oneself. */
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

export const listAccounts = (db: Db): Promise<Profile[]> =>
  db
    .select()
    .from(profiles)
    .orderBy(sql`${profiles.status} = 'pending' desc`, asc(sql`fold(${profiles.name})`))

type AccountChange = { id: string; status?: Actor['status'] | undefined; role?: Actor['role'] | undefined }

/** Approves, disables or changes the role of an account, which ends its sessions. The last active administrator stays one. */
export async function updateAccount(scope: Scope, { id, ...change }: AccountChange) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) return null
    const after = { role: change.role ?? before.role, status: change.status ?? before.status }
    if (before.role === 'admin' && before.status === 'active' && (after.role !== 'admin' || after.status !== 'active')) {
      const [other] = await tx
        .select({ id: profiles.id })
        .from(profiles)
        .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active'), ne(profiles.id, id)))
        .limit(1)
      if (!other) return refuse('LAST_ADMIN')
      await endInvitationsOf(tx, scope, id)
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
    const news = newsOf(before, after, staff(scope).name)
    if (news) await notifyPerson(tx, scope, before, news)
    await endSessions(tx, id)
    await publish(tx, 'people', id)
    return row!
  })
}

/** No one joins by the word of someone who is no administrator any more: another one may send these links again. */
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

/** What there is to tell someone of a change of their account. Anyone who may not come in does not need to hear what their role is. */
function newsOf(before: Standing, after: Standing, by: string): AccountNews | null {
  const { role } = after
  const isNew = before.status !== after.status
  if (after.status === 'disabled') return isNew ? { what: 'disabled', by } : null
  if (after.status === 'pending') return null
  if (isNew) return { what: before.status === 'pending' ? 'approved' : 'enabled', by, role }
  return before.role === role ? null : { what: 'role', by, before: before.role, role }
}

/** Someone has a new password: wherever they were signed in, or had begun to, they are not any more, other reset links are over, and they hear of it. */
export const endWithOldPassword = (db: Database, scope: { env: Env; now: () => Date }, user: { id: string; email: string; name: string }) =>
  db.transaction(async (tx) => {
    await endSessions(tx, user.id)
    await tx.delete(verifications).where(eq(verifications.value, user.id))
    await notifyPerson(tx, scope, user, { what: 'password' })
  })

/** Anyone who signed up, did not prove their address within a week, and was not touched by an administrator: most likely it is not theirs. */
export async function purgeUnverified(scope: Scope): Promise<void> {
  await scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const gone = await tx
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
      gone.map(({ id, email, role, status }) => ({
        action: 'deleted',
        kind: 'account',
        contactIds: [],
        before: { id, email, role, status },
      })),
    )
    for (const { id } of gone) await publish(tx, 'people', id)
  })
}

/** For someone who has lost their authenticator: the password alone lets them in again. Null: there is no such account. */
export async function resetTwoFactor(scope: Scope, id: string): Promise<Profile | null> {
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id)).for('update')
    if (!before) return null
    await removeTwoFactor(tx, scope, before)
    if (before.twoFactorEnabled) await notifyPerson(tx, scope, before, { what: 'two-factor-reset', by: staff(scope).name })
    await endSessions(tx, id)
    return { ...before, twoFactorEnabled: false }
  })
}

/** Takes the authenticator and the recovery codes off an account, as far as it has some. */
export async function removeTwoFactor(
  tx: Db,
  scope: Scope,
  { id, twoFactorEnabled }: Pick<Profile, 'id' | 'twoFactorEnabled'>,
): Promise<void> {
  await tx.delete(twoFactors).where(eq(twoFactors.userId, id))
  if (!twoFactorEnabled) return
  await tx.update(profiles).set({ twoFactorEnabled: false, updatedAt: scope.now() }).where(eq(profiles.id, id))
  await recordTwoFactor(tx, scope, id, false)
}

/** The audit row of an authenticator that came or went. */
export async function recordTwoFactor(tx: Db, scope: Scope, id: string, isOn: boolean): Promise<void> {
  const [before, after] = [
    { id, twoFactorEnabled: !isOn },
    { id, twoFactorEnabled: isOn },
  ]
  await recordChange(tx, scope, { action: 'changed', kind: 'account', contactIds: [], before, after })
  await publish(tx, 'people', id)
}
