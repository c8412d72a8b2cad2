import { fieldsOf, receivedCall, receivedText, textReport } from '../../../integrations/twilio/hooks.ts'
import type { Env } from '../../../kernel/env.ts'
import { limitCalls, readBody, refuse } from '../../../kernel/http/webhook.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { receiveCall } from './calls.ts'
import { receiveText, takeReport } from './receive.ts'
import { textingOf } from './texting.ts'

/** Bytes, and the number of fields: Twilio posts 1,600 characters and some thirty fields. */
const largest = 64 * 1024
const maxFields = 200

type Hook = (scope: Scope, request: Request) => Promise<Response>
type Params = Record<string, string>

/**
 * Twilio's webhooks: POST /api/hooks/twilio/inbound for received texts, .../status for what becomes of ours, and .../call for calls. Twilio signs the address as it
 * is set up there, which is below APP_URL. Nothing is parsed beyond the form's fields before the signature is checked. Calls with a valid one are
 * not limited: Twilio does not repeat a received text, and the reports of our own texts must not crowd out a STOP. Idempotent.
 */
export function createTwilioHooks(env: Env): { inbound: Hook; status: Hook; call: Hook } {
  const texting = textingOf(env)

  /** The fields and the query of a call that Twilio has signed, or the refusal of any other. */
  async function readCall(request: Request): Promise<{ params: Params; query: URLSearchParams } | Response> {
    if (!texting) return refuse(404, 'NOT_FOUND', 'This practice doesn’t receive text messages here')
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
      return refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be form-encoded', { connection: 'close' })
    const bytes = await readBody(request, largest)
    if (!bytes) return refuse(413, 'BODY_TOO_LARGE', 'A post may have 64 KB at most', { connection: 'close' })
    const form = new URLSearchParams(bytes.toString('utf8'))
    if (form.size > maxFields) return refuse(422, 'INVALID_INPUT', 'The post has too many fields')
    const params = Object.fromEntries(form)
    const { pathname, search, searchParams } = new URL(request.url)
    const signature = request.headers.get('x-twilio-signature')
    const isSigned = await texting.client.isSigned({ url: env.APP_URL + pathname + search, signature, params })
    return isSigned ? { params, query: searchParams } : refuse(401, 'INVALID_SIGNATURE', 'The Twilio signature is invalid')
  }

  const hook =
    (answer: (scope: Scope, params: Params, query: URLSearchParams) => Promise<Response>): Hook =>
    async (scope, request) => {
      const call = await readCall(request)
      if (call instanceof Response) return (await limitCalls(scope, 'twilio')) ?? call
      return answer(scope, call.params, call.query)
    }

  return {
    inbound: hook(async (scope, params) => {
      const given = receivedText.safeParse(params)
      if (!given.success) return invalid(fieldsOf(given.error))
      await receiveText(scope, given.data)
      return nothingToDo()
    }),
    call: hook(async (scope, params) => {
      const given = receivedCall.safeParse(params)
      if (!given.success) return invalid(fieldsOf(given.error))
      await receiveCall(scope, given.data)
      return nothingToDo()
    }),
    status: hook(async (scope, params, query) => {
      const given = textReport.safeParse({ ...params, message: query.get('message') })
      if (!given.success) return invalid(fieldsOf(given.error))
      await takeReport(scope, given.data)
      return Response.json({})
    }),
  }
}

/** Answers are sent as messages of their own. */
const nothingToDo = () => new Response('<Response/>', { headers: { 'content-type': 'text/xml; charset=utf-8' } })

const invalid = (fields: Record<string, string>) =>
  Response.json({ code: 'INVALID_INPUT', message: 'Please check the marked fields', data: { fields } }, { status: 422 })
