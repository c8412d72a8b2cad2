import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import type { Scope, VerifiedContactId } from '../kernel/scope.ts'
import { contacts } from '../crm/contacts/table.ts'
import { idleLimit, sessionLimit } from './rules.ts'
import { hashToken, newToken } from './secrets.ts'
import { portalSessions } from './table.ts'

/** A patient's own scope: `patient` is proven, and everything that is written is written in their name. */
export type PatientScope = Scope & { patient: VerifiedContactId; sessionId: string; firstName: string }

/** Milliseconds: that a session was used is written no more often than this, as a zip of many files asks for each. */
const seenEvery = 5_000

/** Begins a session for anyone who has just proven to be this patient; the token leaves here and is stored nowhere. */
export async function beginSession(tx: Db, scope: Scope, contactId: string): Promise<{ token: string; sessionId: string }> {
  const token = newToken()
  const now = scope.now()
  const [session] = await tx
    .insert(portalSessions)
    .values({ tokenHash: hashToken(token), contactId, createdAt: now, lastSeenAt: now })
    .returning({ id: portalSessions.id })
  return { token, sessionId: session!.id }
}

/** The scope of a live session by its token, or by its id out of a signed link; null once it is over. Being asked for keeps it awake. */
export async function patientScope(scope: Scope, by: { token: string } | { id: string }): Promise<PatientScope | null> {
  const now = scope.now()
  const which = 'token' in by ? eq(portalSessions.tokenHash, hashToken(by.token)) : eq(portalSessions.id, by.id)
  const [session] = await scope.db
    .select({
      id: portalSessions.id,
      contactId: portalSessions.contactId,
      firstName: contacts.firstName,
      lastSeenAt: portalSessions.lastSeenAt,
    })
    .from(portalSessions)
    // A patient who was deleted or merged away has nothing to see.
    .innerJoin(contacts, eq(contacts.id, portalSessions.contactId))
    .where(
      and(
        which,
        isNull(portalSessions.endedAt),
        gt(portalSessions.lastSeenAt, new Date(now.getTime() - idleLimit)),
        gt(portalSessions.createdAt, new Date(now.getTime() - sessionLimit)),
      ),
    )
  if (!session) return null
  if (now.getTime() - session.lastSeenAt.getTime() > seenEvery) {
    const lastSeenAt = sql`greatest(${portalSessions.lastSeenAt}, ${now.toISOString()}::timestamptz)`
    await scope.db.update(portalSessions).set({ lastSeenAt }).where(eq(portalSessions.id, session.id))
  }
  // The one place where an id becomes a proven one.
  const patient = session.contactId as VerifiedContactId
  const who = { actor: null, patient, origin: scope.origin }
  return { ...scope, ...who, sessionId: session.id, firstName: session.firstName, recordView: (view) => scope.recordView(view, patient) }
}

export async function endSession(scope: Scope, token: string): Promise<void> {
  await scope.db
    .update(portalSessions)
    .set({ endedAt: scope.now() })
    .where(and(eq(portalSessions.tokenHash, hashToken(token)), isNull(portalSessions.endedAt)))
}
