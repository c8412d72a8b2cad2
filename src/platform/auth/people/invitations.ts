import { and, asc, eq, exists, gt } from 'drizzle-orm'
import { type Scope, staff } from '../../../kernel/scope.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { type Role, roleNames } from '../../../kernel/access/rules.ts'
import { recordChange } from '../../audit/service.ts'
import { queueMail } from '../../mail/service.ts'
import { hashOf, newToken } from '../link-tokens.ts'
import { invitationMail } from '../mails.ts'
import { lockAccounts } from './people.ts'
import { createActiveAccount } from '../service.ts'
import { endSessions } from '../session-life.ts'
import { invitations, profiles } from '../table.ts'

type Invitation = typeof invitations.$inferSelect

/** Milliseconds: so long a link can be used. */
const goodFor = 7 * 24 * 3_600_000

export const listInvitations = (db: Db): Promise<Invitation[]> => db.select().from(invitations).orderBy(asc(invitations.email))

/** Asks someone to join with a role, by a link that is mailed to them. Who has signed up and was never let in may be asked all the same. */
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
    await tell(tx, scope, 'created', made)
    await send(tx, scope, made, token)
    return made
  })
}

/** Sends a new link in place of the one before, from now on by who sends it. Null: it was accepted or taken back in the meantime. */
export async function resendInvitation(scope: Scope, id: string): Promise<Invitation | null> {
  const token = newToken()
  return scope.db.transaction(async (tx) => {
    const [made] = await tx
      .update(invitations)
      .set({ invitedBy: staff(scope).id, ...linkOf(scope, token) })
      .where(eq(invitations.id, id))
      .returning()
    if (!made) return null
    await tell(tx, scope, 'changed', made)
    await send(tx, scope, made, token)
    return made
  })
}

export const emailOfInvitation = async (db: Db, id: string): Promise<string | null> =>
  (await db.select({ email: invitations.email }).from(invitations).where(eq(invitations.id, id)))[0]?.email ?? null

/** Null: it was accepted or taken back in the meantime. */
export async function withdrawInvitation(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const [gone] = await tx.delete(invitations).where(eq(invitations.id, id)).returning()
    if (!gone) return null
    await tell(tx, scope, 'deleted', gone)
    return true
  })
}

/** What a link invites to, unless it was never sent, was used, replaced or taken back, or is over. */
export async function invitationOf(scope: Scope, token: string) {
  const [row] = await scope.db
    .select({ email: invitations.email, role: invitations.role, invitedBy: profiles.name })
    .from(invitations)
    .innerJoin(profiles, eq(profiles.id, invitations.invitedBy))
    .where(isGood(scope, token))
  return row ?? refuse('LINK_INVALID')
}

/**
 * Uses a link up: its address is proven, and becomes an active account. Someone who signed up under it in the meantime and was never let in is
 * replaced, password and all: the link came by mail, theirs may have been anyone's. LINK_INVALID also where the address has an account.
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

/** Of an administrator as well who lost the role while their invitation was under way. */
const isGood = ({ now, db }: Scope, token: string) =>
  and(
    eq(invitations.tokenHash, hashOf(token)),
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
  return { tokenHash: hashOf(token), sentAt, expiresAt: new Date(sentAt.getTime() + goodFor) }
}

async function tell(
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
