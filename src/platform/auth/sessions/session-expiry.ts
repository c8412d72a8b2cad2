import { and, desc, eq, gt, ne, sql, type SQL } from 'drizzle-orm'
import { refuse } from '../../../kernel/refusal.ts'
import { type Scope, staff } from '../../../kernel/scope.ts'
import { type Db, prepared } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import { publish } from '../../../kernel/events/events.ts'
import type { SessionLine } from '../account-contract.ts'
import type { SessionLife } from '../../../kernel/access/session-contract.ts'
import { formatDevice } from '../../../shared/devices.ts'
import { recordEndedSessions } from '../audit-entries.ts'
import { provenFor } from '../rules.ts'
import { profiles, sessions } from '../table.ts'

/** Milliseconds of inactivity after which a session ends. */
const idleLimit = (env: Pick<Env, 'SESSION_IDLE_MINUTES'>): number => env.SESSION_IDLE_MINUTES * 60_000

const secondsUntil = (at: number) => Math.max(0, Math.ceil((at - Date.now()) / 1000))

const oneSession = prepared((db) =>
  db
    .select({ userId: sessions.userId, seenAt: sessions.seenAt, expiresAt: sessions.expiresAt, user: profiles })
    .from(sessions)
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(eq(sessions.id, sql.placeholder('id')))
    .prepare('session'),
)

/**
 * Whose session it is, and its remaining lifetime; null if it has ended. Uses the real clock, like the library that opens sessions. An idle
 * session is ended here by the first process that notices, together with its streams.
 */
export async function readSession(
  db: Db,
  env: Env,
  sessionId: string,
): Promise<{ user: typeof profiles.$inferSelect; life: SessionLife } | null> {
  const [row] = await oneSession(db).execute({ id: sessionId })
  if (!row) return null
  const idleSeconds = secondsUntil(row.seenAt.getTime() + idleLimit(env))
  const seconds = secondsUntil(row.expiresAt.getTime())
  if (idleSeconds > 0 && seconds > 0) return { user: row.user, life: { idleSeconds: Math.min(idleSeconds, seconds), seconds } }
  await endSomeSessions(db, row.userId, eq(sessions.id, sessionId))
  return null
}

export const remainingLifetime = async (db: Db, env: Env, sessionId: string): Promise<SessionLife | null> =>
  (await readSession(db, env, sessionId))?.life ?? null

/** Records user activity, unless the session has already ended: nothing revives it. */
export async function recordActivity(scope: Scope) {
  const { sessionId } = staff(scope)
  const over = refuse('UNAUTHORIZED', undefined, 'Please sign in')
  if (!(await remainingLifetime(scope.db, scope.env, sessionId))) return over
  await scope.db.update(sessions).set({ seenAt: new Date() }).where(eq(sessions.id, sessionId))
  return (await remainingLifetime(scope.db, scope.env, sessionId)) ?? over
}

/** Whether the actor has re-authenticated recently. */
export async function hasRecentProof(db: Db, sessionId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.provenAt, new Date(Date.now() - provenFor))))
  return row !== undefined
}

export async function recordProof(scope: Scope): Promise<void> {
  await scope.db
    .update(sessions)
    .set({ provenAt: new Date() })
    .where(eq(sessions.id, staff(scope).sessionId))
}

/** Ends every session of an account, including open streams, in every process. */
export async function endSessions(tx: Db, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId))
  await publish(tx, 'session', userId)
}

/** Ends some of an account's sessions and returns them. */
export async function endSomeSessions(tx: Db, userId: string, which: SQL): Promise<string[]> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), which))
    .returning({ id: sessions.id })
  for (const { id } of ended) await publish(tx, 'session', id)
  return ended.map(({ id }) => id)
}

/** Neither expired nor idle for too long. */
const isLive = (env: Env) => and(gt(sessions.expiresAt, new Date()), gt(sessions.seenAt, new Date(Date.now() - idleLimit(env))))

/** The account's active sessions, most recently used first. */
export async function mySessions(scope: Scope): Promise<SessionLine[]> {
  const { id: userId, sessionId } = staff(scope)
  const rows = await scope.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isLive(scope.env)))
    .orderBy(desc(sessions.seenAt), desc(sessions.id))
  return rows.map((row) => ({
    id: row.id,
    ...whereSignedIn(row),
    createdAt: row.createdAt,
    seenAt: row.seenAt,
    isCurrent: row.id === sessionId,
  }))
}

export async function endMySession(scope: Scope, id: string): Promise<string[] | null> {
  const ended = await endMine(scope, eq(sessions.id, id))
  return ended.length > 0 ? ended : null
}

export const endMyOtherSessions = (scope: Scope): Promise<string[]> => endMine(scope, ne(sessions.id, staff(scope).sessionId))

/** Logs only sessions that were still usable. */
const endMine = (scope: Scope, which: SQL): Promise<string[]> =>
  scope.db.transaction(async (tx) => {
    const { id } = staff(scope)
    const mine = await tx
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, id), which, isLive(scope.env)))
      .for('update')
    await recordEndedSessions(tx, scope, mine.map(whereSignedIn))
    return endSomeSessions(tx, id, which)
  })

const whereSignedIn = ({ userAgent, ipAddress }: typeof sessions.$inferSelect) => ({
  device: formatDevice(userAgent ?? ''),
  address: ipAddress || null,
})
