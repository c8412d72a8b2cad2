import { eq } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import type { Attempts } from '../../../platform/auth/service.ts'
import { languageOf } from '../../../crm/contacts/service.ts'
import { calendarFileFor } from '../emails/emails.ts'
import { linkMessages, linkState } from '../link-rules.ts'
import { appointments } from '../table.ts'
import { findLink } from './link-tokens.ts'
import { isWithinLimit } from './links.ts'

const refusal = (status: number, code: string, message: string) => Response.json({ code, message }, { status })

/** GET /api/appointment-links/{token}/appointment.ics: the appointment for the patient's calendar, as its emails have it, while it stands at this time. */
export async function calendarResponse(scope: Scope, attempts: Attempts, token: string): Promise<Response> {
  if (!(await isWithinLimit(scope, attempts))) return refusal(429, 'TOO_MANY_REQUESTS', linkMessages.tooMany)
  const link = await findLink(scope.db, token)
  const [row] = link ? await scope.db.select().from(appointments).where(eq(appointments.id, link.appointmentId)) : []
  const state = link && row && linkState(scope.now(), link.startsAt, row)
  if (!row || (state !== 'booked' && state !== 'confirmed')) return refusal(404, 'NOT_FOUND', linkMessages.notFound)
  await scope.recordView({ kind: 'appointment', contactIds: [row.contactId] })
  return new Response(await calendarFileFor(scope.db, scope, row, await languageOf(scope.db, row.contactId)), {
    headers: { 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': 'inline; filename="appointment.ics"' },
  })
}
