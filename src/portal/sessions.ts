import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../kernel/postgres/database.ts'
import type { Scope, VerifiedContactId } from '../kernel/scope.ts'
import { hashToken, newToken } from '../kernel/tokens.ts'
import { contacts } from '../crm/contacts/table.ts'
import { type Language, toLanguage } from '../shared/translations.ts'
import { idleLimit, sessionLimit } from './rules.ts'
import type { TabletItem } from './tablet/rules.ts'
import { portalSessions } from './table.ts'

/** What a tablet in the practice is limited to, and who gave it to the patient. */
interface TabletUse {
  items: readonly TabletItem[]
  openedBy: string
}

/** The scope of a verified patient. Everything written under it is attributed to the patient. */
export type PatientScope = Scope & {
  patient: VerifiedContactId
  sessionId: string
  /** How the patient is called. */
  firstName: string
  /** The patient's preferred language. */
  language: Language | null
  /** Null for a session of the portal. */
  tablet: TabletUse | null
}

/** The shortest interval between updates of the last use, in milliseconds: downloading a zip makes a call per file. */
const touchIntervalMs = 5_000

/** Starts a session for a patient who has just been verified. Only the token's hash is stored. */
export async function beginSession(tx: Db, scope: Scope, contactId: string): Promise<{ token: string; sessionId: string }> {
  const token = newToken()
  const now = scope.now()
  const [session] = await tx
    .insert(portalSessions)
    .values({ tokenHash: hashToken(token), contactId, createdAt: now, lastSeenAt: now })
    .returning({ id: portalSessions.id })
  return { token, sessionId: session!.id }
}

/** The scope of an active session of the portal, by its token or by the id in a signed link; null if it has ended. Extends the session. */
export async function patientScope(scope: Scope, by: { token: string } | { id: string }): Promise<PatientScope | null> {
  const now = scope.now()
  const which = 'token' in by ? eq(portalSessions.tokenHash, hashToken(by.token)) : eq(portalSessions.id, by.id)
  const [session] = await scope.db
    .select({
      id: portalSessions.id,
      called: calledColumns,
      lastSeenAt: portalSessions.lastSeenAt,
    })
    .from(portalSessions)
    // Ends the access of patients who were deleted or merged.
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
  if (now.getTime() - session.lastSeenAt.getTime() > touchIntervalMs) {
    const lastSeenAt = sql`greatest(${portalSessions.lastSeenAt}, ${now.toISOString()}::timestamptz)`
    await scope.db.update(portalSessions).set({ lastSeenAt }).where(eq(portalSessions.id, session.id))
  }
  return verifiedScope(scope, session.called, { sessionId: session.id, tablet: null })
}

/** Who is called how in which language. */
export const calledColumns = {
  id: contacts.id,
  firstName: contacts.firstName,
  preferredName: contacts.preferredName,
  preferredLanguage: contacts.preferredLanguage,
}
type Called = Pick<typeof contacts.$inferSelect, keyof typeof calledColumns>

/** The scope of a session of this patient that was found active. */
export function verifiedScope(scope: Scope, called: Called, session: Pick<PatientScope, 'sessionId' | 'tablet'>): PatientScope {
  // The only place where an id becomes a verified one.
  const patient = called.id as VerifiedContactId
  const firstName = called.preferredName || called.firstName
  const language = toLanguage(called.preferredLanguage)
  return { ...scope, ...session, firstName, language, actor: null, patient, recordView: (view) => scope.recordView(view, patient) }
}

export async function endSession(scope: Scope, token: string): Promise<void> {
  await scope.db
    .update(portalSessions)
    .set({ endedAt: scope.now() })
    .where(and(eq(portalSessions.tokenHash, hashToken(token)), isNull(portalSessions.endedAt)))
}
