import { eq } from 'drizzle-orm'
import type { Events } from '../../kernel/events/events.ts'
import type { Database } from '../../kernel/postgres/database.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import type { Scope } from '../../kernel/scope.ts'
import { hashToken } from '../../kernel/tokens.ts'
import { isKey, keyRefusals } from '../../platform/idempotency/rules.ts'
import { leadSources } from '../lead-sources/table.ts'
import { type BodyRefusal, type LeadBody, readLeadBody } from './reading/body.ts'
import { requires200 } from './reading/read-body.ts'
import { leadAcceptor } from './accept.ts'

type Source = typeof leadSources.$inferSelect
type Refusal = BodyRefusal | { status: 400 | 401 | 422 | 429; code: string; message: string }

const unknownKey: Refusal = { status: 401, code: 'INVALID_WEBHOOK_KEY', message: 'Unknown webhook key' }
const refusedKey = (code: 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_IDEMPOTENCY_KEY'): Refusal => ({ code, ...keyRefusals[code] })

/**
 * POST /api/leads/{webhookKey}: accepts whatever a form tool sends. When it responds, the lead and the job that processes it are on disk.
 */
export function createLeadIntake(db: Database, events: Events) {
  const sourceOf = cacheSources(events)
  const acceptLead = leadAcceptor(db)

  return async (scope: Scope, webhookKey: string, request: Request): Promise<Response> => {
    if (!(await scope.attempts.consume('leadAddress', rateLimitKey(scope.origin.address)))) return refuse(tooMany)
    const source = await sourceOf(scope, webhookKey)
    if (!source) return refuse(unknownKey)
    if (!(await scope.attempts.consume('leadKey', source.id))) return refuse(tooMany)

    const body = await readLeadBody(request)
    if ('status' in body) return refuse(body)
    const key = request.headers.get('idempotency-key')
    if (key !== null && !isKey(key)) return refuse(refusedKey('INVALID_IDEMPOTENCY_KEY'))
    const accepted = await acceptLead(scope, source, body, key)
    return accepted === 'key-reused' ? refuse(refusedKey('IDEMPOTENCY_KEY_REUSED')) : acceptedResponse(accepted.id, source, body, request)
  }
}

/**
 * Finds the source of a webhook key by the key's hash, so that response times reveal nothing about the key. Cached until any vocabulary
 * changes, so that a replaced key stops working at once.
 */
function cacheSources(events: Events): (scope: Scope, webhookKey: string) => Promise<Source | undefined> {
  const cache = new Map<string, Source>()
  let generation = 0
  events.onEvent(({ topic }) => {
    if (topic !== 'vocabulary' && topic !== 'connected') return
    generation++
    cache.clear()
  })
  return async ({ db }, webhookKey) => {
    const hash = hashToken(webhookKey)
    const startGeneration = generation
    const hit = cache.get(hash)
    if (hit) return hit
    const [source] = await db.select().from(leadSources).where(eq(leadSources.webhookKeyHash, hash))
    if (source && startGeneration === generation) cache.set(hash, source)
    return source
  }
}

const tooMany: Refusal = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  message: 'Too many leads. Please send this one again in a minute.',
}

const refuse = ({ status, code, message }: Refusal): Response =>
  Response.json(
    { code, message },
    {
      status,
      headers: {
        'access-control-allow-origin': '*',
        ...(status === 413 ? { connection: 'close' } : {}), // the rest of the body is not read
      },
    },
  )

/** Whether the tool treats any status other than 200 as a failure and shows visitors an error, as all WordPress forms do. */
const needsStatus200 = (body: LeadBody, request: Request): boolean =>
  (request.headers.get('user-agent') ?? '').startsWith('WordPress/') || requires200(body.fields)

/** Redirects people who submitted a form to the source's thank-you page, and returns the entry's id to API clients. */
function acceptedResponse(id: string, source: Source, body: LeadBody, request: Request): Response {
  const headers = { 'access-control-allow-origin': '*' }
  const isFromBrowser = body.isForm && (request.headers.get('accept') ?? '').includes('text/html')
  if (isFromBrowser && source.thankYouUrl) return new Response(null, { status: 303, headers: { ...headers, location: source.thankYouUrl } })
  return Response.json({ id, status: 'processing' }, { status: needsStatus200(body, request) ? 200 : 202, headers })
}
