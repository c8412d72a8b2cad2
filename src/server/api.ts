import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { type AnyProcedure, ORPCError } from '@orpc/server'
import { ValidationError } from '@orpc/contract'
import { type Access, mayUse, needsProof, permissions, type Route } from '../features/access/policy.ts'
import type { ApiRoute } from '../features/api/contract.ts'
import { failureTexts } from '../features/api/failure-rules.ts'
import { apiKeysRouter } from '../features/api-keys/router.ts'
import { mayByKey } from '../features/api-keys/rules.ts'
import { appointmentsRouter } from '../features/appointments/router.ts'
import { appointmentLinksRouter } from '../features/appointments/link-router.ts'
import { calendarFeedsRouter } from '../features/calendar-feeds/router.ts'
import { accessRouter } from '../features/access/router.ts'
import { auditRouter } from '../features/audit/router.ts'
import { accountRouter } from '../features/auth/account-router.ts'
import { peopleRouter } from '../features/auth/people-router.ts'
import { authRouter } from '../features/auth/router.ts'
import { hasProved } from '../features/auth/session-life.ts'
import { bulkChangesRouter } from '../features/bulk-changes/router.ts'
import { collectionsRouter } from '../features/collections/router.ts'
import { connectionsRouter } from '../features/connections/router.ts'
import { consentRouter } from '../features/consent/router.ts'
import { contactsRouter } from '../features/contacts/router.ts'
import { dashboardRouter } from '../features/dashboard/router.ts'
import { documentsRouter } from '../features/documents/router.ts'
import { duplicatesRouter } from '../features/duplicates/router.ts'
import { emailTemplatesRouter } from '../features/email-templates/router.ts'
import { eventsRouter } from '../features/events/router.ts'
import { ignoresKeys, keyRefusals } from '../features/idempotency/rules.ts'
import { claimKey, hashPayload } from '../features/idempotency/service.ts'
import { importsRouter } from '../features/imports/router.ts'
import { inboxRouter } from '../features/inbox/router.ts'
import { interactionsRouter } from '../features/interactions/router.ts'
import { leadSourcesRouter } from '../features/lead-sources/router.ts'
import { leadsRouter } from '../features/leads/router.ts'
import { mailboxRouter } from '../features/mailbox/router.ts'
import { mergesRouter } from '../features/merges/router.ts'
import { pipelineRouter } from '../features/pipeline/router.ts'
import { portalRouter } from '../features/portal/router.ts'
import { posRouter } from '../features/pos/router.ts'
import { practiceRouter } from '../features/practice/router.ts'
import { proceduresRouter } from '../features/procedures/router.ts'
import { quickbooksRouter } from '../features/quickbooks/router.ts'
import { quotesRouter } from '../features/quotes/router.ts'
import { reportsRouter } from '../features/reports/router.ts'
import { retentionRouter } from '../features/retention/router.ts'
import { savedViewsRouter } from '../features/saved-views/router.ts'
import { notificationsRouter } from '../features/notifications/router.ts'
import { surgeriesRouter } from '../features/surgeries/router.ts'
import { tagsRouter } from '../features/tags/router.ts'
import { tasksRouter } from '../features/tasks/router.ts'
import { webhooksRouter } from '../features/webhooks/router.ts'
import { wholeRecordsRouter } from '../features/whole-records/router.ts'
import { applyPlainIssues, unknownField } from '../shared/plain-issues.ts'
import type { Context } from './context.ts'
import type { Scope } from './scope.ts'
import { describeError, isDatabaseAway } from './errors.ts'

applyPlainIssues()

const router = {
  auth: authRouter,
  account: accountRouter,
  people: peopleRouter,
  access: accessRouter,
  audit: auditRouter,
  events: eventsRouter,
  pipeline: pipelineRouter,
  leadSources: leadSourcesRouter,
  procedures: proceduresRouter,
  tags: tagsRouter,
  contacts: { ...contactsRouter, ...mergesRouter },
  apiKeys: apiKeysRouter,
  appointments: appointmentsRouter,
  appointmentLinks: appointmentLinksRouter,
  calendarFeeds: calendarFeedsRouter,
  bulkChanges: bulkChangesRouter,
  collections: collectionsRouter,
  connections: connectionsRouter,
  consent: consentRouter,
  dashboard: dashboardRouter,
  documents: documentsRouter,
  duplicates: duplicatesRouter,
  emailTemplates: emailTemplatesRouter,
  imports: importsRouter,
  inbox: inboxRouter,
  interactions: interactionsRouter,
  leads: leadsRouter,
  mailbox: mailboxRouter,
  reports: reportsRouter,
  savedViews: savedViewsRouter,
  surgeries: surgeriesRouter,
  tasks: tasksRouter,
  notifications: notificationsRouter,
  portal: portalRouter,
  pos: posRouter,
  practice: practiceRouter,
  quickbooks: quickbooksRouter,
  quotes: quotesRouter,
  retention: retentionRouter,
  webhooks: webhooksRouter,
  wholeRecords: wholeRecordsRouter,
}

type RecordDenial = (context: Context, route: string) => Promise<void>

/** The typed API. Every call passes here: who may is decided in one place, and so is what an error looks like from outside. */
export function createApi(recordDenial: RecordDenial) {
  return new OpenAPIHandler(router, {
    interceptors: [
      async (call) => {
        try {
          return await call.next()
        } finally {
          await Promise.all(call.context.views).catch((error: unknown) => {
            throw outwardError(error, call.context, 'audit')
          })
        }
      },
    ],
    clientInterceptors: [
      async (call) => {
        const { context } = call
        const route = call.path.join('.')
        await authorise(context, { route, method: call.procedure['~orpc'].route.method ?? 'POST' }, recordDenial)
        if (context.bodyProblem) throw invalidInput({ body: context.bodyProblem })
        const next = (given: Context) =>
          call.next({ ...call, context: given }).catch(async (error: unknown) => {
            if (error instanceof ORPCError && error.code === 'FORBIDDEN') await recordDenial(context, route)
            throw outwardError(error, context, route)
          })
        return callOnce(context, route as Route, call, next)
      },
    ],
  })
}

/** Carries a POST with an `Idempotency-Key` out once, and repeats its answer. */
async function callOnce(
  context: Context,
  route: Route,
  { procedure, input }: { procedure: AnyProcedure; input: unknown },
  next: (context: Context) => Promise<unknown>,
): Promise<unknown> {
  const { method = 'POST', successStatus = 200 } = procedure['~orpc'].route
  const key = method === 'POST' && !ignoresKeys.has(route) ? context.requestHeaders.get('idempotency-key') : null
  if (key === null) return next(context)
  const claim = await claimKey(context, { key, route, payloadHash: hashPayload(input) }).catch((error: unknown) => {
    throw outwardError(error, context, route)
  })
  if ('refusal' in claim) {
    if (claim.refusal === 'IDEMPOTENCY_KEY_IN_USE') context.responseHeaders.set('retry-after', '1')
    throw new ORPCError(claim.refusal, keyRefusals[claim.refusal])
  }
  if ('answer' in claim) {
    context.responseHeaders.set('idempotency-replayed', 'true')
    return claim.answer.body
  }
  try {
    const body = await next({ ...context, ...claim.scope })
    await claim.finish({ status: successStatus, body })
    return body
  } catch (error) {
    await claim.release(error instanceof ORPCError && (error.defined || error.status < 500)).catch(() => {}) // the lease frees it
    throw error
  }
}

/** Deny by default: a call that the matrix does not list is refused whoever asks. */
async function authorise(context: Context, call: Call, recordDenial: RecordDenial): Promise<void> {
  const { route } = call
  const access = Object.hasOwn(permissions, route) ? permissions[route as ApiRoute] : []
  const refusal = await refusalOf(context, call, access)
  if (!refusal) return
  if (refusal.code === 'FORBIDDEN') await recordDenial(context, route)
  throw new ORPCError(refusal.code, { status: refusal.status, message: refusal.message })
}

type Refusal = { status: 401 | 403; code: 'UNAUTHORIZED' | 'FORBIDDEN' | 'STEP_UP_REQUIRED'; message: string }
type Call = { route: string; method: string }

/** Why who acts may not use a route, as the answer says it; null when they may. */
export async function refusalOf(
  { actor, db }: Pick<Scope, 'actor' | 'db'>,
  { route, method }: Call,
  access: Access,
): Promise<Refusal | null> {
  if (actor?.apiKey && !mayByKey(actor.apiKey.scopes, route, method))
    return { status: 403, code: 'FORBIDDEN', message: forbiddenMessage(actor) }
  if (!mayUse(access, actor)) {
    if (!actor) return { status: 401, code: 'UNAUTHORIZED', message: 'Please sign in' }
    const message = actor.status === 'pending' ? 'Your account waits for an administrator' : forbiddenMessage(actor)
    return { status: 403, code: 'FORBIDDEN', message }
  }
  // A key has no page that could be left open: whoever made it has proved who they are.
  if (!actor || actor.apiKey || !needsProof.has(route as Route) || (await hasProved(db, actor.sessionId))) return null
  return { status: 403, code: 'STEP_UP_REQUIRED', message: 'Nothing was done. Please confirm first that it is you.' }
}

/** Says whether the role or the API key is what forbids it. */
const forbiddenMessage = (actor: Scope['actor']) => (actor?.apiKey ? 'This API key may not do this' : 'Your role may not do this')

const invalidInput = (fields: Record<string, string>) =>
  new ORPCError('INVALID_INPUT', { status: 422, message: 'Please check the marked fields', data: { fields } })

/** What may be said of an error: wrong fields by name, refusals as they are, anything else as a number to quote. */
function outwardError(error: unknown, { actor, origin, log }: Context, route: string): unknown {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    return invalidInput(fieldMessages(error.cause))
  }
  if (error instanceof ORPCError && error.code === 'FORBIDDEN' && !error.defined) {
    return new ORPCError('FORBIDDEN', { status: 403, message: forbiddenMessage(actor) })
  }
  // A refusal that the contract lists is expected whatever its status: that a vendor is away is 503.
  if (error instanceof ORPCError && (error.defined || error.status < 500)) return error
  if (isDatabaseAway(error))
    return new ORPCError('SERVICE_UNAVAILABLE', {
      status: 503,
      message: 'The database cannot be reached. Nothing was changed. Please try again in a moment.',
    })
  const broken =
    error instanceof ORPCError && error.cause instanceof ValidationError ? { paths: Object.keys(fieldMessages(error.cause)) } : {}
  const failed = Object.hasOwn(failureTexts, route) ? failureTexts[route as ApiRoute] : undefined
  log.error({ requestId: origin.requestId, route, ...broken, error: describeError(error) }, failed ?? 'A call failed')
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message: `${failed ?? 'Something went wrong'}. Please quote ${origin.requestId}.`,
    data: { requestId: origin.requestId },
  })
}

/** Of a body of thousands of wrong fields, so many are named. */
const maxNamed = 100

/** The first message of each wrong field, by its path; an unknown field is named itself. */
function fieldMessages(error: ValidationError): Record<string, string> {
  const fields = Object.create(null) as Record<string, string> // a field may be called 'constructor'
  let named = 0
  const name = (field: string, message: string) => {
    if (field in fields || named++ < maxNamed) fields[field] ??= message
  }
  for (const issue of error.issues) {
    if (named >= maxNamed) break
    const at = (issue.path ?? []).map((key) => String(typeof key === 'object' ? key.key : key))
    const unknown =
      (issue as { code?: string; keys?: string[] }).code === 'unrecognized_keys' ? ((issue as { keys?: string[] }).keys ?? []) : []
    if (unknown.includes('__proto__')) name('body', unknownField('__proto__')) // no answer can carry a field of that name
    if (unknown.length > 0) for (const key of unknown.slice(0, maxNamed)) name([...at, key].join('.'), unknownField(key))
    else name(at.join('.') || 'body', issue.message)
  }
  return fields
}
