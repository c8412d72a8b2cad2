import { createHash, timingSafeEqual } from 'node:crypto'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import { fieldsOf, mailEvent } from '../../../integrations/postmark/inbound.ts'
import type { Env } from '../../../kernel/env.ts'
import { describeError } from '../../../kernel/errors.ts'
import { limitCalls, parseBody, readBody, refuse } from '../../../kernel/http/webhook.ts'
import { jsonProblem } from '../../../kernel/http/requests.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { fileRefusals } from '../../../documents/contract.ts'
import { FileRefused } from '../../../documents/service.ts'
import { readMail } from './read-mail.ts'
import { receive } from './receive.ts'
import { takeEvent } from '../suppressed.ts'

/** Bytes: Postmark takes mails of up to 35 MB, a third of which base64 adds. */
const largestMail = 50 * 1024 * 1024
const largestEvent = 1024 * 1024
/** Each lies on the disk, and is read by a worker, one at a time. */
const maxParallel = 2

type Hook = (scope: Scope, request: Request) => Promise<Response>

/**
 * Postmark's webhooks: POST /api/hooks/postmark/inbound for incoming email, and .../events for bounces, complaints and unsubscribes.
 * Authenticated by HTTP Basic before anything is read. Postmark does not retry a 4xx, so that only calls without the password are limited, but
 * retries everything else; repeated posts are idempotent.
 */
export function createPostmarkHooks(env: Env): { inbound: Hook; events: Hook } {
  const turn = pLimit(maxParallel)

  function refusalOfStranger(request: Request): Response | null {
    if (!env.POSTMARK_HOOK_PASSWORD) return refuse(404, 'NOT_FOUND', 'This practice doesn’t receive email here')
    if (isPostmark(env.POSTMARK_HOOK_PASSWORD, request.headers.get('authorization'))) return null
    return refuse(401, 'INVALID_CREDENTIALS', 'Invalid credentials', { 'www-authenticate': 'Basic realm="hooks"' })
  }

  const hook =
    (answer: Hook): Hook =>
    async (scope, request) => {
      const refused = refusalOfStranger(request)
      if (refused) return (await limitCalls(scope, 'postmark')) ?? refused
      return turn(async () => {
        const problem = jsonProblem(request.headers)
        return problem ? refuse(415, problem.code, problem.message, { connection: 'close' }) : answer(scope, request)
      })
    }

  return {
    inbound: hook(async (scope, request) => {
      try {
        const body: AsyncIterable<Uint8Array> = request.body ?? Readable.from([])
        const read = await readMail(scope, { body, limit: largestMail }, (mail) => receive(scope, mail))
        if ('taken' in read) return Response.json(read.taken)
        if ('fields' in read) return invalid(read.fields)
        return read.refusal === 'INVALID_JSON' ? noJson() : refuse(422, 'MAIL_TOO_COMPLEX', 'This email needs too much memory to read')
      } catch (error) {
        if (!(error instanceof FileRefused)) {
          scope.log.error({ requestId: scope.origin.requestId, error: describeError(error) }, 'Failed to handle inbound email') // spec 8
          throw error
        }
        if (error.code === 'FILE_TOO_LARGE')
          return refuse(413, 'BODY_TOO_LARGE', 'An email may have 50 MB at most', { connection: 'close' })
        if (error.code === 'FILE_EMPTY') return noJson()
        return refuse(fileRefusals[error.code].status, error.code, error.message, { connection: 'close' })
      }
    }),
    events: hook(async (scope, request) => {
      const bytes = await readBody(request, largestEvent)
      if (bytes === null) return refuse(413, 'BODY_TOO_LARGE', 'An event may have 1 MB at most', { connection: 'close' })
      const body = parseBody(bytes)
      if (body === undefined) return noJson()
      const event = mailEvent.safeParse(body)
      if (!event.success) return invalid(fieldsOf(event.error))
      await takeEvent(scope, event.data)
      return Response.json({})
    }),
  }
}

const noJson = () => refuse(400, 'INVALID_JSON', 'The body is not JSON')
const invalid = (fields: Record<string, string>) =>
  Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })

/** Compares hashes in constant time, so timing reveals neither the length nor the position of a wrong character. */
function isPostmark(password: string, authorization: string | null): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const expected = `Basic ${Buffer.from(`postmark:${password}`).toString('base64')}`
  // The scheme's name is in any case (RFC 9110, 11.1).
  return timingSafeEqual(digest(expected), digest((authorization ?? '').replace(/^basic +/i, 'Basic ')))
}
