import type { Scope } from '../kernel/scope.ts'
import { isStamped, stamp } from '../kernel/seal.ts'
import { isUuid } from '../shared/text.ts'
import { linkLimit } from './rules.ts'
import { type PatientScope, patientScope } from './sessions.ts'

/** A link to a document, its preview, a quote, a receipt, a photo, an implant card or a sealed consent form. It is valid in one session, until `expires` (milliseconds since 1970). */
type FileLink = {
  id: string
  as: 'file' | 'preview' | 'quote' | 'receipt' | 'consent' | 'implant card' | 'photo'
  sessionId: string
  expires: number
}
type Linked = Pick<FileLink, 'id' | 'as'>

const purpose = 'portal file link'
const textOf = ({ id, as, sessionId, expires }: FileLink): string => `${id}\0${as}\0${sessionId}\0${expires}`

/** The query of a link to a file of the session's patient, which works for one minute. */
export function signedQuery({ env, now, sessionId }: PatientScope, linked: Linked): URLSearchParams {
  const expires = now().getTime() + linkLimit
  return new URLSearchParams({
    session: sessionId,
    expires: String(expires),
    signature: stamp(env, purpose, textOf({ ...linked, sessionId, expires })),
  })
}

/** The patient whose session a link belongs to. Null: this server did not sign it, or the link or its session has ended. */
export async function openSigned(scope: Scope, linked: Linked, query: URLSearchParams): Promise<PatientScope | null> {
  const link = { ...linked, sessionId: query.get('session') ?? '', expires: Number(query.get('expires')) }
  const isSigned = isUuid(link.id) && isStamped(scope.env, purpose, textOf(link), query.get('signature') ?? '')
  return isSigned && link.expires > scope.now().getTime() ? patientScope(scope, { id: link.sessionId }) : null
}
