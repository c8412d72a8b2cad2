import { eq } from 'drizzle-orm'
import type { Events } from '../../kernel/events/events.ts'
import { countedAs } from '../../kernel/http/requests.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isKey, keyRefusals } from '../../platform/idempotency/rules.ts'
import { hashWebhookKey } from '../lead-sources/service.ts'
import { leadSources } from '../lead-sources/table.ts'
import { type BodyRefusal, type LeadBody, readLeadBody } from './body.ts'
import { wants200 } from './shapes.ts'
import { takeLead } from './take.ts'

type Source = typeof leadSources.$inferSelect
type Refusal = BodyRefusal | { status: 400 | 401 | 422 | 429; code: string; message: string }

const wrongKey: Refusal = { status: 401, code: 'INVALID_WEBHOOK_KEY', message: 'This webhook key is not known' }
const refusedKey = (code: 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_IDEMPOTENCY_KEY'): Refusal => ({ code, ...keyRefusals[code] })

/**
 * POST /api/leads/{webhookKey}: takes what a form tool sends. Once it is answered the lead is on disk with the job that will process it.
 */
export function createLeadIntake(events: Events) {
  const sourceOf = rememberSources(events)

  return async (scope: Scope, webhookKey: string, request: Request): Promise<Response> => {
    if (!(await scope.attempts.consume('leadAddress', countedAs(scope.origin.address)))) return refuse(tooMany)
    const source = await sourceOf(scope, webhookKey)
    if (!source) return refuse(wrongKey)
    if (!(await scope.attempts.consume('leadKey', source.id))) return refuse(tooMany)

    const body = await readLeadBody(request)
    if ('status' in body) return refuse(body)
    const key = request.headers.get('idempotency-key')
    if (key !== null && !isKey(key)) return refuse(refusedKey('INVALID_IDEMPOTENCY_KEY'))
    const taken = await takeLead(scope, source, body, key)
    return taken === 'key-reused' ? refuse(refusedKey('IDEMPOTENCY_KEY_REUSED')) : accept(taken.id, source, body, request)
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

/** Some tools, every form of WordPress among them, take any other answer than 200 for a failure and tell the visitor so. */
const isStrict = (body: LeadBody, request: Request): boolean =>
  (request.headers.get('user-agent') ?? '').startsWith('WordPress/') || wants200(body.fields)

/** A person who sent a form is led on to the source's thank-you page; a program is told the entry's id. */
function accept(id: string, source: Source, body: LeadBody, request: Request): Response {
  const headers = { 'access-control-allow-origin': '*' }
  const byPerson = body.isForm && (request.headers.get('accept') ?? '').includes('text/html')
  if (byPerson && source.thankYouUrl) return new Response(null, { status: 303, headers: { ...headers, location: source.thankYouUrl } })
  return Response.json({ id, status: 'processing' }, { status: isStrict(body, request) ? 200 : 202, headers })
}
