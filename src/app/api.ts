import { type AnyProcedure, ORPCError } from '@orpc/server'
import { ValidationError } from '@orpc/contract'
import { type Access, mayUse, permissions, type Route, type ApiRoute } from '../kernel/access/policy.ts'
import { needsProof } from '../kernel/access/proof-policy.ts'
import { createCallHandler } from './call-handler.ts'
import type { CallName } from './contract.ts'
import { failureTexts } from './failure-rules.ts'
import { apiKeysRouter } from '../platform/api-keys/router.ts'
import { signingKeysRouter } from '../platform/seals/router.ts'
import { keyMayCall } from '../kernel/access/key-rules.ts'
import { availabilityRouter } from '../care/availability/router.ts'
import { appointmentsRouter } from '../care/appointments/router.ts'
import { textLinksRouter } from '../messages/inbox/links/router.ts'
import { cardTerminalRouter, payLinksRouter, savedCardsRouter } from '../billing/cards/router.ts'
import { prepaidRouter } from '../billing/prepaid/router.ts'
import { visitFeesRouter } from '../billing/visit-fees/router.ts'
import { disputesRouter } from '../billing/disputes/router.ts'
import { payoutsRouter } from '../billing/payouts/router.ts'
import { appointmentLinksRouter } from '../care/appointments/links/link-router.ts'
import { subscribedCalendarsRouter } from '../care/subscribed-calendars/router.ts'
import { waitingListRouter, waitingOffersRouter } from '../care/waiting-list/router.ts'
import { selfBookingRouter } from '../care/self-booking/router.ts'
import { calendarFeedsRouter } from '../care/calendar-feeds/router.ts'
import { accessRouter } from '../admin/roles/router.ts'
import { auditRouter } from '../admin/audit-log/router.ts'
import { accountRouter } from '../platform/auth/account-router.ts'
import { peopleRouter } from '../platform/auth/people-router.ts'
import { authRouter } from '../platform/auth/router.ts'
import { hasRecentProof } from '../platform/auth/sessions/session-expiry.ts'
import { backupsRouter } from '../admin/backups/router.ts'
import { bulkChangesRouter } from '../crm/bulk-changes/router.ts'
import { collectionsRouter } from '../billing/collections/router.ts'
import { connectionsRouter } from '../admin/connections/router.ts'
import { consentRouter } from '../crm/consent/router.ts'
import { contactsRouter } from '../crm/contacts/router.ts'
import { devicesRouter } from '../care/devices/router.ts'
import { dashboardRouter } from '../insight/dashboard/router.ts'
import { documentsRouter } from '../documents/router.ts'
import { duplicatesRouter } from '../crm/duplicates/router.ts'
import { healthCardsRouter } from '../crm/health-cards/router.ts'
import { photosRouter } from '../chart/photos/router.ts'
import { consultGalleryRouter, galleryRouter, photoUsesRouter, sharedPhotosRouter } from '../chart/photo-uses/router.ts'
import { portraitsRouter } from '../chart/portraits/router.ts'
import { notesRouter } from '../chart/notes/router.ts'
import { emailTemplatesRouter } from '../messages/email-templates/router.ts'
import { eventsRouter } from '../platform/events/router.ts'
import { ignoresKeys, keyRefusals } from '../platform/idempotency/rules.ts'
import { claimKey, hashPayload } from '../platform/idempotency/service.ts'
import { healthRouter } from '../chart/health/router.ts'
import { implantsRouter } from '../care/implants/router.ts'
import { importsRouter } from '../admin/imports/router.ts'
import { campaignsRouter } from '../outreach/campaigns/router.ts'
import { inboxRouter } from '../messages/inbox/router.ts'
import { interactionsRouter } from '../crm/interactions/router.ts'
import { leadSourcesRouter } from '../crm/lead-sources/router.ts'
import { leadsRouter } from '../crm/leads/router.ts'
import { consentFormsRouter } from '../chart/consent-forms/router.ts'
import { formsRouter } from '../chart/forms/router.ts'
import { mailboxRouter } from '../messages/mailbox/router.ts'
import { signaturesRouter } from '../messages/signatures/router.ts'
import { mergesRouter } from '../admin/merges/router.ts'
import { pipelineRouter } from '../crm/pipeline/router.ts'
import { portalRouter } from '../portal/router.ts'
import { tabletRouter } from '../portal/tablet/router.ts'
import { posRouter } from '../billing/pos/router.ts'
import { practiceRouter } from '../admin/practice-settings/router.ts'
import { priceListsRouter } from '../billing/price-lists/router.ts'
import { proceduresRouter } from '../crm/procedures/router.ts'
import { quickbooksRouter } from '../billing/quickbooks/router.ts'
import { quotesRouter } from '../billing/quotes/router.ts'
import { sequencesRouter } from '../outreach/sequences/router.ts'
import { recallsRouter } from '../care/recalls/router.ts'
import { reportsRouter } from '../insight/reports/router.ts'
import { retentionRouter } from '../admin/retention/router.ts'
import { savedViewsRouter } from '../crm/saved-views/router.ts'
import { notificationsRouter } from '../crm/notifications/router.ts'
import { systemRouter } from '../admin/system/router.ts'
import { adverseEventsRouter } from '../care/adverse-events/router.ts'
import { checkInsRouter } from '../care/check-ins/router.ts'
import { surgeriesRouter } from '../care/surgeries/router.ts'
import { safetyRouter } from '../care/surgeries/safety/router.ts'
import { referralsRouter } from '../crm/referrals/router.ts'
import { tagsRouter } from '../crm/tags/router.ts'
import { tasksRouter } from '../crm/tasks/router.ts'
import { webhooksRouter } from '../platform/webhooks/router.ts'
import { wholeRecordsRouter } from '../admin/patient-export/router.ts'
import { applyPlainIssues, unknownField } from '../shared/validation-messages.ts'
import type { Context } from '../platform/context.ts'
import type { Scope } from '../kernel/scope.ts'
import { describeError, isDiskFull } from '../kernel/errors.ts'
import { outageOf } from '../kernel/outage.ts'

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
  procedures: { ...proceduresRouter, ...priceListsRouter },
  campaigns: campaignsRouter,
  referrals: referralsRouter,
  tags: tagsRouter,
  contacts: { ...contactsRouter, ...mergesRouter },
  apiKeys: apiKeysRouter,
  signingKeys: signingKeysRouter,
  appointments: appointmentsRouter,
  availability: availabilityRouter,
  payLinks: payLinksRouter,
  cardTerminal: cardTerminalRouter,
  savedCards: savedCardsRouter,
  prepaid: prepaidRouter,
  visitFees: visitFeesRouter,
  payouts: payoutsRouter,
  disputes: disputesRouter,
  appointmentLinks: appointmentLinksRouter,
  selfBooking: selfBookingRouter,
  waitingList: waitingListRouter,
  subscribedCalendars: subscribedCalendarsRouter,
  waitingOffers: waitingOffersRouter,
  textLinks: textLinksRouter,
  calendarFeeds: calendarFeedsRouter,
  backups: backupsRouter,
  bulkChanges: bulkChangesRouter,
  collections: collectionsRouter,
  connections: connectionsRouter,
  consent: consentRouter,
  dashboard: dashboardRouter,
  devices: devicesRouter,
  documents: documentsRouter,
  duplicates: duplicatesRouter,
  emailTemplates: emailTemplatesRouter,
  healthCards: healthCardsRouter,
  photos: photosRouter,
  photoUses: photoUsesRouter,
  consultGallery: consultGalleryRouter,
  gallery: galleryRouter,
  sharedPhotos: sharedPhotosRouter,
  portraits: portraitsRouter,
  health: healthRouter,
  implants: implantsRouter,
  imports: importsRouter,
  inbox: inboxRouter,
  interactions: interactionsRouter,
  leads: leadsRouter,
  forms: formsRouter,
  consentForms: consentFormsRouter,
  mailbox: mailboxRouter,
  signatures: signaturesRouter,
  notes: notesRouter,
  recalls: recallsRouter,
  sequences: sequencesRouter,
  reports: reportsRouter,
  savedViews: savedViewsRouter,
  surgeries: surgeriesRouter,
  safetyChecklists: safetyRouter,
  adverseEvents: adverseEventsRouter,
  checkIns: checkInsRouter,
  system: systemRouter,
  tasks: tasksRouter,
  notifications: notificationsRouter,
  portal: portalRouter,
  tablet: tabletRouter,
  pos: posRouter,
  practice: practiceRouter,
  quickbooks: quickbooksRouter,
  quotes: quotesRouter,
  retention: retentionRouter,
  webhooks: webhooksRouter,
  wholeRecords: wholeRecordsRouter,
}

type RecordDenial = (context: Context, route: string) => Promise<void>

/** The typed API. Every call passes through here: this is the one place for permissions and for the form of error responses. */
export function createApi(recordDenial: RecordDenial) {
  return createCallHandler(router, {
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
        context.route = route
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

/** Runs a POST with an `Idempotency-Key` once, and replays its response. */
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

/** Deny by default: a call that the matrix does not list is refused for everyone. */
async function authorise(context: Context, call: Call, recordDenial: RecordDenial): Promise<void> {
  const { route } = call
  const access = Object.hasOwn(permissions, route) ? permissions[route as CallName] : []
  const refusal = await refusalOf(context, call, access)
  if (!refusal) return
  if (refusal.code === 'FORBIDDEN') await recordDenial(context, route)
  throw new ORPCError(refusal.code, { status: refusal.status, message: refusal.message })
}

type Refusal = { status: 401 | 403; code: 'UNAUTHORIZED' | 'FORBIDDEN' | 'STEP_UP_REQUIRED'; message: string }
type Call = { route: string; method: string }

/** The reason why the actor may not use a route, for the response; null when allowed. */
export async function refusalOf(
  { actor, db }: Pick<Scope, 'actor' | 'db'>,
  { route, method }: Call,
  access: Access,
): Promise<Refusal | null> {
  if (actor?.apiKey && !keyMayCall(actor.apiKey.scopes, route, method))
    return { status: 403, code: 'FORBIDDEN', message: forbiddenMessage(actor) }
  if (!mayUse(access, actor)) {
    if (!actor) return { status: 401, code: 'UNAUTHORIZED', message: 'Please sign in' }
    const message = actor.status === 'pending' ? 'Your account is waiting for an administrator’s approval' : forbiddenMessage(actor)
    return { status: 403, code: 'FORBIDDEN', message }
  }
  // An API key has no page that could be left open: the person who created it has already proven their identity.
  if (!actor || actor.apiKey || !needsProof.has(route as Route) || (await hasRecentProof(db, actor.sessionId))) return null
  return { status: 403, code: 'STEP_UP_REQUIRED', message: 'Nothing was done. Please confirm your identity first.' }
}

/** Says whether the role or the API key forbids it. */
const forbiddenMessage = (actor: Scope['actor']) => (actor?.apiKey ? 'This API key may not do this' : 'Your role may not do this')

const invalidInput = (fields: Record<string, string>) =>
  new ORPCError('INVALID_INPUT', { status: 422, message: 'Please check the marked fields', data: { fields } })

/** What may be disclosed of an error: field errors by name, refusals as they are, anything else only as a reference number. */
function outwardError(error: unknown, { actor, origin, log, env }: Context, route: string): unknown {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) {
    return invalidInput(fieldMessages(error.cause))
  }
  if (error instanceof ORPCError && error.code === 'FORBIDDEN' && !error.defined) {
    return new ORPCError('FORBIDDEN', { status: 403, message: forbiddenMessage(actor) })
  }
  // A refusal that the contract lists is expected whatever its status: an unavailable vendor is 503.
  if (error instanceof ORPCError && (error.defined || error.status < 500)) return error
  const outage = outageOf(error, env)
  if (isDiskFull(error)) log.error({ requestId: origin.requestId, route, error: describeError(error) }, 'A disk is full')
  if (outage) return new ORPCError(outage.code, { status: 503, message: outage.message })
  const broken =
    error instanceof ORPCError && error.cause instanceof ValidationError ? { paths: Object.keys(fieldMessages(error.cause)) } : {}
  const failed = Object.hasOwn(failureTexts, route) ? failureTexts[route as ApiRoute] : undefined
  log.error({ requestId: origin.requestId, route, ...broken, error: describeError(error) }, failed ?? 'A call failed')
  return new ORPCError('INTERNAL_SERVER_ERROR', {
    message: `${failed ?? 'Something went wrong'}. Please quote ${origin.requestId}.`,
    data: { requestId: origin.requestId },
  })
}

/** The maximum number of wrong fields that are named. */
const maxNamed = 100

/** The first message of each wrong field, by its path; an unknown field is reported by its own name. */
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
