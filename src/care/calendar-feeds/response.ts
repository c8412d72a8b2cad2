import { createHash } from 'node:crypto'
import { calendarFeed } from '../../kernel/files/calendar-file.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import type { Scope } from '../../kernel/scope.ts'
import { recordChange } from '../../platform/audit/service.ts'
import type { Attempts } from '../../platform/auth/service.ts'
import { eventsOf } from './events.ts'
import { ownerOf, recordRead } from './service.ts'

const notFound = () => Response.json({ code: 'NOT_FOUND', message: 'Calendar not found' }, { status: 404 })

/**
 * GET /api/calendar/{secret}.ics: a provider's calendar, read-only, for calendar programs. The patients in it are written to the audit log
 * before the response is sent; a 304 response contains none.
 */
export async function feedResponse(scope: Scope, attempts: Attempts, file: string, request: Request): Promise<Response> {
  if (!(await attempts.consume('calendarFeed', rateLimitKey(scope.origin.address)))) {
    return Response.json({ code: 'TOO_MANY_REQUESTS', message: 'Too many requests' }, { status: 429 })
  }
  const owner = file.endsWith('.ics') && file.length <= 100 ? await ownerOf(scope.db, file.slice(0, -'.ics'.length)) : null
  if (!owner) return notFound()
  const { events, contactIds } = await eventsOf(scope, owner.id)
  const text = calendarFeed(`${owner.name}, ${scope.env.PRACTICE_NAME}`, events, scope.env.PRACTICE_TIME_ZONE)
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { etag }
  await recordRead(scope, owner.id)
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  const actor = { ...owner, sessionId: '' }
  await recordChange(
    scope.db,
    { ...scope, actor },
    { action: 'exported', kind: 'calendar-feed', contactIds, after: { events: events.length } },
  )
  return new Response(text, {
    headers: { ...headers, 'content-type': 'text/calendar; charset=utf-8', 'content-disposition': 'inline; filename="calendar.ics"' },
  })
}

/** Matches an If-None-Match header: a list of tags, including weak ones (RFC 9110). */
const matchesEtag = (given: string | null, etag: string): boolean =>
  given !== null && given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag)
