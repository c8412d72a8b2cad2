import type { Context as HonoContext, Hono, MiddlewareHandler } from 'hono'
import type { rawRoutes } from '../kernel/access/policy.ts'
import { readAges } from '../admin/backups/service.ts'
import { auditExport } from '../admin/audit-log/export.ts'
import { appointmentsExport } from '../care/appointments/export.ts'
import { calendarResponse } from '../care/appointments/links/calendar-response.ts'
import { feedResponse } from '../care/calendar-feeds/response.ts'
import { outstandingExport } from '../billing/collections/export.ts'
import { stripeHook } from '../billing/cards/hooks.ts'
import { payoutsExport } from '../billing/payouts/export.ts'
import { statementResponse } from '../billing/collections/statement.ts'
import { contactsExport } from '../crm/contacts/list/export.ts'
import { createLeadIntake } from '../crm/leads/intake.ts'
import { receiptsExport } from '../billing/pos/receipts/receipt-export.ts'
import { receiptPdfResponse } from '../billing/pos/receipts/receipt-pdf.ts'
import { tableResponse as reportResponse } from '../insight/reports/export.ts'
import { surgeriesExport } from '../care/surgeries/export.ts'
import { tasksExport } from '../crm/tasks/export.ts'
import {
  consultImageResponse,
  originalResponse,
  photosZipResponse,
  sharedImageResponse,
  websiteImageResponse,
  withdrawalReportResponse,
} from '../chart/photo-uses/service.ts'
import { imageResponse, photosPdfResponse, uploadResponse as uploadPhotoResponse } from '../chart/photos/service.ts'
import { fileResponse, previewResponse, uploadResponse } from '../documents/response.ts'
import { frameResponse } from '../messages/email-templates/frame.ts'
import { clickResponse } from '../outreach/clicks.ts'
import { previewResponse as campaignPreviewResponse, refusedExport } from '../outreach/campaigns/service.ts'
import { attachmentResponse, mailResponse } from '../messages/inbox/response.ts'
import { pictureResponse, pictureUploadResponse } from '../messages/inbox/pictures.ts'
import { conversationsExport } from '../messages/inbox/export.ts'
import { createTwilioHooks } from '../messages/inbox/sms/hooks.ts'
import { createPostmarkHooks } from '../messages/inbox/receive/hook.ts'
import * as mailboxFiles from '../messages/mailbox/response.ts'
import { createNylasHook } from '../messages/mailbox/hook.ts'
import { errorsResponse, templateResponse } from '../admin/imports/reading/download.ts'
import { filesResponse as importFilesResponse } from '../admin/imports/files.ts'
import { uploadResponse as importResponse } from '../admin/imports/reading/upload.ts'
import {
  linkResponse,
  ownConsentResponse,
  ownPhotoResponse,
  ownQuoteResponse,
  ownCardResponse,
  ownReceiptResponse,
} from '../portal/response.ts'
import { patientUploadResponse } from '../portal/upload.ts'
import { verificationResponse } from '../platform/seals/service.ts'
import { logoResponse, logoUploadResponse } from '../admin/practice-settings/logo.ts'
import { quotePdfResponse } from '../billing/quotes/pdf.ts'
import { eventReportResponse } from '../care/adverse-events/report.ts'
import { consentFileResponse } from '../chart/consent-forms/service.ts'
import { letterResponse, recallExport } from '../care/recalls/service.ts'
import { cardResponse } from '../care/implants/service.ts'
import { notePdfResponse } from '../chart/notes/pdf.ts'
import { wholeRecordResponse } from '../admin/patient-export/response.ts'
import { apiJson } from './api-document/document.ts'
import { apiReader } from './api-document/reader.ts'
import { securityText } from './security-text.ts'
import type { Scope } from '../kernel/scope.ts'
import { type Language, toLanguage } from '../shared/translations.ts'
import { createListExport, type ListExport } from '../platform/list-export.ts'
import { atMost, limitBody } from '../kernel/http/body-limit.ts'
import type { App, RequestContext, Runtime } from './request-context.ts'
import { extendTime, patientFileTime, staffFileTime } from '../kernel/http/request-time.ts'
import { foreignOrigin, getOnly, isForeignWrite } from '../kernel/http/requests.ts'

/** The routes that are not typed calls, because they transfer a file or serve another program. Each must be in the permission matrix. */
export function addRawRoutes(app: Hono<App>, { scopeFor, forStaff }: RequestContext, runtime: Runtime): void {
  const { env } = runtime
  const takeLead = createLeadIntake(runtime.db, runtime.events)

  app.get('/health/live', raw('health.live'), (c) => c.json({ live: true }))
  app.get('/health/ready', raw('health.ready'), async (c) => {
    const ready = await runtime.isReady()
    const backups = ready && env.BACKUP_TO ? { backups: await readAges(runtime.db, runtime.now()) } : {}
    return c.json({ ready, ...backups }, ready ? 200 : 503)
  })

  const { respondToScrape } = runtime
  if (respondToScrape) app.get('/metrics', raw('metrics.read'), (c) => respondToScrape(c.req.raw))

  app.get('/.well-known/security.txt', raw('web.securityContact'), (c) => {
    const text = securityText(env, runtime.now())
    return text === null ? c.json(noSecurityContact, 404) : c.text(text)
  })

  app.options('/api/leads/:key', raw('leads.intake'), () => new Response(null, { status: 204, headers: corsForForms }))
  app.post('/api/leads/:key', raw('leads.intake'), (c) => takeLead(scopeFor(c.var, null), c.req.param('key'), c.req.raw))

  app.get('/api/openapi.json', raw('api.document'), async (c) =>
    c.body(await apiJson(env.APP_URL), 200, { 'content-type': 'application/json' }),
  )
  app.get('/api/docs', raw('api.reader'), async (c) => c.html(await apiReader(env.APP_URL)))

  /** A list as a file, at a path that ends in .csv or .xlsx. */
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
  offerExport('payouts.export', '/api/payouts', payoutsExport)
  offerExport('collections.export', '/api/collections/outstanding', outstandingExport)
  offerExport('tasks.export', '/api/tasks', tasksExport)
  offerExport('appointments.export', '/api/appointments', appointmentsExport)
  offerExport('surgeries.export', '/api/surgeries', surgeriesExport)
  offerExport('recalls.export', '/api/recalls', recallExport)
  offerExport('campaigns.refused', '/api/campaigns/refused', refusedExport)
  offerExport('inbox.export', '/api/conversations', conversationsExport)
  offerExport('audit.export', '/api/audit', auditExport)
  app.post(
    '/api/imports',
    forStaff('imports.upload', (scope, c) => importResponse(scope, fileIn(c))),
  )
  app.get(
    '/api/imports/:id/errors.csv',
    forStaff('imports.errors', (scope, c) => errorsResponse(scope, c.req.param('id') ?? '')),
  )
  app.post(
    '/api/imports/:id/files',
    forStaff('imports.sendFile', (scope, c) => importFilesResponse(scope, c.req.param('id') ?? '', fileIn(c))),
  )
  app.get(
    '/api/import-templates/:file{[a-z]+\\.(?:csv|xlsx)}',
    forStaff('imports.template', (_scope, c) => Promise.resolve(templateResponse(c.req.raw))),
  )

  app.get(
    '/api/pos/receipts/:file{[^/]+\\.pdf}',
    forStaff(
      'pos.pdf',
      inLanguage((scope, c, language) => receiptPdfResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''), language)),
    ),
  )
  app.get(
    '/api/contacts/:id/statement.pdf',
    forStaff(
      'collections.statement',
      inLanguage((scope, c, language) => statementResponse(scope, c.req.param('id') ?? '', language)),
    ),
  )

  app.get(
    '/api/contacts/:id/implant-card.pdf',
    forStaff(
      'implants.card',
      inLanguage((scope, c, language) => cardResponse(scope, c.req.param('id') ?? '', language)),
    ),
  )

  app.get(
    '/api/contacts/:id/whole-record.zip',
    forStaff('wholeRecords.file', (scope, c) => wholeRecordResponse(scope, c.req.param('id') ?? '')),
  )

  app.get(
    '/api/quotes/:file{[^/]+\\.pdf}',
    forStaff(
      'quotes.pdf',
      inLanguage((scope, c, language) => quotePdfResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''), language)),
    ),
  )
  app.get(
    '/api/recall-letters/:file{[^/]+\\.pdf}',
    forStaff('recalls.letter', (scope, c) => letterResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/notes/:file{[^/]+\\.pdf}',
    forStaff('notes.pdf', (scope, c) => notePdfResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/adverse-events/:file{[^/]+\\.pdf}',
    forStaff('adverseEvents.report', (scope, c) => eventReportResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/consent-files/:file{[^/]+\\.pdf}',
    forStaff('consentForms.file', (scope, c) => consentFileResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/:file{reports\\.(?:csv|xlsx)}',
    forStaff('reports.export', (scope, c) => reportResponse(scope, c.req.raw)),
  )

  const hooks = createPostmarkHooks(env)
  app.post('/api/hooks/postmark/inbound', raw('hooks.inbound'), (c) => hooks.inbound(scopeFor(c.var, null), c.req.raw))
  app.post('/api/hooks/postmark/events', raw('hooks.events'), (c) => hooks.events(scopeFor(c.var, null), c.req.raw))
  const texts = createTwilioHooks(env)
  app.post('/api/hooks/twilio/inbound', raw('hooks.twilio'), (c) => texts.inbound(scopeFor(c.var, null), c.req.raw))
  app.post('/api/hooks/twilio/call', raw('hooks.twilio'), (c) => texts.call(scopeFor(c.var, null), c.req.raw))
  app.post('/api/hooks/twilio/status', raw('hooks.twilio'), (c) => texts.status(scopeFor(c.var, null), c.req.raw))
  app.get(
    '/api/inbox/attachments/:id/file',
    forStaff('inbox.attachment', (scope, c) => attachmentResponse(scope, c.req.param('id') ?? '')),
  )
  app.get(
    '/api/inbox/messages/:id/mail',
    forStaff('inbox.mail', (scope, c) => mailResponse(scope, c.req.param('id') ?? '', c.req.query('pictures') === 'shown')),
  )

  app.post(
    '/api/inbox/pictures',
    forStaff('inbox.uploadPicture', (scope, c) => pictureUploadResponse(scope, fileIn(c))),
  )
  app.get(
    '/api/inbox/pictures/:id',
    forStaff('inbox.picture', (scope, c) => pictureResponse(scope, c.req.param('id') ?? '')),
  )

  app.post('/api/hooks/stripe', raw('hooks.stripe'), (c) => stripeHook(scopeFor(c.var, null), c.req.raw))

  const nylas = createNylasHook(env)
  app.get('/api/hooks/nylas', raw('hooks.nylas'), (c) => nylas.challenge(scopeFor(c.var, null), c.req.raw))
  app.post('/api/hooks/nylas', raw('hooks.nylas'), (c) => nylas.notified(scopeFor(c.var, null), c.req.raw))
  app.get(
    '/api/mailbox/messages/:id/mail',
    forStaff('mailbox.mail', (scope, c) => mailboxFiles.mailResponse(scope, c.req.param('id') ?? '', c.req.query('pictures') === 'shown')),
  )
  app.get(
    '/api/mailbox/messages/:id/attachments/:attachmentId',
    forStaff('mailbox.attachment', (scope, c) =>
      mailboxFiles.attachmentResponse(scope, c.req.param('id') ?? '', c.req.param('attachmentId') ?? ''),
    ),
  )
  app.post(
    '/api/mailbox/drafts/:id/files',
    forStaff('mailbox.upload', (scope, c) => mailboxFiles.uploadResponse(scope, c.req.param('id') ?? '', fileIn(c))),
  )

  app.use('/api/email-templates/preview.html', atMost(1024))
  app.post(
    '/api/email-templates/preview.html',
    forStaff('emailTemplates.frame', (scope, c) => frameResponse(scope, c.req.raw)),
  )

  app.get(
    '/api/campaigns/:id/preview.html',
    forStaff('campaigns.frame', (scope, c) => campaignPreviewResponse(scope, c.req.param('id') ?? '', c.req.raw)),
  )
  app.get('/c/:token/:link', raw('campaigns.click'), (c) =>
    clickResponse(scopeFor(c.var, null), c.req.param('token'), c.req.param('link'), c.req.raw.method),
  )

  app.post(
    '/api/photo-series/:id/photos',
    forStaff('photos.upload', (scope, c) => uploadPhotoResponse(scope, c.req.param('id') ?? '', fileIn(c))),
  )
  app.get(
    '/api/photos.pdf',
    forStaff('photos.pdf', (scope, c) => photosPdfResponse(scope, c.req.raw)),
  )
  app.get(
    '/api/photos/:id/original',
    forStaff('photoUses.original', (scope, c) => originalResponse(scope, c.req.param('id') ?? '', c.req.raw)),
  )
  app.get(
    '/api/photos/:id/:kind',
    forStaff('photos.image', (scope, c) => imageResponse(scope, c.req.param('id') ?? '', c.req.param('kind') ?? '')),
  )
  app.use('/api/contacts/:id/photos.zip', limitBody)
  app.post(
    '/api/contacts/:id/photos.zip',
    forStaff('photoUses.download', (scope, c) => photosZipResponse(scope, c.req.param('id') ?? '', c.req.raw)),
  )
  app.get(
    '/api/photo-consents/:file{[^/]+\\.pdf}',
    forStaff('photoUses.report', (scope, c) => withdrawalReportResponse(scope, (c.req.param('file') ?? '').replace(/\.pdf$/, ''))),
  )
  app.get(
    '/api/consult-gallery/:file{[^/]+\\.jpg}',
    forStaff('consultGallery.image', (scope, c) => consultImageResponse(scope, (c.req.param('file') ?? '').replace(/\.jpg$/, ''))),
  )
  app.get('/api/gallery/:file{[^/]+\\.jpg}', raw('gallery.image'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return websiteImageResponse(scopeFor(c.var, null), c.req.param('file').replace(/\.jpg$/, ''))
  })
  app.get('/api/shared-photos/:token/:file{[^/]+\\.jpg}', raw('sharedPhotos.image'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return sharedImageResponse(scopeFor(c.var, null), c.req.param('token'), c.req.param('file').replace(/\.jpg$/, ''))
  })

  app.post(
    '/api/contacts/:id/documents',
    forStaff('documents.upload', (scope, c) => uploadResponse(scope, c.req.param('id') ?? '', fileIn(c))),
  )
  app.get(
    '/api/documents/:id/file',
    forStaff('documents.file', (scope, c) => fileResponse(scope, c.req.param('id') ?? '')),
  )
  app.get(
    '/api/documents/:id/preview',
    forStaff('documents.preview', (scope, c) => previewResponse(scope, c.req.param('id') ?? '')),
  )

  app.get('/api/practice/logo/:file{[^/]+\\.png}', raw('practice.logo'), (c) =>
    logoResponse(scopeFor(c.var, null), c.req.param('file').replace(/\.png$/, '')),
  )
  app.post(
    '/api/practice/logo',
    forStaff('practice.uploadLogo', (scope, c) => logoUploadResponse(scope, c.req.raw)),
  )

  app.post('/api/functions/patient-document-upload', raw('portal.upload'), async (c) => {
    if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
    return patientUploadResponse(scopeFor(c.var, null), c.get('attempts'), c.req.raw, () => extendTime(c.env.incoming, patientFileTime))
  })
  app.get('/api/functions/patient-document-file/:id', raw('portal.file'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return linkResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  app.get('/api/functions/patient-quote-file/:id', raw('portal.quote'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return ownQuoteResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  app.get('/api/functions/patient-receipt-file/:id', raw('portal.receipt'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return ownReceiptResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  app.get('/api/functions/patient-implant-card/:id', raw('portal.implantCard'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return ownCardResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  app.get('/api/functions/patient-photo-file/:id', raw('portal.photo'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return ownPhotoResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })
  app.get('/api/functions/patient-consent-file/:id', raw('portal.consent'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return ownConsentResponse(scopeFor(c.var, null), c.req.param('id'), c.req.raw)
  })

  app.post('/api/verify', raw('seals.verify'), async (c) => {
    if (isForeignWrite(c.req.raw, env.APP_URL)) return c.json(foreignOrigin, 403)
    return verificationResponse(scopeFor(c.var, null), c.req.raw)
  })

  app.get('/api/appointment-links/:token/appointment.ics', raw('appointmentLinks.calendar'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return calendarResponse(scopeFor(c.var, null), c.get('attempts'), c.req.param('token'))
  })
  app.get('/api/calendar/:file', raw('calendarFeeds.feed'), async (c) => {
    if (c.req.raw.method === 'HEAD') return c.json(getOnly, 405, { allow: 'GET' })
    return feedResponse(scopeFor(c.var, null), c.get('attempts'), c.req.param('file'), c.req.raw)
  })
}

/** A request with a file as its body: it may take long, as long as data keeps arriving (UPLOAD_STALL_SECONDS). */
function fileIn({ env, req }: HonoContext<App>): Request {
  extendTime(env.incoming, staffFileTime)
  return req.raw
}

/** Answers with a PDF in the language that is asked for; null: the patient's. */
const inLanguage =
  (answer: (scope: Scope, c: HonoContext<App>, language: Language | null) => Promise<Response>) =>
  async (scope: Scope, c: HonoContext<App>) => {
    const asked = c.req.query('language')
    const language = toLanguage(asked)
    if (asked !== undefined && !language) return c.json({ code: 'INVALID_INPUT', message: 'The language is en or fr' }, 422)
    return answer(scope, c, language)
  }

/** Names a raw route, which has to be in the permission matrix: otherwise this does not compile. */
export const raw =
  (route: keyof typeof rawRoutes): MiddlewareHandler<App> =>
  (c, next) => {
    c.set('route', route)
    return next()
  }

const noSecurityContact = { code: 'NOT_FOUND', message: 'This installation has not named a contact for security reports' }

const corsForForms = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, idempotency-key',
  'access-control-max-age': '86400',
}
