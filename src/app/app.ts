import { isUtf8 } from 'node:buffer'
import { randomBytes, randomUUID } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import { unsubscribeResponse } from '../crm/consent/response.ts'
import { subscriberOf } from '../crm/consent/link.ts'
import { isBookingPath } from './page-rules.ts'
import { labelOf } from '../shared/validation-messages.ts'
import { createApi } from './api.ts'
import { serveWeb } from './assets.ts'
import type { Context } from '../platform/context.ts'
import { describeError, isDiskFull } from '../kernel/errors.ts'
import { DamagedFileError } from '../integrations/storage/store.ts'
import { outageOf } from '../kernel/outage.ts'
import { signedOutPath } from './visitor-rules.ts'
import { pageHeaders, plainHeaders, scanWorkerPolicy } from './headers.ts'
import { limitBody } from '../kernel/http/body-limit.ts'
import { type LimitUse, limitHeaders } from '../kernel/http/limit-headers.ts'
import { type App, createRequestContext, type Runtime } from './request-context.ts'
import { callLimits, exceededLimit } from '../kernel/http/json-limits.ts'
import { observeAnswer, publishRequest } from './observe-answer.ts'
import { addRawRoutes, raw } from './raw-routes.ts'
import {
  bodyOf,
  clientAddress,
  firstCharacter,
  foreignOrigin,
  hasBody,
  isDecodable,
  isForeignWrite,
  jsonProblem,
} from '../kernel/http/requests.ts'

/** Handles requests, in this order: health, leads, the typed API, and otherwise the web application. */
export function createApp(runtime: Runtime): Hono<App> {
  const { env, log } = runtime
  const app = new Hono<App>()
  const requestContext = createRequestContext(runtime)
  const { scopeFor, whoAsks } = requestContext
  const callApi = createApi(requestContext.denied)
  const apiHeaders = plainHeaders(env)

  app.use(async (c, next) => {
    const isPage = !/^\/(api|health)(\/|$)/.test(c.req.path)
    const limitUses: LimitUse[] = []
    c.set('requestId', randomUUID())
    if (runtime.onAnswered.length > 0) observeAnswer(c, runtime.onAnswered)
    c.set('address', clientAddress(c.env, c.req.raw.headers, env.TRUST_PROXY))
    c.set('device', c.req.header('user-agent')?.slice(0, 300) ?? null)
    if (isPage) c.set('nonce', randomBytes(16).toString('base64url'))
    c.set('limitUses', limitUses)
    c.set(
      'attempts',
      runtime.countAttempts((use) => limitUses.push(use)),
    )
    if (c.env.incoming.url?.startsWith('//'))
      c.res = c.json({ code: 'BAD_REQUEST', message: 'The address of this request is not valid' }, 400)
    else await publishRequest(c, next, () => c.res.status)
    if (c.get('hasHeaders')) return
    if (c.res.status >= 400 && readsError(c.req.path)) c.res = await withError(c.res)
    const isBooking = isBookingPath(c.req.path)
    const paysByCard = isBooking || signedOutPath(c.req.path) === '/pay'
    const headers = isPage ? pageHeaders(env, c.get('nonce'), paysByCard, isBooking ? env.BOOKING_SITES : []) : apiHeaders
    for (const [name, value] of Object.entries(headers)) if (!isOwn(name, c.res.headers)) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', c.get('requestId'))
    for (const [name, value] of Object.entries(limitHeaders(limitUses, c.res.status, c.res.headers))) c.res.headers.set(name, value)
  })

  app.use('/api/*', async (c, next) => ((await runtime.isMigrated()) ? next() : c.json(starting, 503, { 'retry-after': '2' })))
  addRawRoutes(app, requestContext, runtime)

  app.use('/api/*', async (c, next) => {
    if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
    if (!isDecodable(c.req.raw.url)) return c.json({ code: 'BAD_REQUEST', message: 'The address of this request is not valid' }, 400)
    const problem = hasBody(c.req.raw.headers) ? jsonProblem(c.req.raw.headers) : null
    return problem ? c.json(problem, 415) : next()
  })
  // Skips the lookup for requests without a body: it would take longer than everything else here.
  app.use('/api/*', (async (c, next) => (hasBody(c.req.raw.headers) ? limitBody(c, next) : next())) satisfies MiddlewareHandler)
  app.all('/api/*', async (c) => {
    const asked = c.var
    const request = c.req.raw
    const body = await bodyOf(request)
    if (body && !isUtf8(body)) return c.json({ code: 'BAD_REQUEST', message: 'The body of this request is not valid UTF-8' }, 400)
    const actor = await whoAsks(request.headers, asked)
    if (actor instanceof Response) return actor
    const scope = scopeFor(asked, actor)
    if (actor) c.set('accountId', actor.id)
    const exceeded = body && exceededLimit(body, callLimits)
    const views = new Set<Promise<void>>()
    // Made when they are asked for: few calls need them, and copying headers is slow.
    let requestHeaders: Headers | undefined
    let responseHeaders: Headers | undefined
    const context: Context = {
      ...scope,
      // The call continues in the meantime; its response waits for all of them.
      recordView: async (view, patient) => {
        const written = scope.recordView(view, patient)
        written.catch(() => {})
        views.add(written)
      },
      views,
      route: null,
      auth: runtime.auth,
      events: runtime.events,
      recentFailures: runtime.recentFailures,
      vendorStates: runtime.vendorStates,
      get requestHeaders() {
        return (requestHeaders ??= withAddress(request.headers, scope.origin.address))
      },
      get responseHeaders() {
        return (responseHeaders ??= new Headers())
      },
      bodyProblem: body && (exceeded ? limitMessages[exceeded] : firstCharacter(body) === '{' ? null : 'Send a JSON object'),
    }
    const result = await callApi({ request, body: exceeded ? emptyObject : body, prefix: '/api', context })
    if (actor && request.method !== 'GET') runtime.reads.wrote(actor.id)
    if (context.route) c.set('route', context.route)
    if (!result) return c.json({ code: 'NOT_FOUND', message: 'Unknown call' }, 404)
    const isJson = !(result instanceof Response)
    if (isJson && result.status < 400 && !responseHeaders) {
      c.set('hasHeaders', true)
      const own = { ...contentTypeOf(result), 'x-request-id': asked.requestId, ...limitHeaders(asked.limitUses, result.status) }
      return new Response(result.text, { status: result.status, headers: { ...apiHeaders, ...own } })
    }
    const response = isJson ? new Response(result.text, { status: result.status, headers: contentTypeOf(result) }) : result
    for (const [name, value] of responseHeaders ?? []) response.headers.append(name, value)
    return response
  })

  const web = serveWeb((c) => c.get('nonce') as string)
  app.get('/u/:token', raw('consent.page'), async (c, next) => {
    const page = await web(c, next)
    const isOurs = subscriberOf(env, c.req.param('token')) !== null
    return page instanceof Response && page.ok && !isOurs ? new Response(page.body, { status: 404, headers: page.headers }) : page
  })
  app.post('/u/:token', raw('consent.unsubscribe'), (c) => unsubscribeResponse(scopeFor(c.var, null), c.req.param('token')))
  app.get('*', raw('web.assets'), web)

  app.notFound((c) => c.json({ code: 'NOT_FOUND', message: 'There is nothing here' }, 404))
  app.onError((error, c) => {
    if (error instanceof DamagedFileError) return c.json(damagedFile, 410)
    const outage = outageOf(error, env)
    if (!outage || isDiskFull(error))
      log.error({ requestId: c.get('requestId'), error: describeError(error) }, outage ? 'A disk is full' : 'A request failed')
    // The rest of a file is not read.
    const headers: Record<string, string> = hasBody(c.req.raw.headers) ? { connection: 'close' } : {}
    if (outage) return c.json(outage, 503, headers)
    return c.json({ code: 'INTERNAL_SERVER_ERROR', message: `Something went wrong. Please quote ${c.get('requestId')}.` }, 500, headers)
  })
  return app
}

const damagedFile = {
  code: 'FILE_DAMAGED',
  message: 'This file was altered on the server, so it is not given out. Please tell your administrator, who can restore it from a backup.',
}

const starting = { code: 'SERVICE_UNAVAILABLE', message: 'Refyne is starting. Please try again in a moment.' }

const contentTypeOf = ({ text }: { text: string | null }): Record<string, string> =>
  text === null ? {} : { 'content-type': 'application/json' }

/** The headers of a request with the address it came from, for the sign-in library. */
function withAddress(given: Headers, address: string | null): Headers {
  const headers = new Headers(given)
  if (address !== null) headers.set('x-real-ip', address)
  return headers
}

/** Replaces a body beyond the limits, before it is known whether its sender may make the call. */
const emptyObject = new TextEncoder().encode('{}')

const limitMessages = {
  depth: `Send JSON with at most ${callLimits.depth} levels`,
  values: `Send at most ${callLimits.values.toLocaleString('en-CA')} values`,
}

/**
 * A file that is sent has a policy of its own: one under which even less may happen, or one that a PDF or the reader of barcodes needs.
 * What is public and never changes may be kept.
 */
const isOwn = (name: string, headers: Headers): boolean =>
  (name === 'content-security-policy' &&
    headers.has(name) &&
    (headers.get(name)!.startsWith('sandbox') ||
      headers.get(name) === scanWorkerPolicy ||
      headers.get('content-type') === 'application/pdf')) ||
  (name === 'cache-control' && /^public|immutable$/.test(headers.get(name) ?? ''))

/** Spec 7: clients of the portal and of the point of sale read `error` of a refused call. */
const readsError = (path: string): boolean => path.startsWith('/api/functions/') || path.startsWith('/api/qbo/')

/** A field's message on its own: prefixed with the field's name where the message does not contain it. */
function namingField(path: string, message: string): string {
  if (path === 'body') return message
  const label = labelOf(path.split('.'))
  const words = label.toLowerCase().split(' ')
  const isNamed = message.includes(path) || words.some((word) => word.length > 2 && message.toLowerCase().includes(word))
  return isNamed ? message : `${label}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

/** Adds `error`: the field errors if there are any, since the reader has no marked form fields, else the message. */
async function withError(response: Response): Promise<Response> {
  if (!(response.headers.get('content-type') ?? '').startsWith('application/json')) return response
  const body = (await response.json()) as { message?: string; error?: string; data?: { fields?: Record<string, string> } }
  const ofFields = [...new Set(Object.entries(body.data?.fields ?? {}).map(([path, message]) => namingField(path, message)))].join('. ')
  return Response.json({ ...body, error: body.error ?? (ofFields || body.message) }, response)
}
