import { OpenAPIHandler } from '@orpc/openapi/fetch'
import { ORPCError } from '@orpc/server'
import { ValidationError } from '@orpc/contract'
import { type Access, mayUse, needsProof, permissions, type Route } from '../features/access/policy.ts'
import type { ApiRoute } from '../features/api/contract.ts'
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
import type { Context } from './context.ts'
import type { Scope } from './scope.ts'
import { describeError, isDatabaseAway } from './errors.ts'

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
        if (context.bodyIsNoObject) throw invalidInput({ body: 'Send a JSON object' })
        return call.next().catch(async (error: unknown) => {
          if (error instanceof ORPCError && error.code === 'FORBIDDEN') await recordDenial(context, route)
          throw outwardError(error, context, route)
        })
      },
    ],
  })
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
    return { status: 403, code: 'FORBIDDEN', message: 'This API key may not do this' }
  if (!mayUse(access, actor)) {
    if (!actor) return { status: 401, code: 'UNAUTHORIZED', message: 'Please sign in' }
    const message = actor.status === 'pending' ? 'Your account waits for an administrator' : 'Your role may not do this'
    return { status: 403, code: 'FORBIDDEN', message }
  }
  // A key has no page that could be left open: whoever made it has proved who they are.
  if (!actor || actor.apiKey || !needsProof.has(route as Route) || (await hasProved(db, actor.sessionId))) return null
  return { status: 403, code: 'STEP_UP_REQUIRED', message: 'Nothing was done. Please confirm first that it is you.' }
}

const invalidInput = (fields: Record<string, string>) =>
  new ORPCError('INVALID_INPUT', { status: 422, message: 'Please check the marked fields', data: { fields } })

/** What may be said of an error: wrong fields by name, refusals as they are, anything else as a number to quote. */
function outwardError(error: unknown, { origin, log }: Context, route: string): unknown {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    return invalidInput(fieldMessages(error.cause))
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
  log.error({ requestId: origin.requestId, route, ...broken, error: describeError(error) }, 'A call failed')
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message: `Something went wrong. Please quote ${origin.requestId}.`,
    data: { requestId: origin.requestId },
  })
}

/** Zod's own words for what is not there, where a shape has no words for it. */
const isMissing = (message: string): boolean => /^Invalid input: .*received undefined$/.test(message)

/** The first message of each wrong field, by its path; an unknown field is named itself. */
function fieldMessages(error: ValidationError): Record<string, string> {
  const fields = Object.create(null) as Record<string, string> // a field may be called 'constructor'
  for (const issue of error.issues) {
    const at = (issue.path ?? []).map((key) => String(typeof key === 'object' ? key.key : key))
    const unknown =
      (issue as { code?: string; keys?: string[] }).code === 'unrecognized_keys' ? ((issue as { keys?: string[] }).keys ?? []) : []
    if (unknown.includes('__proto__')) fields.body ??= 'The field __proto__ is not known' // no answer can carry a field of that name
    if (unknown.length > 0) for (const key of unknown) fields[[...at, key].join('.')] ??= 'This field is not known'
    else fields[at.join('.') || 'body'] ??= isMissing(issue.message) ? 'This is required' : issue.message
  }
  return fields
}
