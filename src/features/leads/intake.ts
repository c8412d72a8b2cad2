import { eq } from 'drizzle-orm'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Env } from '../../server/env.ts'
import type { Events } from '../../server/events.ts'
import { countedAs } from '../../server/requests.ts'
import type { Scope } from '../../server/scope.ts'
import { hashWebhookKey } from '../lead-sources/service.ts'
import { leadSources } from '../lead-sources/table.ts'
import { type BodyRefusal, type LeadBody, readLeadBody } from './body.ts'
import { takeLead } from './take.ts'

type Source = typeof leadSources.$inferSelect
type Refusal = BodyRefusal | { status: 401 | 409 | 422 | 429; code: string; message: string; retryAfter?: number }

const wrongKey: Refusal = { status: 401, code: 'INVALID_WEBHOOK_KEY', message: 'This webhook key is not known' }
const keyReused: Refusal = {
  status: 409,
  code: 'IDEMPOTENCY_KEY_REUSED',
  message: 'This Idempotency-Key was sent with another body before',
}
const keyTooLong: Refusal = { status: 422, code: 'INVALID_IDEMPOTENCY_KEY', message: 'An Idempotency-Key has 1 to 200 characters' }

/**
 * POST /api/leads/{webhookKey}: takes what a form tool sends. Once it is answered the lead is on disk with the job that will process it.
 * Limits are counted in each process by itself, so that taking a lead costs no second write.
 */
export function createLeadIntake(env: Env, events: Events) {
  const perKey = new RateLimiterMemory({ points: env.LEADS_PER_MINUTE_PER_KEY, duration: 60 })
  const perAddress = new RateLimiterMemory({ points: env.LEADS_PER_MINUTE_PER_ADDRESS, duration: 60 })

  const sourceOf = rememberSources(events)

  return async (scope: Scope, webhookKey: string, request: Request): Promise<Response> => {
    if (!(await within(perAddress, countedAs(scope.origin.address)))) return refuse(tooMany)
    const source = await sourceOf(scope, webhookKey)
    if (!source) return refuse(wrongKey)
    if (!(await within(perKey, source.id))) return refuse(tooMany)

    const body = await readLeadBody(request)
    if ('status' in body) return refuse(body)
    const key = request.headers.get('idempotency-key')
    if (key !== null && (key.length === 0 || key.length > 200)) return refuse(keyTooLong)
    const taken = await takeLead(scope, source.id, body, key)
    return taken === 'key-reused' ? refuse(keyReused) : accept(taken.id, source, body, request)
  }
}

/**
 * The source of a webhook key. Looked up by the key's hash, so that how long it takes tells nothing about the key. Remembered until any
 * vocabulary changes: a key that was replaced stops at once.
 */
function rememberSources(events: Events): (scope: Scope, webhookKey: string) => Promise<Source | undefined> {
  const known = new Map<string, Source>()
  let generation = 0
  events.onEvent(({ topic }) => {
    if (topic !== 'vocabulary' && topic !== 'connected') return
    generation++
    known.clear()
  })
  return async ({ db }, webhookKey) => {
    const hash = hashWebhookKey(webhookKey)
    const asked = generation
    const hit = known.get(hash)
    if (hit) return hit
    const [source] = await db.select().from(leadSources).where(eq(leadSources.webhookKeyHash, hash))
    if (source && asked === generation) known.set(hash, source)
    return source
  }
}

const tooMany: Refusal = {
  status: 429,
  code: 'TOO_MANY_REQUESTS',
  message: 'Too many leads at once. Please send this one again in a minute.',
  retryAfter: 60,
}

const within = (limiter: RateLimiterMemory, key: string): Promise<boolean> =>
  limiter.consume(key).then(
    () => true,
    () => false,
  )

const refuse = ({ status, code, message, retryAfter }: Refusal & { retryAfter?: number }): Response =>
  Response.json(
    { code, message },
    {
      status,
      headers: {
        'access-control-allow-origin': '*',
        ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}),
        ...(status === 413 ? { connection: 'close' } : {}), // the rest of the body is not read
      },
    },
  )

/** A person who sent a form is led on to the source's thank-you page; a program is told the entry's id. */
function accept(id: string, source: Source, body: LeadBody, request: Request): Response {
  const headers = { 'access-control-allow-origin': '*' }
  const byPerson = body.isForm && (request.headers.get('accept') ?? '').includes('text/html')
  if (byPerson && source.thankYouUrl) return new Response(null, { status: 303, headers: { ...headers, location: source.thankYouUrl } })
  return Response.json({ id, status: 'processing' }, { status: 202, headers })
}
