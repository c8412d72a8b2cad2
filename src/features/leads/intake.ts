import { createHash } from 'node:crypto'
import { and, eq, lt } from 'drizzle-orm'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Db } from '../../server/database.ts'
import type { Env } from '../../server/env.ts'
import { enqueue } from '../../server/jobs.ts'
import type { Scope } from '../../server/scope.ts'
import { hashWebhookKey } from '../lead-sources/service.ts'
import { leadSources } from '../lead-sources/table.ts'
import { type BodyRefusal, type LeadBody, readLeadBody } from './body.ts'
import { sameBodyMinutes } from './contract.ts'
import { processLead } from './jobs.ts'
import { readLead } from './rules.ts'
import { flatten } from './shapes.ts'
import { leadClaims, leadEntries } from './table.ts'

type Source = typeof leadSources.$inferSelect
type Refusal = BodyRefusal | { status: 401 | 409 | 422 | 429; code: string; message: string; retryAfter?: number }

/** How long an Idempotency-Key is remembered. */
export const keyHours = 24

const wrongKey: Refusal = { status: 401, code: 'INVALID_WEBHOOK_KEY', message: 'This webhook key is not known' }
const keyReused: Refusal = { status: 409, code: 'IDEMPOTENCY_KEY_REUSED', message: 'This Idempotency-Key was sent with another body before' }
const keyTooLong: Refusal = { status: 422, code: 'INVALID_IDEMPOTENCY_KEY', message: 'An Idempotency-Key has 1 to 200 characters' }

/**
 * POST /api/leads/{webhookKey}: takes what a form tool sends. Once it is answered the lead is on disk with the job that will process it.
 * Limits are counted in each process by itself, so that taking a lead costs no second write.
 */
export function createLeadIntake(env: Env) {
  const perKey = new RateLimiterMemory({ points: env.LEADS_PER_MINUTE_PER_KEY, duration: 60 })
  const perAddress = new RateLimiterMemory({ points: env.LEADS_PER_MINUTE_PER_ADDRESS, duration: 60 })

  return async (scope: Scope, webhookKey: string, request: Request): Promise<Response> => {
    if (!(await within(perAddress, scope.origin.address ?? 'unknown'))) return refuse(tooMany)
    // Looked up by its hash: how long that takes tells nothing about the key.
    const [source] = await scope.db.select().from(leadSources).where(eq(leadSources.webhookKeyHash, hashWebhookKey(webhookKey)))
    if (!source) return refuse(wrongKey)
    if (!(await within(perKey, source.id))) return refuse(tooMany)

    const body = await readLeadBody(request)
    if ('status' in body) return refuse(body)
    const key = request.headers.get('idempotency-key')
    if (key !== null && (key.length === 0 || key.length > 200)) return refuse(keyTooLong)
    const taken = await takeLead(scope, source, body, key)
    return 'status' in taken ? refuse(taken) : accept(taken.id, source, body, request)
  }
}

const tooMany: Refusal = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Too many leads at once. Please send this one again in a minute.', retryAfter: 60 }

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

/** Stores the lead and queues its processing, or finds the entry that a replay means. */
async function takeLead(scope: Scope, source: Source, body: LeadBody, key: string | null): Promise<{ id: string } | Refusal> {
  const bodyHash = createHash('sha256').update(body.contentType).update('\0').update(body.raw).digest('base64url')
  const now = scope.now()
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  return scope.db.transaction(async (tx) => {
    const fields = flatten(body.fields)
    const [entry] = await tx
      .insert(leadEntries)
      .values({ sourceId: source.id, rawData: { ...body.fields, email: readLead(fields).email ?? body.fields.email }, rawBody: body.raw, contentType: body.contentType, receivedAt: now })
      .returning({ id: leadEntries.id })
    const mine = { sourceId: source.id, entryId: entry!.id, bodyHash, claimedAt: now }
    const first = await claim(tx, { ...mine, claim: `body:${bodyHash}` }, ago(sameBodyMinutes))
    const byKey = key === null ? null : await claim(tx, { ...mine, entryId: first.entryId, claim: `key:${key}` }, ago(keyHours * 60))

    if (byKey && byKey.bodyHash !== bodyHash) return discard(tx, mine, keyReused)
    const id = byKey?.entryId ?? first.entryId
    if (id !== mine.entryId) return discard(tx, mine, { id })
    await enqueue(tx, processLead, { entryId: id })
    return { id }
  })
}

type Claim = typeof leadClaims.$inferInsert

/** Whoever comes first with a claim has it until it is older than `since`; the others learn whose it is. Waits for a rival's commit. */
async function claim(tx: Db, mine: Claim, since: Date): Promise<Claim> {
  const target = [leadClaims.sourceId, leadClaims.claim]
  const [won] = await tx.insert(leadClaims).values(mine).onConflictDoUpdate({ target, set: mine, setWhere: lt(leadClaims.claimedAt, since) }).returning()
  if (won) return won
  const [theirs] = await tx.select().from(leadClaims).where(and(eq(leadClaims.sourceId, mine.sourceId), eq(leadClaims.claim, mine.claim)))
  return theirs!
}

/** Takes back what this replay wrote for itself. */
async function discard<Answer>(tx: Db, mine: { entryId: string }, answer: Answer): Promise<Answer> {
  await tx.delete(leadClaims).where(eq(leadClaims.entryId, mine.entryId))
  await tx.delete(leadEntries).where(eq(leadEntries.id, mine.entryId))
  return answer
}
