import type { Scope } from '../../../kernel/scope.ts'
import type { Attempts } from '../../../platform/auth/service.ts'
import { languageOf } from '../../../crm/contacts/service.ts'
import { calendarFileFor } from '../emails/emails.ts'
import { linkMessages } from '../link-rules.ts'
import { isWithinLimit, readLinked } from './links.ts'

const refusal = (status: number, code: string, message: string) => Response.json({ code, message }, { status })

/** GET /api/appointment-links/{token}/appointment.ics: the appointment for the patient's calendar, as its emails have it, while it stands at this time. */
export async function calendarResponse(scope: Scope, attempts: Attempts, token: string): Promise<Response> {
  if (!(await isWithinLimit(scope, attempts))) return refusal(429, 'TOO_MANY_REQUESTS', linkMessages.tooMany)
  const found = await readLinked(scope, token)
  if (!found || found.state === 'moved' || found.state === 'cancelled') return refusal(404, 'NOT_FOUND', linkMessages.notFound)
  const { row } = found
  await scope.recordView({ kind: 'appointment', contactIds: [row.contactId] })
  return new Response(await calendarFileFor(scope.db, scope, row, await languageOf(scope.db, row.contactId)), {
    headers: { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': 'inline; filename="appointment.ics"' },
  })
}
