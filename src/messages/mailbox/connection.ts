import { and, eq, sql } from 'drizzle-orm'
import type { Mailbox } from '../../integrations/mailbox/mailbox.ts'
import type { BusyTime } from '../../integrations/mailbox/nylas/busy-times.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import { mayUse, permissions } from '../../kernel/access/policy.ts'
import { hashToken } from '../../kernel/tokens.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { actorOf, beginAttempt, endAttempt } from '../../platform/auth/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import { type Access, accessOf, busyTimesOf, endAccess, exchange, offersOf, openAccess, signInUrl } from './providers.ts'
import type { MailProvider } from './rules.ts'
import { mailboxConnections } from './table.ts'

export type Connection = typeof mailboxConnections.$inferSelect

const sealedFor = 'mailbox access'
/** A person's mailbox. Null: not connected. */
export async function connectionOf(db: Db, userId: string): Promise<Connection | null> {
  const [row] = await db.select().from(mailboxConnections).where(eq(mailboxConnections.userId, userId))
  return row ?? null
}

/** The same for background jobs, which outlast a session. Null also for a user who may no longer use a mailbox. */
export const connectionAtWork = async (db: Db, userId: string): Promise<Connection | null> =>
  mayUse(permissions['mailbox.threads'], await actorOf(db, userId)) ? connectionOf(db, userId) : null

/** The connections that a Nylas notification concerns: several people may have connected the same mailbox. */
export const connectionsOfGrant = (db: Db, grantId: string): Promise<Connection[]> =>
  db
    .select()
    .from(mailboxConnections)
    .where(eq(mailboxConnections.grantHash, hashToken(grantId)))

/** Notifies only the mailbox's owner of a change. */
export const announceMailbox = (tx: Db, userId: string): Promise<void> => announce(tx, userId, userId)

/** The same for a draft: the provider need not be asked. */
export const announceDraft = (tx: Db, { id, userId }: { id: string; userId: string }): Promise<void> => announce(tx, id, userId)

const announce = (tx: Db, id: string, userId: string): Promise<void> => publish(tx, 'mailbox', id, { accounts: [userId], roles: [] })

/** The current user's connection, and the available providers. */
export async function statusOf(scope: Scope) {
  const row = await connectionOf(scope.db, staff(scope).id)
  return {
    connected: row?.state === 'connected',
    grantId: row?.id ?? null,
    state: row?.state ?? ('none' as const),
    email: row?.email ?? null,
    provider: row?.provider ?? null,
    offers: offersOf(scope.env),
  }
}

/** The provider's sign-in page. NOT_SET_UP: no credentials for this provider. */
export async function connect(scope: Scope, provider: MailProvider) {
  if (!offersOf(scope.env).includes(provider)) return refuse('NOT_SET_UP')
  return { url: signInUrl(scope.env, provider, await beginAttempt(scope, provider)) }
}

type Callback = { provider: MailProvider; code: string; state: string }

/** Exchanges the provider's callback for mailbox access, and stores it sealed. */
export async function finish(scope: Scope, { provider, code, state }: Callback) {
  if (!offersOf(scope.env).includes(provider)) return refuse('NOT_SET_UP')
  if (!(await endAttempt(scope, provider, state))) return refuse('STATE')
  const exchanged = await exchange(scope.env, provider, code)
  if (!exchanged.ok)
    return exchanged.kind === 'away' || exchanged.kind === 'busy' || exchanged.kind === 'unreadable' ? refuse('AWAY') : refuse('CODE')
  const { email, access } = exchanged.value
  const userId = staff(scope).id
  const row = {
    userId,
    provider,
    email,
    sealed: seal(scope.env, sealedFor, JSON.stringify(access)),
    grantHash: 'grantId' in access ? hashToken(access.grantId) : null,
    state: 'connected' as const,
    connectedAt: scope.now(),
  }
  const before = await connectionOf(scope.db, userId)
  await scope.db.transaction(async (tx) => {
    // With another mailbox, what belongs to the one before goes with it.
    const isOther = before && (before.provider !== provider || addressOf(before) !== addressOf(row))
    if (isOther) await tx.delete(mailboxConnections).where(eq(mailboxConnections.id, before.id))
    await tx.insert(mailboxConnections).values(row).onConflictDoUpdate({ target: mailboxConnections.userId, set: row })
    await recordChange(tx, scope, { action: 'changed', kind: 'mailbox connection', contactIds: [], after: { provider, email } })
    await announceMailbox(tx, userId)
  })
  if (before) await endUnlessUsed(scope, before)
  return statusOf(scope)
}

/** Deletes the access here and at the provider. Drafts and timeline entries stay. */
export async function disconnect(scope: Scope) {
  const userId = staff(scope).id
  const gone = await scope.db.transaction(async (tx) => {
    const [row] = await tx.delete(mailboxConnections).where(eq(mailboxConnections.userId, userId)).returning()
    if (!row) return null
    const { provider, email } = row
    await recordChange(tx, scope, { action: 'deleted', kind: 'mailbox connection', contactIds: [], before: { provider, email } })
    await announceMailbox(tx, userId)
    return row
  })
  if (gone) await endUnlessUsed(scope, gone)
  return statusOf(scope)
}

/**
 * Access that a colleague, or the owner again, has to the same mailbox must survive: they share a Nylas grant, and revoking one Google
 * token ends all access for that address.
 */
async function endUnlessUsed(scope: Scope, { provider, email, sealed, grantHash }: Connection): Promise<void> {
  const isSame = grantHash
    ? eq(mailboxConnections.grantHash, grantHash)
    : and(eq(mailboxConnections.provider, provider), eq(sql`lower(${mailboxConnections.email})`, addressKey(email)))
  if ((await scope.db.select({ id: mailboxConnections.id }).from(mailboxConnections).where(isSame)).length > 0) return
  const access = accessIn(scope, sealed)
  if (access) await endAccess(scope.env, access)
}

function accessIn({ env }: Pick<Scope, 'env'>, sealed: string): Access | null {
  const text = unseal(env, sealedFor, sealed)
  return text === null ? null : accessOf(text)
}

/** Opens the mailbox of a connection. Null: it has to be reconnected. */
export function openMailbox(scope: Scope, { id, email, sealed, state }: Connection): Mailbox | null {
  const access = state === 'connected' ? accessIn(scope, sealed) : null
  if (!access) return null
  return openAccess(scope.env, access, {
    email,
    onRenewed: async (renewed) => {
      const isStill = and(eq(mailboxConnections.id, id), eq(mailboxConnections.state, 'connected'))
      await scope.db
        .update(mailboxConnections)
        .set({ sealed: seal(scope.env, sealedFor, JSON.stringify(renewed)) })
        .where(isStill)
    },
  })
}

/**
 * When the calendar of a connected mailbox is busy. 'reconnect': its owner has to connect it again; 'no-access': the connection does not include the
 * calendar; 'away': the provider does not answer.
 */
export async function readBusyTimes(
  scope: Scope,
  connection: Connection,
  range: { from: number; to: number },
): Promise<BusyTime[] | 'reconnect' | 'no-access' | 'away'> {
  const access = connection.state === 'connected' ? accessIn(scope, connection.sealed) : null
  if (!access) return 'reconnect'
  const result = await busyTimesOf(scope.env, access, connection.email, range)
  if (result?.ok) return result.value
  if (!result || result.kind === 'refused' || result.kind === 'missing') return 'no-access'
  if (result.kind !== 'reconnect') return 'away'
  await loseConnection(scope, connection)
  return 'reconnect'
}

/** Marks a connection that the provider no longer accepts, and notifies its owner at once. */
export async function loseConnection(scope: Scope, { id, userId, connectedAt }: Connection): Promise<void> {
  await scope.db.transaction(async (tx) => {
    // A connection that was renewed in the meantime is not the refused one.
    const isIt = and(
      eq(mailboxConnections.id, id),
      eq(mailboxConnections.connectedAt, connectedAt),
      eq(mailboxConnections.state, 'connected'),
    )
    const lost = await tx.update(mailboxConnections).set({ state: 'reconnect' }).where(isIt).returning({ id: mailboxConnections.id })
    if (lost.length > 0) await announceMailbox(tx, userId)
  })
}

/** The mailbox's address, normalized for comparison. */
export const addressOf = ({ email }: Pick<Connection, 'email'>): string => addressKey(email)
