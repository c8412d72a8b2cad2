import { refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { recordChange } from '../platform/audit/service.ts'
import { type PatientScope, patientScope } from './sessions.ts'

type Kind = 'document' | 'quote' | 'form'

/**
 * The scope of the session's patient. The patient id in the request is only compared: a request for another patient's documents, quotes or forms
 * returns null, like one for unknown data, and is audited.
 */
export async function ownScope(
  scope: Scope,
  { contactId, sessionToken }: { contactId: string; sessionToken: string },
  kind: Kind = 'document',
) {
  const own = await patientScope(scope, { token: sessionToken })
  if (!own) return refuse('SESSION_OVER')
  return contactId === own.patient ? own : denied(own, kind, contactId)
}

/** Audits an attempt on something that is not the patient's, and returns null as for something unknown. */
export async function denied(scope: PatientScope, kind: Kind, asked: string): Promise<null> {
  await recordChange(scope.db, scope, { action: 'denied', kind, contactIds: [scope.patient], after: { asked } })
  return null
}
