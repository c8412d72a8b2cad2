import { createHash, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { z } from 'zod'
import { inboundMail, mailEvent } from '../../integrations/postmark/inbound.ts'
import type { Env } from '../../server/env.ts'
import type { Scope } from '../../server/scope.ts'
import { receive } from './receive.ts'
import { takeEvent } from './suppressed.ts'

/** Bytes: Postmark takes mails of up to 35 MB, a third of which base64 adds. */
const largest = 50 * 1024 * 1024
/** Each is held in memory while it is looked at. */
const mostAtOnce = 2

type Hook = (scope: Scope, request: Request) => Promise<Response>

/**
 * What Postmark posts: POST /api/hooks/postmark/inbound for mails that arrive, and .../events for bounces, complaints and unsubscribes. It
 * shows itself by HTTP Basic credentials. A 4xx is final there, everything else is posted again; taking a mail twice takes it once.
 */
export function createPostmarkHooks(env: Env): { inbound: Hook; events: Hook } {
  const perAddress = new RateLimiterMemory({ points: env.HOOKS_PER_MINUTE, duration: 60 })
  const turn = pLimit(mostAtOnce)

  const hook =
    <Shape extends z.ZodType>(shape: Shape, take: (scope: Scope, given: z.output<Shape>) => Promise<object>): Hook =>
    async (scope, request) => {
      const allowed = await perAddress.consume(scope.origin.address ?? 'unknown').then(
        () => true,
        () => false,
      )
      if (!allowed)
        return refuse(429, 'TOO_MANY_REQUESTS', 'Too many calls at once. Please send this one again in a minute.', { 'retry-after': '60' })
      if (!env.POSTMARK_HOOK_PASSWORD) return refuse(404, 'NOT_FOUND', 'This practice takes no mail here')
      if (!isPostmark(env.POSTMARK_HOOK_PASSWORD, request.headers.get('authorization'))) {
        return refuse(401, 'INVALID_CREDENTIALS', 'These credentials are not known', { 'www-authenticate': 'Basic realm="hooks"' })
      }
      return turn(async () => {
        const text = await bodyOf(request)
        if (text === null) return refuse(413, 'BODY_TOO_LARGE', 'A mail may have 50 MB at most', { connection: 'close' })
        const body = parse(text)
        if (body === undefined) return refuse(400, 'INVALID_JSON', 'The body is not JSON')
        const given = shape.safeParse(body)
        if (given.success) return Response.json(await take(scope, given.data))
        const fields = Object.fromEntries(given.error.issues.map(({ path, message }) => [path.join('.') || 'body', message]))
        return Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
      })
    }

  return {
    inbound: hook(inboundMail, receive),
    events: hook(mailEvent, async (scope, event) => {
      await takeEvent(scope, event)
      return {}
    }),
  }
}

/** Compared as hashes in constant time: neither the length nor the place of a wrong letter can be told by how long it takes. */
function isPostmark(password: string, authorization: string | null): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}`
  return timingSafeEqual(digest(expected), digest(authorization ?? ''))
}

/** Null: it is too large. */
async function bodyOf(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > largest) return null
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body ?? []) {
    size += part.byteLength
    if (size > largest) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const refuse = (status: number, code: string, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ code, message }, { status, headers })
