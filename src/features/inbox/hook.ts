import { createHash, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import type { z } from 'zod'
import { inboundMail, mailEvent } from '../../integrations/postmark/inbound.ts'
import type { Env } from '../../server/env.ts'
import { limitCalls, parseBody, readBody, refuse } from '../../server/hook.ts'
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
  const limited = limitCalls(env)
  const turn = pLimit(mostAtOnce)

  const hook =
    <Shape extends z.ZodType>(shape: Shape, take: (scope: Scope, given: z.output<Shape>) => Promise<object>): Hook =>
    async (scope, request) => {
      const tooMany = await limited(scope.origin.address)
      if (tooMany) return tooMany
      if (!env.POSTMARK_HOOK_PASSWORD) return refuse(404, 'NOT_FOUND', 'This practice takes no mail here')
      if (!isPostmark(env.POSTMARK_HOOK_PASSWORD, request.headers.get('authorization'))) {
        return refuse(401, 'INVALID_CREDENTIALS', 'These credentials are not known', { 'www-authenticate': 'Basic realm="hooks"' })
      }
      return turn(async () => {
        const bytes = await readBody(request, largest)
        if (bytes === null) return refuse(413, 'BODY_TOO_LARGE', 'A mail may have 50 MB at most', { connection: 'close' })
        const body = parseBody(bytes)
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
