import { refuse } from '../kernel/refusal.ts'
import type { Scope } from '../kernel/scope.ts'
import { recordChange } from '../platform/audit/service.ts'
import { type PatientScope, patientScope } from './sessions.ts'
import { isSameItem } from './tablet/items.ts'
import type { TabletItem } from './tablet/rules.ts'
import { tabletScope } from './tablet/sessions.ts'

type Kind =
  | 'document'
  | 'quote'
  | 'form'
  | 'consent form'
  | 'appointment'
  | 'surgery'
  | 'conversation'
  | 'sales receipt'
  | 'photo'
  | 'contact'

interface Claim {
  contactId: string
  sessionToken: string
}

/**
 * The scope of the session's patient, for everything but what a tablet can be given: a tablet's session is none here. The patient id in the request is only compared: a request for another patient's documents, quotes or forms
 * returns null, like one for unknown data, and is audited.
 */
export async function ownScope(scope: Scope, { contactId, sessionToken }: Claim, kind: Kind = 'document') {
  const own = await patientScope(scope, { token: sessionToken })
  if (!own) return refuse('SESSION_OVER')
  return contactId === own.patient ? own : denied(own, kind, contactId)
}

/** The scope of the session's patient for one item, also on a tablet that was given for this item. */
export async function itemScope(scope: Scope, { contactId, sessionToken }: Claim, item: TabletItem) {
  const own = (await patientScope(scope, { token: sessionToken })) ?? (await tabletScope(scope, sessionToken))
  if (!own) return refuse('SESSION_OVER')
  if (contactId !== own.patient) return denied(own, item.kind, contactId)
  if (own.tablet && !own.tablet.items.some((given) => isSameItem(given, item))) return denied(own, item.kind, item.id)
  return own
}

/** Audits an attempt on something that is not the patient's, and returns null as for something unknown. */
export async function denied(scope: PatientScope, kind: Kind, asked: string): Promise<null> {
  await recordChange(scope.db, scope, { action: 'denied', kind, contactIds: [scope.patient], after: { asked } })
  return null
}
