import { and, asc, eq, exists, gt } from 'drizzle-orm'
import { type Scope, staff } from '../../../kernel/scope.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { hashToken, newToken } from '../../../kernel/tokens.ts'
import { recordChange } from '../../audit/service.ts'
import { queueMail } from '../../mail/service.ts'
import { invitationMail } from '../emails.ts'
import { lockAccounts } from './lock-accounts.ts'
import { createActiveAccount } from '../service.ts'
import { endSessions } from '../sessions/session-expiry.ts'
import { invitations, profiles } from '../table.ts'

type Invitation = typeof invitations.$inferSelect

/** Milliseconds an invitation link is valid. */
const goodFor = 7 * 24 * 3_600_000

export const listInvitations = (db: Db): Promise<Invitation[]> => db.select().from(invitations).orderBy(asc(invitations.email))

/** Invites someone to a role by an emailed link. A user who signed up but was never approved can also be invited. */
export async function invite(scope: Scope, { email, role }: { email: string; role: Role }) {
  const token = newToken()
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [account] = await tx.select({ status: profiles.status }).from(profiles).where(eq(profiles.email, email))
    if (account && account.status !== 'pending') return refuse('EMAIL_TAKEN')
    const [made] = await tx
      .insert(invitations)
      .values({ email, role, invitedBy: staff(scope).id, ...linkOf(scope, token) })
      .onConflictDoNothing()
      .returning()
    if (!made) return refuse('ALREADY_INVITED')
    await recordAndPublish(tx, scope, 'created', made)
    await send(tx, scope, made, token)
    return made
  })
}

/**
 * Sends a new link that replaces the previous one, now in the name of the current sender. Null if accepted or withdrawn in the meantime.
 */
export async function resendInvitation(scope: Scope, id: string): Promise<Invitation | null> {
  const token = newToken()
  return scope.db.transaction(async (tx) => {
    const [made] = await tx
      .update(invitations)
      .set({ invitedBy: staff(scope).id, ...linkOf(scope, token) })
      .where(eq(invitations.id, id))
      .returning()
    if (!made) return null
    await recordAndPublish(tx, scope, 'changed', made)
    await send(tx, scope, made, token)
    return made
  })
}

export const emailOfInvitation = async (db: Db, id: string): Promise<string | null> =>
  (await db.select({ email: invitations.email }).from(invitations).where(eq(invitations.id, id)))[0]?.email ?? null

/** Null if accepted or withdrawn in the meantime. */
export async function withdrawInvitation(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const [deleted] = await tx.delete(invitations).where(eq(invitations.id, id)).returning()
    if (!deleted) return null
    await recordAndPublish(tx, scope, 'deleted', deleted)
    return true
  })
}

/** The invitation of a link, unless the email was never sent or the link was used, replaced, withdrawn or expired. */
export async function invitationOf(scope: Scope, token: string) {
  const [row] = await scope.db
    .select({ email: invitations.email, role: invitations.role, invitedBy: profiles.name })
    .from(invitations)
    .innerJoin(profiles, eq(profiles.id, invitations.invitedBy))
    .where(isGood(scope, token))
  return row ?? refuse('LINK_INVALID')
}

/**
 * Uses up a link: verifies its address and creates an active account. An unapproved sign-up under the same address is replaced, password
 * included, because the link came by email and the sign-up may have been anyone's. LINK_INVALID if the address has an approved account.
 */
export async function acceptInvitation(
  scope: Scope,
  { token, ...given }: { token: string; firstName: string; lastName: string; password: string },
) {
  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const [used] = await tx.delete(invitations).where(isGood(scope, token)).returning()
    if (!used) return refuse('LINK_INVALID')
    const [there] = await tx.select().from(profiles).where(eq(profiles.email, used.email))
    if (there && there.status !== 'pending') return refuse('LINK_INVALID')
    if (there) await endSessions(tx, there.id)
    const { email, role } = used
    const id = await createActiveAccount(tx, { ...given, email, role })
    await recordChange(tx, scope, {
      action: 'created',
      kind: 'account',
      contactIds: [],
      after: { id, email, role, invitedBy: used.invitedBy },
    })
    await publish(tx, 'people', id)
    return id
  })
}

/** Uses up the invitation of an address that was proved in another way than by its link. Returns the role; null if there is none. */
export async function useInvitation(tx: Db, scope: Scope, email: string): Promise<Role | null> {
  const [used] = await tx
    .delete(invitations)
    .where(and(eq(invitations.email, email), isOpen(scope)))
    .returning()
  return used?.role ?? null
}

/** Also applies if the inviting administrator lost the role while the invitation was being sent. */
const isGood = (scope: Scope, token: string) => and(eq(invitations.tokenHash, hashToken(token)), isOpen(scope))

const isOpen = ({ now, db }: Scope) =>
  and(
    gt(invitations.expiresAt, now()),
    exists(
      db
        .select({ id: profiles.id })
        .from(profiles)
        .where(and(eq(profiles.id, invitations.invitedBy), eq(profiles.role, 'admin'), eq(profiles.status, 'active'))),
    ),
  )

function linkOf({ now }: Scope, token: string) {
  const sentAt = now()
  return { tokenHash: hashToken(token), sentAt, expiresAt: new Date(sentAt.getTime() + goodFor) }
}

async function recordAndPublish(
  tx: Db,
  scope: Scope,
  action: 'created' | 'changed' | 'deleted',
  { id, email, role, expiresAt }: Invitation,
): Promise<void> {
  const side = { id, email, role, expiresAt }
  await recordChange(tx, scope, {
    action,
    kind: 'invitation',
    contactIds: [],
    ...(action === 'deleted' ? { before: side } : { after: side }),
  })
  await publish(tx, 'people', id)
}

const send = (tx: Db, scope: Scope, { email, role }: Invitation, token: string) =>
  queueMail(tx, invitationMail(scope.env, { email, by: staff(scope).name, role: roleNames[role] }, token))
