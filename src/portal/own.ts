import { refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { recordChange } from '../platform/audit/service.ts'
import { patientScope } from './sessions.ts'

/**
 * Whose session it is. What the request says of the patient is compared, never believed: a request for another patient's documents or quotes is answered
 * as if there were none (null), and written down.
 */
export async function ownScope(
  scope: Scope,
  { contactId, sessionToken }: { contactId: string; sessionToken: string },
  kind: 'document' | 'quote' = 'document',
) {
  const own = await patientScope(scope, { token: sessionToken })
  if (!own) return refuse('SESSION_OVER')
  if (contactId === own.patient) return own
  await recordChange(scope.db, own, { action: 'denied', kind, contactIds: [own.patient], after: { asked: contactId } })
  return null
}
