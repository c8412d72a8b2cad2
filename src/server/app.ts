import { isUtf8 } from 'node:buffer'
import { randomBytes, randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context as HonoContext, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Logger } from 'pino'
import { rawRoutes } from '../features/access/policy.ts'
import type { Actor } from '../features/access/rules.ts'
import { auditExport } from '../features/audit/export.ts'
import { createKeys } from '../features/api-keys/use.ts'
import { viewRecorder } from '../features/audit/service.ts'
import type { Attempts } from '../features/auth/attempts.ts'
import type { Auth } from '../features/auth/service.ts'
import { appointmentsExport } from '../features/appointments/export.ts'
import { answerFeed } from '../features/calendar-feeds/answer.ts'
import { answerStatement } from '../features/collections/statement.ts'
import { answerUnsubscribe } from '../features/consent/answer.ts'
import { subscriberOf } from '../features/consent/link.ts'
import { contactsExport } from '../features/contacts/export.ts'
import { createLeadIntake } from '../features/leads/intake.ts'
import { receiptsExport } from '../features/pos/receipt-export.ts'
import { answerReceiptPaper } from '../features/pos/receipt-paper.ts'
import { answerTable as answerReport } from '../features/reports/export.ts'
import { surgeriesExport } from '../features/surgeries/export.ts'
import { tasksExport } from '../features/tasks/export.ts'
import type { FileStore } from '../integrations/storage/store.ts'
import { answerFile, answerPreview, answerUpload } from '../features/documents/answer.ts'
import { answerFrame } from '../features/email-templates/frame.ts'
import { answerAttachment, answerMail } from '../features/inbox/answer.ts'
import { conversationsExport } from '../features/inbox/export.ts'
import { createPostmarkHooks } from '../features/inbox/hook.ts'
import * as mailboxFiles from '../features/mailbox/answer.ts'
import { createNylasHook } from '../features/mailbox/hook.ts'
import { answerErrors, answerTemplate } from '../features/imports/download.ts'
import { answerFiles as answerImportFiles } from '../features/imports/files.ts'
import { answerUpload as answerImport } from '../features/imports/upload.ts'
import { answerLink, answerOwnQuote } from '../features/portal/answer.ts'
import { answerPatientUpload } from '../features/portal/upload.ts'
import { answerLogo, answerLogoUpload } from '../features/practice/logo.ts'
import { answerQuotePaper } from '../features/quotes/paper.ts'
import { answerWholeRecord } from '../features/whole-records/answer.ts'
import { createApi, refusalOf } from './api.ts'
import { apiDocument, apiReader } from './api-document.ts'
import { serveWeb } from './assets.ts'
import type { Context } from './context.ts'
import type { Database } from './database.ts'
import type { Env } from './env.ts'
import { describeError, isDatabaseAway } from './errors.ts'
import type { Events } from './events.ts'
import { pageHeaders, plainHeaders } from './headers.ts'
import type { LivePractice } from './practice.ts'
import { createListExport, type ListExport } from './list-export.ts'
import type { Scope } from './scope.ts'
import { createSessions } from './sessions.ts'

/** Everything a process holds open, made once at start. */
export type Runtime = {
  env: Env
  practice: LivePractice
  log: Logger
  db: Database
  indexDb: Database
  events: Events
  auth: Auth
  attempts: Attempts
  files: FileStore
  now: () => Date
  /** Whether the database answers and its migrations are right. */
  isReady: () => Promise<boolean>
}

type App = { Bindings: HttpBindings; Variables: { requestId: string; address: string; nonce: string } }

const apiBodyLimit = 256 * 1024
/** A file is made, or opened, while it is read, and the answer to HEAD is read by nobody. */
const getAlone = { code: 'METHOD_NOT_SUPPORTED', message: 'Use GET' }

/** What answers requests. Reads, in order: health, leads, the typed API, and else the web application. */
export function createApp(runtime: Runtime): Hono<App> {
  const { env, log } = runtime
  const app = new Hono<App>()
  const recordViews = viewRecorder(runtime.db)
  const sessionOf = createSessions(runtime.auth, runtime.db, runtime.events, env)
  const keyOf = createKeys(runtime.db, env, runtime.events, runtime.now)
  /** Whoever shows an API key is who the key says, whatever cookie comes along. */
  const whoAsks = async (headers: Headers, address: string): Promise<Actor | Response | null> =>
    (await keyOf(headers, address)) ?? sessionOf(headers)
  const denied = (scope: Scope, route: string) => recordViews(scope, { action: 'denied', kind: route, contactIds: [] })
  const api = createApi(denied)
  const takeLead = createLeadIntake(env, runtime.events)

  const scopeFor = (request: { requestId: string; address: string }, actor: Actor | null): Scope => {
    const who = { actor, origin: request }
    return {
      db: runtime.db,
      indexDb: runtime.indexDb,
      env,
      practice: runtime.practice,
      log,
      now: runtime.now,
      ...who,
      files: runtime.files,
      recordView: (view, patient) => recordViews(patient ? { ...who, patient } : who, view),
    }
  }

  app.use(async (c, next) => {
    c.set('requestId', randomUUID())
    c.set('address', clientAddress(c.env, c.req.raw.headers, env.TRUST_PROXY))
    c.set('nonce', randomBytes(16).toString('base64url'))
    if (c.env.incoming.url?.startsWith('//'))
      c.res = c.json({ code: 'BAD_REQUEST', message: 'The address of this request is not valid' }, 400)
    else await next()
    const headers = c.req.path.startsWith('/api') || c.req.path.startsWith('/health') ? plainHeaders(env) : pageHeaders(env, c.get('nonce'))
    for (const [name, value] of Object.entries(headers)) if (!isOwn(name, c.res.headers)) c.res.headers.set(name, value)
    c.res.headers.set('x-request-id', c.get('requestId'))
  })

  raw('health.live')
  app.get('/health/live', (c) => c.json({ live: true }))
  raw('health.ready')
  app.get('/health/ready', async (c) => {
    const ready = await runtime.isReady()
    return c.json({ ready }, ready ? 200 : 503)
  })

  raw('leads.intake')
  app.options('/api/leads/:key', () => new Response(null, { status: 204, headers: corsForForms }))
  app.post('/api/leads/:key', (c) => takeLead(scopeFor(c.var, null), c.req.param('key'), c.req.raw))

  raw('api.document')
  app.get('/api/openapi.json', async (c) => c.json(await apiDocument(env.APP_URL)))
  raw('api.reader')
  app.get('/api/docs', async (c) => c.html(await apiReader(env.APP_URL)))

  /** A route for staff that is no typed call, because a file comes or goes: under the same matrix. */
  const forStaff =
    (route: keyof typeof rawRoutes, answer: (scope: Scope, c: HonoContext<App>) => Promise<Response>) => async (c: HonoContext<App>) => {
      if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
      if (c.req.raw.method === 'HEAD') return c.json(getAlone, 405, { allow: 'GET' })
      const actor = await whoAsks(c.req.raw.headers, c.var.address)
      if (actor instanceof Response) return actor
      const scope = scopeFor(c.var, actor)
      const refusal = await refusalOf(scope, { route, method: c.req.method }, rawRoutes[route])
      if (!refusal) return answer(scope, c)
      if (refusal.code === 'FORBIDDEN') await denied(scope, route)
      return c.json({ code: refusal.code, message: refusal.message }, refusal.status)
    }
  // The rest of a body that is too large is not read, so the connection cannot be used again.
  const atMost = (kibibytes: number): MiddlewareHandler =>
    bodyLimit({
      maxSize: kibibytes * 1024,
      onError: (c) =>
        c.json({ code: 'BODY_TOO_LARGE', message: `A request may have ${kibibytes} KiB at most` }, 413, { connection: 'close' }),
    })
  const limitBody = atMost(apiBodyLimit / 1024)
  /** A list as a file, at an address that ends in .csv or .xlsx. */
  const offerExport = <Input>(
    route: keyof typeof rawRoutes,
    address: `/api/${string}`,
    list: ListExport<Input>,
    methods: string[] = ['GET'],
  ) => {
    const answer = createListExport(list)
    const at = address.replace(/([^/]+)$/, ':file{$1\\.(?:csv|xlsx)}')
    app.use(at, limitBody)
    app.on(
      methods,
      at,
      forStaff(route, (scope, c) => answer(scope, c.req.raw)),
    )
  }
  offerExport('contacts.export', '/api/contacts/export', contactsExport, ['GET', 'POST'])
  offerExport('pos.export', '/api/pos/receipts', receiptsExport)
  offerExport('tasks.export', '/api/tasks', tasksExport)
  offerExport('appointments.export', '/api/appointments', appointmentsExport)
  offerExport('surgeries.export', '/api/surgeries', surgeriesExport)
  offerExport('inbox.export', '/api/conversations', conversationsExport)
  offerExport('audit.export', '/api/audit', auditExport)
  app.post(
    '/api/imports',
    forStaff('imports.upload', (scope, c) => answerImport(scope, c.req.raw)),
  )
  app.get(
    '/api/imports/:id/errors.csv',
    forStaff('imports.errors', (scope, c) => answerErrors(scope, c.req.param('id') ?? '')),
  )
  app.post(
    '/api/imports/:id/files',
    forStaff('imports.sendFile', (scope, c) => answerImportFiles(scope, c.req.param('id') ?? '', c.req.raw)),
  )
  app.get(
    '/api/imports/templates/:file{[a-z]+\\.(?:csv|xlsx)}',
    forStaff('imports.template', (_scope, c) => Promise.resolve(answerTemplate(c.req.raw))),
  )

  app.get(
    '/api/pos/receipts/:file{[^/]+\\.pdf}',
    forStaff('pos.paper', (scope, c) => answerReceiptPaper(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/contacts/:id/statement.pdf',
    forStaff('collections.statement', (scope, c) => answerStatement(scope, c.req.param('id') ?? '')),
  )

  app.get(
    '/api/contacts/:id/whole-record.zip',
    forStaff('wholeRecords.file', (scope, c) => answerWholeRecord(scope, c.req.param('id') ?? '')),
  )

  app.get(
    '/api/quotes/:file{[^/]+\\.pdf}',
    forStaff('quotes.paper', (scope, c) => answerQuotePaper(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/:file{reports\\.(?:csv|xlsx)}',
    forStaff('reports.export', (scope, c) => answerReport(scope, c.req.raw)),
  )

  const hooks = createPostmarkHooks(env)
  raw('hooks.inbound')
  app.post('/api/hooks/postmark/inbound', (c) => hooks.inbound(scopeFor(c.var, null), c.req.raw))
  raw('hooks.events')
  app.post('/api/hooks/postmark/events', (c) => hooks.events(scopeFor(c.var, null), c.req.raw))
  app.get(
    '/api/inbox/attachments/:id/file',
    forStaff('inbox.attachment', (scope, c) => answerAttachment(scope, c.req.param('id') ?? '')),
  )
  app.get(
    '/api/inbox/messages/:id/mail',
    forStaff('inbox.mail', (scope, c) => answerMail(scope, c.req.param('id') ?? '', c.req.query('pictures') === 'shown')),
  )

  const nylas = createNylasHook(env)
  raw('hooks.nylas')
  app.get('/api/hooks/nylas', (c) => nylas.challenge(scopeFor(c.var, null), c.req.raw))
  app.post('/api/hooks/nylas', (c) => nylas.notified(scopeFor(c.var, null), c.req.raw))
  app.get(
    '/api/mailbox/messages/:id/mail',
    forStaff('mailbox.mail', (scope, c) => mailboxFiles.answerMail(scope, c.req.param('id') ?? '', c.req.query('pictures') === 'shown')),
  )
  app.get(
    '/api/mailbox/messages/:id/attachments/:attachmentId',
    forStaff('mailbox.attachment', (scope, c) =>
      mailboxFiles.answerAttachment(scope, c.req.param('id') ?? '', c.req.param('attachmentId') ?? ''),
    ),
  )
  app.post(
    '/api/mailbox/drafts/:id/files',
    forStaff('mailbox.upload', (scope, c) => mailboxFiles.answerUpload(scope, c.req.param('id') ?? '', c.req.raw)),
  )

  app.use('/api/email-templates/preview.html', atMost(1024))
  app.post(
    '/api/email-templates/preview.html',
    forStaff('emailTemplates.frame', (scope, c) => answerFrame(scope, c.req.raw)),
  )

  app.post(
    '/api/contacts/:id/documents',
    forStaff('documents.upload', (scope, c) => answerUpload(scope, c.req.param('id') ?? '', c.req.raw)),
  )
  app.get(
    '/api/documents/:id/file',
    forStaff('documents.file', (scope, c) => answerFile(scope, c.req.param('id') ?? '')),
  )
  app.get(
    '/api/documents/:id/preview',
    forStaff('documents.preview', (scope, c) => answerPreview(scope, c.req.param('id') ?? '')),
  )

  raw('practice.logo')
  app.get('/api/practice/logo/:file{[^/]+\\.png}', (c) => answerLogo(scopeFor(c.var, null), c.req.param('file').replace(/\.png$/, '')))
  app.post(
    '/api/practice/logo',
    forStaff('practice.uploadLogo', (scope, c) => answerLogoUpload(scope, c.req.raw)),
  )

  raw('portal.upload')
  app.post('/api/functions/patient-document-upload', async (c) => {
    if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
    return answerPatientUpload(scopeFor(c.var, null), runtime.attempts, c.req.raw)
  })
  raw('portal.file')
  app.get('/api/functions/patient-document-file/:id', async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getAlone, 405, { allow: 'GET' })
    return answerLink(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  raw('portal.quote')
  app.get('/api/functions/patient-quote-file/:id', async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getAlone, 405, { allow: 'GET' })
    return answerOwnQuote(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })

  raw('calendarFeeds.feed')
  app.get('/api/calendar/:file', async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getAlone, 405, { allow: 'GET' })
    return answerFeed(scopeFor(c.var, null), runtime.attempts, c.req.param('file'), c.req.raw)
  })

  app.use('/api/*', async (c, next) => {
    if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
    if (!isDecodable(c.req.raw.url)) return c.json({ code: 'BAD_REQUEST', message: 'The address of this request is not valid' }, 400)
    if (hasBody(c.req.raw.headers) && !isJson(c.req.raw.headers))
      return c.json({ code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send application/json' }, 415)
    return next()
  })
  // Without a body there is no need to look for one, which takes longer than all else that is done here.
  app.use('/api/*', (async (c, next) => (hasBody(c.req.raw.headers) ? limitBody(c, next) : next())) satisfies MiddlewareHandler)
  app.all('/api/*', async (c) => {
    const requestHeaders = new Headers(c.req.raw.headers)
    requestHeaders.set('x-real-ip', c.get('address'))
    const responseHeaders = new Headers()
    const sent = await bodyOf(c.req.raw)
    if (sent && !isUtf8(sent)) return c.json({ code: 'BAD_REQUEST', message: 'The body of this request is not valid UTF-8' }, 400)
    const actor = await whoAsks(requestHeaders, c.get('address'))
    if (actor instanceof Response) return actor
    const scope = scopeFor(c.var, actor)
    const views = new Set<Promise<void>>()
    const context: Context = {
      ...scope,
      // The call goes on meanwhile; its answer waits for all of them.
      recordView: async (view, patient) => {
        const written = scope.recordView(view, patient)
        written.catch(() => {})
        views.add(written)
      },
      views,
      auth: runtime.auth,
      attempts: runtime.attempts,
      events: runtime.events,
      requestHeaders,
      responseHeaders,
      bodyIsNoObject: sent !== null && firstCharacter(sent) !== '{',
    }
    const { matched, response } = await api.handle(sent ? withBody(c.req.raw, sent) : c.req.raw, { prefix: '/api', context })
    if (!matched) return c.json({ code: 'NOT_FOUND', message: 'There is no such call' }, 404)
    for (const [name, value] of responseHeaders) response.headers.append(name, value)
    return c.req.path.startsWith('/api/functions/') && response.status >= 400 ? withError(response) : response
  })

  const web = serveWeb((c) => c.get('nonce') as string)
  raw('consent.page')
  app.get('/u/:token', async (c, next) => {
    const page = await web(c, next)
    const isOurs = subscriberOf(env, c.req.param('token')) !== null
    return page instanceof Response && page.ok && !isOurs ? new Response(page.body, { status: 404, headers: page.headers }) : page
  })
  raw('consent.unsubscribe')
  app.post('/u/:token', (c) => answerUnsubscribe(scopeFor(c.var, null), c.req.param('token')))
  raw('web.assets')
  app.get('*', web)

  app.notFound((c) => c.json({ code: 'NOT_FOUND', message: 'There is nothing here' }, 404))
  app.onError((error, c) => {
    if (isDatabaseAway(error))
      return c.json({ code: 'SERVICE_UNAVAILABLE', message: 'The database cannot be reached. Please try again in a moment.' }, 503)
    log.error({ requestId: c.get('requestId'), error: describeError(error) }, 'A request failed')
    return c.json({ code: 'INTERNAL_SERVER_ERROR', message: `Something went wrong. Please quote ${c.get('requestId')}.` }, 500)
  })
  return app
}

const foreignOrigin = { code: 'FOREIGN_ORIGIN', message: 'This request came from another site' }

/**
 * A file that is sent has a policy of its own: one under which even less may happen, or, of a PDF of ours, one under which browsers show it.
 * What is public and never changes may be kept.
 */
const isOwn = (name: string, headers: Headers): boolean =>
  (name === 'content-security-policy' &&
    headers.has(name) &&
    (headers.get(name)!.startsWith('sandbox') || headers.get('content-type') === 'application/pdf')) ||
  (name === 'cache-control' && (headers.get(name) ?? '').endsWith('immutable'))

/** A route that is no typed call must stand in the permission matrix too; this does not compile otherwise. */
function raw(_route: keyof typeof rawRoutes): void {}

const corsForForms = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, idempotency-key',
  'access-control-max-age': '86400',
}

/** The peer's address; behind a trusted proxy, the one that the proxy itself saw. */
function clientAddress(bindings: HttpBindings, headers: Headers, trustProxy: boolean): string {
  const forwarded = trustProxy ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || bindings.incoming.socket.remoteAddress || 'unknown'
}

/** Whether each percent sign of an address belongs to the UTF-8 of a character. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

/** What was sent, read here because bytes that belong to no character would be kept as something else; null without a body. */
const bodyOf = async (request: Request): Promise<Uint8Array<ArrayBuffer> | null> =>
  hasBody(request.headers) ? new Uint8Array(await request.arrayBuffer()) : null

const withBody = ({ url, method, headers, signal }: Request, body: Uint8Array<ArrayBuffer>): Request =>
  new Request(url, { method, headers, body, signal })

/** Spec 7: what was wrong with a call of the portal's is read as `error`. */
async function withError(response: Response): Promise<Response> {
  const body = (await response.json()) as { message?: string }
  return Response.json({ ...body, error: body.message }, response)
}

/** Of a JSON text, without the space before it. */
const firstCharacter = (text: Uint8Array): string =>
  String.fromCharCode(text.find((byte) => !/[ \t\r\n]/.test(String.fromCharCode(byte))) ?? 0)

const hasBody = (headers: Headers): boolean => Number(headers.get('content-length') ?? 0) > 0 || headers.has('transfer-encoding')
const isJson = (headers: Headers): boolean => /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')

/** A state change that another site's page sends with our cookie. Programs send no Origin and carry no cookie of a browser. */
function isForeignWrite(request: Request, appUrl: string): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (origin === null) return site === 'cross-site'
  // A form of our own pages, whose referrer policy hides where it comes from; a browser lets nobody else say this.
  if (origin === 'null' && site === 'same-origin') return false
  const host = request.headers.get('host') ?? ''
  // On the machine itself any of its loopback names will do, whichever APP_URL has.
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) && origin === `http://${host}`
  return origin !== new URL(appUrl).origin && !isLocal
}
