import { and, eq, gt, isNull } from 'drizzle-orm'
import { publish } from '../../kernel/events/events.ts'
import { hashToken } from '../../kernel/tokens.ts'
import type { Scope } from '../../kernel/scope.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { sessionLimit } from '../rules.ts'
import { calledColumns, type PatientScope, verifiedScope } from '../sessions.ts'
import { tabletIdleLimit } from './rules.ts'
import { tabletSessions } from './table.ts'

/** The shortest interval between updates of the last use, in milliseconds. The session may last this much longer than its limit. */
const touchIntervalMs = 10_000

/**
 * The scope of a tablet's session; null if it has ended, or if the browser is signed in as staff: then the rest of Refyne is one address away.
 * Extends the session.
 */
export async function tabletScope(scope: Scope, token: string): Promise<PatientScope | null> {
  if (scope.actor !== null) return null
  const now = scope.now()
  const [found] = await scope.db
    .select({ session: tabletSessions, called: calledColumns })
    .from(tabletSessions)
    // Ends the session of a patient who was deleted or merged.
    .innerJoin(contacts, eq(contacts.id, tabletSessions.contactId))
    .where(
      and(
        eq(tabletSessions.tokenHash, hashToken(token)),
        isNull(tabletSessions.endedAt),
        gt(tabletSessions.lastSeenAt, new Date(now.getTime() - tabletIdleLimit - touchIntervalMs)),
        gt(tabletSessions.pairedAt, new Date(now.getTime() - sessionLimit)),
      ),
    )
  if (!found) return null
  const { id, contactId, items, openedBy, lastSeenAt } = found.session
  if (now.getTime() - lastSeenAt!.getTime() > touchIntervalMs) {
    await scope.db
      .update(tabletSessions)
      .set({ lastSeenAt: now })
      .where(and(eq(tabletSessions.id, id), isNull(tabletSessions.endedAt)))
    await publish(scope.db, 'tablet', contactId)
  }
  return verifiedScope(scope, found.called, { sessionId: id, tablet: { items, openedBy } })
}
