import { refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { recordChange } from '../platform/audit/service.ts'
import { patientScope } from './sessions.ts'

/**
 * The scope of the session's patient. The patient id in the request is only compared: a request for another patient's documents or quotes
 * returns null, like one for unknown data, and is audited.
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
