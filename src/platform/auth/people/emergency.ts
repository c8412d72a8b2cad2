import { and, eq, ne } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import type { SessionUser } from '../../../kernel/access/session-contract.ts'
import { recordChange } from '../../audit/service.ts'
import { notifyPerson } from '../account/account-emails.ts'
import { recordSignIn, type SignInMethod } from '../audit-entries.ts'
import { profiles } from '../table.ts'
import { lockAccounts } from './lock-accounts.ts'

/**
 * Emergency access: with OIDC_ONLY, passwords work only for administrators who are marked for it and have a second factor. As long as there is
 * none, they work for every administrator, so that no setting locks everyone out.
 */

type Profile = typeof profiles.$inferSelect
type Standing = Pick<Profile, 'role' | 'status' | 'emergencyAccess' | 'twoFactorEnabled'>

const hasEmergencyAccess = ({ role, status, emergencyAccess, twoFactorEnabled }: Standing): boolean =>
  role === 'admin' && status === 'active' && emergencyAccess && twoFactorEnabled

/** Whether any account, or any other account than this one, has emergency access. */
async function isThereOne(db: Db, exceptId?: string): Promise<boolean> {
  const [row] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(
      and(
        eq(profiles.role, 'admin'),
        eq(profiles.status, 'active'),
        eq(profiles.emergencyAccess, true),
        eq(profiles.twoFactorEnabled, true),
        exceptId === undefined ? undefined : ne(profiles.id, exceptId),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** Whether a password or a passkey may sign this account in. True for unknown addresses, which are refused like a wrong password. */
export async function mayUsePassword({ db, env }: { db: Db; env: Env }, account: { email: string } | { id: string }): Promise<boolean> {
  if (!env.OIDC_ONLY) return true
  const [row] = await db
    .select()
    .from(profiles)
    .where('id' in account ? eq(profiles.id, account.id) : eq(profiles.email, account.email))
  if (!row) return true
  return hasEmergencyAccess(row) || (row.role === 'admin' && !(await isThereOne(db)))
}

/** Whether single sign-on is enforced and this account is the only one that could sign in without it. Call with the accounts locked. */
export const isLastEmergency = async (tx: Db, env: Env, account: Standing & { id: string }): Promise<boolean> =>
  env.OIDC_ONLY && hasEmergencyAccess(account) && !(await isThereOne(tx, account.id))

/** Marks or unmarks an administrator with a second factor. */
export async function setEmergencyAccess(scope: Scope, { id, isOn }: { id: string; isOn: boolean }) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [before] = await tx.select().from(profiles).where(eq(profiles.id, id))
    if (!before) return null
    if (isOn && !hasEmergencyAccess({ ...before, emergencyAccess: true })) return refuse('NOT_ELIGIBLE')
    if (!isOn && (await isLastEmergency(tx, scope.env, before))) return refuse('LAST_EMERGENCY')
    const [row] = await tx.update(profiles).set({ emergencyAccess: isOn, updatedAt: scope.now() }).where(eq(profiles.id, id)).returning()
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'account',
      contactIds: [],
      before: { id, emergencyAccess: before.emergencyAccess },
      after: { id, emergencyAccess: isOn },
    })
    await publish(tx, 'people', id)
    return row!
  })
}

/** Records a sign-in that began here, with a password or a passkey. Where single sign-on is enforced, every administrator hears of it. */
export async function recordLocalSignIn(scope: Scope, user: SessionUser, by: SignInMethod): Promise<void> {
  if (!scope.env.OIDC_ONLY) return recordSignIn(scope.db, scope, user, by)
  await scope.db.transaction(async (tx) => {
    await recordSignIn(tx, scope, user, by, { emergencyAccess: true })
    const admins = await tx
      .select()
      .from(profiles)
      .where(and(eq(profiles.role, 'admin'), eq(profiles.status, 'active')))
    for (const admin of admins) await notifyPerson(tx, scope, admin, { what: 'emergency', by: user.fullName })
  })
}
