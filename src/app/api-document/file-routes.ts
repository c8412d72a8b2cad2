import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { AnySchema } from '@orpc/contract'
import { auditExport } from '../../admin/audit-log/export.ts'
import { importKinds } from '../../admin/imports/kind-rules.ts'
import { rawRouteLabels } from '../../admin/roles/service.ts'
import { payoutsExport } from '../../billing/payouts/export.ts'
import { outstandingExport } from '../../billing/collections/export.ts'
import { receiptsExport } from '../../billing/pos/receipts/receipt-export.ts'
import { appointmentsExport } from '../../care/appointments/export.ts'
import { surgeriesExport } from '../../care/surgeries/export.ts'
import { recallExport } from '../../care/recalls/service.ts'
import { contactsExport } from '../../crm/contacts/list/export.ts'
import { tasksExport } from '../../crm/tasks/export.ts'
import { fileRefusals } from '../../documents/contract.ts'
import { documentTypes } from '../../documents/rules.ts'
import { photoMessages } from '../../chart/photos/contract.ts'
import { linkMessages } from '../../care/appointments/link-rules.ts'
import { noConsentMessage, photoDownload, photoUseMessages } from '../../chart/photo-uses/contract.ts'
import { downloadPurposes, gapTexts } from '../../chart/photo-uses/rules.ts'
import { photoKinds, viewNames } from '../../chart/photos/rules.ts'
import { ask } from '../../insight/reports/request-contract.ts'
import type { rawRoutes } from '../../kernel/access/policy.ts'
import { refusedExport } from '../../outreach/campaigns/service.ts'
import { conversationsExport } from '../../messages/inbox/export.ts'
import { keyRefusals } from '../../platform/idempotency/rules.ts'
import { verificationRefusals } from '../../platform/seals/rules.ts'
import { type Failure, failures } from './failures.ts'
import type { Body, Parameter, Responses, Schema } from './types.ts'

/** A route that transfers a file (raw-routes.ts), as the document describes it. */
export type FileRoute = {
  route: keyof typeof rawRoutes
  method: 'get' | 'post'
  path: string
  tag: string
  summary: string
  /** Another than that of the route, for a second operation of it. */
  operationId?: string
  parameters: Parameter[]
  body?: Body
  responses: Responses
  failures: Failure[]
}

const converter = new ZodToJsonSchemaConverter()
const text = (more: Schema = {}): Schema => ({ type: 'string', ...more })
const inPath = (name: string, description: string, schema: Schema = text({ format: 'uuid' })): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
})
const inQuery = (name: string, description: string, schema: Schema, required = false): Parameter => ({
  name,
  in: 'query',
  required,
  description,
  schema,
})
const format = inPath('format', 'The type of the file', text({ enum: ['csv', 'xlsx'] }))

/** The filters of a list, as its query. */
function filtersOf(schema: AnySchema): Parameter[] {
  const [, json] = converter.convert(schema, { strategy: 'input' })
  const { properties = {}, required = [] } = json as Schema
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = field
    return {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      ...(description ? { description } : {}),
      schema: rest,
    }
  })
}

const bytes: Schema = { type: 'string', format: 'binary' }
const file = (description: string, ...types: string[]): Responses => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, { schema: bytes }])) },
})
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const table = file('The table, sent while it is read', 'text/csv', xlsx)
const pdf = file('The PDF', 'application/pdf')
const html = file('The document of a frame without privileges', 'text/html')
const anyFile = file('The bytes, as a download', 'application/octet-stream')
const created = (properties: Record<string, Schema>): Responses => ({
  201: {
    description: 'Stored',
    content: { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } },
  },
})
const uuid = text({ format: 'uuid' })
const fileBody: Body = {
  required: true,
  description: 'The bytes of the file. Its type is detected from them.',
  content: { 'application/octet-stream': { schema: bytes } },
}
const fileFailures: Failure[] = Object.entries(fileRefusals).map(([code, refusal]) => ({ code, ...refusal }))
const notFound = (what: string): Failure => ({ status: 404, code: 'NOT_FOUND', message: `This ${what} does not exist` })
const invalid = failures.invalidInput
const busy: Failure = { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Other exports are running. Please try again in a minute.' }
const fileName = inQuery('name', 'The name of the file', text({ examples: ['consent.pdf'] }), true)

/** Every route that is not a typed call and that other programs or pages may use. Hooks are not among them: their vendors define what they send. */
export function fileRoutes(): FileRoute[] {
  const staff = (route: FileRoute['route'], more: Omit<FileRoute, 'route' | 'tag' | 'summary'>): FileRoute => {
    const label = rawRouteLabels[route]
    if (!label) throw new Error(`${route} has no label`)
    return { route, tag: label.part, summary: label.action, ...more }
  }
  const download = (
    route: FileRoute['route'],
    path: string,
    what: string,
    responses: Responses,
    parameters: FileRoute['parameters'] = [],
  ): FileRoute =>
    staff(route, {
      method: 'get',
      path,
      parameters: [inPath('id', `The id of the ${what}`), ...parameters],
      responses,
      failures: parameters.includes(pdfLanguage) ? [notFound(what), unknownLanguage] : [notFound(what)],
    })
  const listExport = (route: FileRoute['route'], path: string, { input }: { input: AnySchema }): FileRoute =>
    staff(route, {
      method: 'get',
      path,
      parameters: [format, ...filtersOf(input)],
      responses: table,
      failures: [invalid, busy],
    })

  const contacts = listExport('contacts.export', '/contacts/export.{format}', contactsExport)
  const fields = contacts.parameters.filter(({ in: where }) => where === 'query')
  return [
    contacts,
    {
      ...contacts,
      method: 'post',
      operationId: 'contacts.exportSelected',
      summary: 'Export patients as a file, with room for many ids',
      parameters: [format],
      body: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) },
          },
        },
      },
    },
    listExport('pos.export', '/pos/receipts.{format}', receiptsExport),
    listExport('payouts.export', '/payouts.{format}', payoutsExport),
    listExport('collections.export', '/collections/outstanding.{format}', outstandingExport),
    listExport('tasks.export', '/tasks.{format}', tasksExport),
    listExport('appointments.export', '/appointments.{format}', appointmentsExport),
    listExport('recalls.export', '/recalls.{format}', recallExport),
    download('recalls.letter', '/recall-letters/{id}.pdf', 'letter', pdf),
    listExport('surgeries.export', '/surgeries.{format}', surgeriesExport),
    listExport('campaigns.refused', '/campaigns/refused.{format}', refusedExport),
    listExport('inbox.export', '/conversations.{format}', conversationsExport),
    listExport('audit.export', '/audit.{format}', auditExport),
    listExport('reports.export', '/reports.{format}', { input: ask }),
    staff('imports.upload', {
      method: 'post',
      path: '/imports',
      parameters: [
        fileName,
        inQuery('kind', 'What the rows are', text({ enum: [...importKinds], default: 'patients' })),
        inQuery('sheet', 'Which sheet of a spreadsheet with several', text({ examples: ['Patients'] })),
      ],
      body: { ...fileBody, description: 'The bytes of a CSV or .xlsx file.' },
      responses: created({ id: uuid }),
      failures: [
        { status: 409, code: 'CHOOSE_SHEET', message: 'Choose which sheet to import' },
        { status: 413, code: 'FILE_TOO_LARGE', message: 'This file is too large' },
        invalid,
        ...['EMPTY_FILE', 'NO_ROWS', 'NOT_CSV', 'ROW_TOO_LONG', 'TOO_MANY_COLUMNS', 'TOO_COMPLEX'].map((code): Failure => ({
          status: 422,
          code,
          message: 'The table cannot be read',
        })),
      ],
    }),
    download('imports.errors', '/imports/{id}/errors.csv', 'import', file('The rejected rows', 'text/csv')),
    staff('imports.sendFile', {
      method: 'post',
      path: '/imports/{id}/files',
      parameters: [
        inPath('id', 'The id of the import'),
        inQuery('path', 'The path by which a row names the file', text({ maxLength: 500, examples: ['scans/consent.pdf'] }), true),
      ],
      body: { ...fileBody, description: 'The bytes of a file, or of an archive (.zip) of files.' },
      responses: created({ id: uuid }),
      failures: [notFound('import'), invalid, ...fileFailures],
    }),
    staff('imports.template', {
      method: 'get',
      path: '/import-templates/{kind}.{format}',
      parameters: [inPath('kind', 'What the rows are', text({ enum: [...importKinds] })), format],
      responses: table,
      failures: [{ status: 404, code: 'NOT_FOUND', message: 'Template not found' }],
    }),
    download('pos.pdf', '/pos/receipts/{id}.pdf', 'receipt', pdf, [pdfLanguage]),
    download('implants.card', '/contacts/{id}/implant-card.pdf', 'patient', pdf, [pdfLanguage]),
    download('collections.statement', '/contacts/{id}/statement.pdf', 'patient', pdf, [pdfLanguage]),
    download(
      'wholeRecords.file',
      '/contacts/{id}/whole-record.zip',
      'patient',
      file('The record, sent while it is read', 'application/zip'),
    ),
    download('quotes.pdf', '/quotes/{id}.pdf', 'quote', pdf, [pdfLanguage]),
    staff('notes.pdf', {
      method: 'get',
      path: '/notes/{id}.pdf',
      parameters: [inPath('id', 'The id of the note')],
      responses: pdf,
      failures: [notFound('note'), { status: 409, code: 'NOT_SIGNED', message: 'This note is not signed yet' }],
    }),
    download('adverseEvents.report', '/adverse-events/{id}.pdf', 'adverse event', pdf),
    download('consentForms.file', '/consent-files/{id}.pdf', 'sealed consent form', pdf),
    download('inbox.attachment', '/inbox/attachments/{id}/file', 'attachment', anyFile),
    staff('inbox.mail', {
      method: 'get',
      path: '/inbox/messages/{id}/mail',
      parameters: [inPath('id', 'The id of the message'), pictures],
      responses: html,
      failures: [notFound('message')],
    }),
    staff('inbox.uploadPicture', {
      method: 'post',
      path: '/inbox/pictures',
      parameters: [fileName],
      body: fileBody,
      responses: created({ id: uuid, name: text(), size: { type: 'integer' }, width: { type: 'integer' }, height: { type: 'integer' } }),
      failures: fileFailures,
    }),
    staff('inbox.picture', {
      method: 'get',
      path: '/inbox/pictures/{id}',
      parameters: [inPath('id', 'The id of the picture')],
      responses: file('The picture', 'image/*'),
      failures: [notFound('picture')],
    }),
    staff('mailbox.mail', {
      method: 'get',
      path: '/mailbox/messages/{id}/mail',
      parameters: [messageOfProvider, pictures],
      responses: html,
      failures: [notFound('message')],
    }),
    staff('mailbox.attachment', {
      method: 'get',
      path: '/mailbox/messages/{id}/attachments/{attachmentId}',
      parameters: [
        messageOfProvider,
        inPath('attachmentId', 'The id of the attachment, as the provider gives it', text({ examples: ['v0001'] })),
      ],
      responses: anyFile,
      failures: [notFound('attachment')],
    }),
    staff('mailbox.upload', {
      method: 'post',
      path: '/mailbox/drafts/{id}/files',
      parameters: [inPath('id', 'The id of the draft'), fileName],
      body: fileBody,
      responses: created({ id: uuid, name: text(), mimeType: text(), size: { type: 'integer' } }),
      failures: [notFound('draft'), { status: 409, code: 'SENDING', message: 'This email is already being sent' }, ...fileFailures],
    }),
    staff('campaigns.frame', {
      method: 'get',
      path: '/campaigns/{id}/preview.html',
      parameters: [
        inPath('id', 'The campaign'),
        inQuery('variant', 'Of an A/B test', text({ enum: ['a', 'b'] })),
        inQuery('contactId', 'The patient; a sample one by default', text({ format: 'uuid' })),
        inQuery('language', 'Of the sample patient', text({ enum: ['en', 'fr'] })),
      ],
      responses: html,
      failures: [],
    }),
    staff('emailTemplates.frame', {
      method: 'post',
      path: '/email-templates/preview.html',
      parameters: [],
      body: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: {
                body: text({ description: 'The text of the template', examples: ['Dear {{first_name}}'] }),
                html: text({ description: 'Its HTML, instead', examples: ['<p>Dear {{first_name}}</p>'] }),
              },
            },
          },
        },
      },
      responses: html,
      failures: [
        { ...failures.contentType, message: 'Send a form' },
        { status: 422, code: 'BAD_REQUEST', message: 'The draft is not valid' },
      ],
    }),
    staff('photos.upload', {
      method: 'post',
      path: '/photo-series/{id}/photos',
      parameters: [
        inPath('id', 'The id of the series'),
        inQuery('id', 'The id of the photo, made by the sender: a photo that is sent again with it is stored once', uuid),
        inQuery('view', 'What the photo shows', text({ enum: [...viewNames] })),
        inQuery('takenAt', 'When it was taken', text({ format: 'date-time' })),
        fileName,
      ],
      body: { ...fileBody, description: 'The bytes of a JPEG, PNG or HEIC, of at most 50 MB.' },
      responses: created({ id: uuid }),
      failures: [notFound('series'), { status: 409, code: 'FULL', message: photoMessages.full }, ...fileFailures],
    }),
    staff('photos.pdf', {
      method: 'get',
      path: '/photos.pdf',
      parameters: [
        inQuery('ids', 'The ids of photos of one patient, separated by commas, in the order in which they are printed', text({})),
      ],
      responses: pdf,
      failures: [notFound('photo')],
    }),
    download('photoUses.report', '/photo-consents/{id}.pdf', 'consent', pdf),
    download('photos.image', '/photos/{id}/{kind}', 'photo', file('The photo', 'image/jpeg'), [
      inPath(
        'kind',
        'A copy without metadata for the screen or a grid, or the one that may leave the chart',
        text({ enum: ['screen', 'thumbnail', 'shared'] }),
      ),
    ]),
    staff('photoUses.original', {
      method: 'get',
      path: '/photos/{id}/original',
      parameters: [
        inPath('id', 'The id of the photo'),
        inQuery(
          'purpose',
          'What it leaves the chart for, which the patient has to have consented to; patient: the patient asked for it',
          text({ enum: [...downloadPurposes] }),
          true,
        ),
      ],
      responses: file('The photo as it was taken', ...photoKinds),
      failures: [
        notFound('photo'),
        { status: 422, code: 'INVALID_INPUT', message: `purpose: ${photoUseMessages.purpose}` },
        { status: 409, code: 'NO_CONSENT', message: gapTexts.none },
      ],
    }),
    staff('photoUses.download', {
      method: 'post',
      path: '/contacts/{id}/photos.zip',
      parameters: [inPath('id', 'The id of the patient')],
      body: {
        required: true,
        content: { 'application/json': { schema: converter.convert(photoDownload, { strategy: 'input' })[1] as Schema } },
      },
      responses: file('The originals, sent while they are read', 'application/zip'),
      failures: [
        notFound('patient'),
        invalid,
        { status: 409, code: 'NO_CONSENT', message: noConsentMessage },
        { status: 422, code: 'INVALID_REFERENCE', message: 'Some fields are not valid' },
        busy,
      ],
    }),
    download('consultGallery.image', '/consult-gallery/{id}.jpg', 'use', file('The photo', 'image/jpeg')),
    staff('documents.upload', {
      method: 'post',
      path: '/contacts/{contactId}/documents',
      parameters: [
        inPath('contactId', 'The id of the patient'),
        fileName,
        inQuery('type', 'What it is', text({ enum: [...documentTypes], default: 'other' })),
        inQuery('share', 'true: the patient sees it in the portal', text({ enum: ['true', 'false'], default: 'false' })),
      ],
      body: { ...fileBody, description: 'The bytes of a PDF, a Word document or an image, of at most 50 MB.' },
      responses: created({ id: uuid, name: text() }),
      failures: [
        notFound('patient'),
        { status: 422, code: 'INVALID_INPUT', message: 'This document type does not exist' },
        ...fileFailures,
      ],
    }),
    download('documents.file', '/documents/{id}/file', 'document', anyFile),
    download('documents.preview', '/documents/{id}/preview', 'document', file('The image as JPEG', 'image/jpeg')),
    {
      route: 'practice.logo',
      method: 'get',
      path: '/practice/logo/{id}.png',
      tag: 'Practice',
      summary: 'The practice’s logo; needs no session',
      parameters: [inPath('id', 'The logo, as auth.session names it', text({ examples: ['5f2c9a'] }))],
      responses: file('The image', 'image/png'),
      failures: [{ status: 404, code: 'NOT_FOUND', message: 'Logo not found' }],
    },
    staff('practice.uploadLogo', {
      method: 'post',
      path: '/practice/logo',
      parameters: [],
      body: { ...fileBody, description: 'The bytes of a PNG, JPEG or WebP image, of at most 2 MB.' },
      responses: created({ id: text() }),
      failures: [
        { status: 413, code: 'FILE_TOO_LARGE', message: 'The logo can be at most 2 MB' },
        { status: 422, code: 'FILE_TYPE', message: 'Choose a PNG, JPEG or WebP image' },
        { status: 422, code: 'FILE_BROKEN', message: 'This image cannot be read or is too large' },
      ],
    }),
    {
      route: 'portal.upload',
      method: 'post',
      path: '/functions/patient-document-upload',
      tag: 'Patient portal',
      summary: 'Upload a document as a patient, with the session of the portal',
      parameters: [
        {
          name: 'X-Portal-Session',
          in: 'header',
          description: 'The session of the portal, so that an ended one is refused before the file is sent',
          schema: text({ examples: ['q1w2e3r4t5'] }),
        },
      ],
      body: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              properties: {
                contactId: uuid,
                sessionToken: text({ description: 'The same session; first, if not in the header' }),
                formId: text({
                  format: 'uuid',
                  description: 'The form that the file answers a question of, while it is open; also with the session of a tablet',
                }),
                file: bytes,
              },
              required: ['contactId', 'file'],
            },
          },
        },
      },
      responses: created({ success: { const: true }, id: uuid }),
      failures: [
        { status: 401, code: 'SESSION_OVER', message: 'The session of the portal has ended' },
        failures.foreignOrigin,
        { ...failures.contentType, message: 'Send the file as multipart/form-data' },
        { status: 422, code: 'INVALID_INPUT', message: 'Send one file at a time' },
        failures.tooMany,
        ...fileFailures,
      ],
    },
    {
      route: 'seals.verify',
      method: 'post',
      path: '/verify',
      tag: 'Sealed PDFs',
      summary: 'Say whether a PDF is as this practice sealed it; the file is not stored',
      parameters: [],
      body: { required: true, content: { 'application/pdf': { schema: bytes } } },
      responses: {
        200: {
          description: 'The verdict',
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  status: text({ enum: ['valid', 'unknown-certificate', 'altered', 'not-sealed'] }),
                  problem: text({ description: 'What was altered', enum: ['content', 'damaged', 'timestamp', 'cut', 'appended'] }),
                  signer: text({ description: 'The name in the certificate' }),
                  fingerprint: text({ description: 'SHA-256 of the certificate, in hex' }),
                  signedAt: text({ format: 'date-time' }),
                  timestamp: {
                    description: 'Null if no authority has confirmed the time',
                    anyOf: [
                      {
                        type: 'object',
                        properties: { at: text({ format: 'date-time' }), authority: text(), isKnown: { type: 'boolean' } },
                        required: ['at', 'authority', 'isKnown'],
                      },
                      { type: 'null' },
                    ],
                  },
                },
                required: ['status'],
              },
            },
          },
        },
      },
      failures: [failures.foreignOrigin, ...Object.entries(verificationRefusals).map(([code, one]) => ({ code, ...one }))],
    },
    {
      route: 'portal.file',
      method: 'get',
      path: '/functions/patient-document-file/{id}',
      tag: 'Patient portal',
      summary: 'A document of the portal, by a link that portal.fetchDocuments signed',
      parameters: [
        inPath('id', 'The id of the document'),
        inQuery('as', 'The file, or an image that browsers can show', text({ enum: ['file', 'preview'] })),
        ...signature,
      ],
      responses: anyFile,
      failures: [goneLink],
    },
    {
      route: 'portal.quote',
      method: 'get',
      path: '/functions/patient-quote-file/{id}',
      tag: 'Patient portal',
      summary: 'The PDF of a quote, by a link that portal.fetchQuotes signed',
      parameters: [inPath('id', 'The id of the quote'), pdfLanguage, ...signature],
      responses: pdf,
      failures: [goneLink],
    },
    {
      route: 'portal.receipt',
      method: 'get',
      path: '/functions/patient-receipt-file/{id}',
      tag: 'Patient portal',
      summary: 'The PDF of a receipt, by a link that portal.fetchReceipts signed',
      parameters: [inPath('id', 'The id of the receipt'), ...signature],
      responses: pdf,
      failures: [goneLink],
    },
    {
      route: 'portal.implantCard',
      method: 'get',
      path: '/functions/patient-implant-card/{id}',
      tag: 'Patient portal',
      summary: 'The patient’s implant card, by a link that portal.fetchDocuments signed',
      parameters: [inPath('id', 'The id of the patient'), ...signature],
      responses: pdf,
      failures: [goneLink],
    },
    {
      route: 'portal.photo',
      method: 'get',
      path: '/functions/patient-photo-file/{id}',
      tag: 'Patient portal',
      summary: 'A photo that the practice released, by a link that portal.fetchPhotos signed',
      parameters: [
        inPath('id', 'The id of the photo'),
        inQuery('size', 'small: for a grid; otherwise up to 2,048 pixels', text({ enum: ['small'] })),
        ...signature,
      ],
      responses: file('The photo', 'image/jpeg'),
      failures: [goneLink],
    },
    {
      route: 'portal.consent',
      method: 'get',
      path: '/functions/patient-consent-file/{id}',
      tag: 'Patient portal',
      summary: 'A sealed consent form, by a link that portal.fetchConsents signed',
      parameters: [inPath('id', 'The id of the file'), ...signature],
      responses: pdf,
      failures: [goneLink],
    },
    {
      route: 'gallery.image',
      method: 'get',
      path: '/gallery/{id}.jpg',
      tag: 'Use of photos',
      summary: 'A photo of gallery.feed, for the visitors of the website; gone once the patient withdraws',
      parameters: [inPath('id', 'The id of the use, in an address that gallery.feed gave')],
      responses: file('The photo', 'image/jpeg'),
      failures: [{ status: 404, code: 'NOT_FOUND', message: 'This photo is not shown any more' }, failures.tooMany],
    },
    {
      route: 'sharedPhotos.image',
      method: 'get',
      path: '/shared-photos/{token}/{id}.jpg',
      tag: 'Use of photos',
      summary: 'A photo behind a link that photoUses.share emailed',
      parameters: [inPath('token', 'The secret of the link', text({ examples: ['c2VjcmV0'] })), inPath('id', 'The id of the photo')],
      responses: file('The photo', 'image/jpeg'),
      failures: [{ status: 404, code: 'NOT_FOUND', message: photoUseMessages.noLink }, failures.tooMany],
    },
    {
      route: 'calendarFeeds.feed',
      method: 'get',
      path: '/calendar/{secret}.ics',
      tag: 'Calendar feeds',
      summary: 'A provider’s calendar; the secret in the address is all that it needs',
      parameters: [inPath('secret', 'The secret that calendarFeeds.create gave', text({ examples: ['c2VjcmV0'] }))],
      responses: {
        ...file('The calendar', 'text/calendar'),
        304: { description: 'Unchanged since the ETag that If-None-Match names' },
      },
      failures: [{ status: 404, code: 'NOT_FOUND', message: 'Calendar not found' }, failures.tooMany],
    },
    {
      route: 'appointmentLinks.calendar',
      method: 'get',
      path: '/appointment-links/{token}/appointment.ics',
      tag: 'Appointment links',
      summary: 'The appointment behind an email link, for a calendar',
      parameters: [inPath('token', 'The secret of the link', text({ examples: ['c2VjcmV0'] }))],
      responses: file('The appointment', 'text/calendar'),
      failures: [{ status: 404, code: 'NOT_FOUND', message: linkMessages.notFound }, failures.tooMany],
    },
    leadIntake,
  ]
}

const pictures = inQuery('pictures', 'shown: with pictures from other servers', text({ enum: ['shown'] }))
const pdfLanguage = inQuery('language', 'The language of the PDF; without it, the patient’s', text({ enum: ['en', 'fr'] }))
const unknownLanguage = { status: 422, code: 'INVALID_INPUT', message: 'The language is en or fr' } as const
const messageOfProvider = inPath('id', 'The id of the message, as the provider gives it', text({ examples: ['18c2f0'] }))
const signature = [
  inQuery('session', 'Part of the signed link', uuid, true),
  inQuery('expires', 'Part of the signed link', { type: 'integer', examples: [1_795_000_000] }, true),
  inQuery('signature', 'Part of the signed link', text({ examples: ['Zm9v'] }), true),
]
const goneLink: Failure = { status: 404, code: 'NOT_FOUND', message: 'This link no longer works' }

const lead = {
  first_name: 'Chloé',
  last_name: 'Desjardins',
  email: 'chloe@example.ca',
  phone: '(613) 555-0187',
  procedure: 'Rhinoplasty',
  source: 'Website',
}
const leadBody = {
  schema: {
    type: 'object' as const,
    description: 'The usual names of the fields. Other names are understood, too, or mapped in Settings.',
    properties: Object.fromEntries(Object.entries(lead).map(([name, example]) => [name, text({ examples: [example] })])),
    required: ['first_name', 'last_name', 'email'],
  },
  example: lead,
}

const leadIntake: FileRoute = {
  route: 'leads.intake',
  method: 'post',
  path: '/leads/{webhookKey}',
  tag: 'Leads',
  summary: 'Send a lead with the webhook key of its source; needs no session',
  parameters: [
    inPath('webhookKey', 'The key of the source (Settings, Lead sources)', text({ examples: ['demo-website-form'] })),
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: 'The same key and lead get the same answer, and one lead',
      schema: text({ maxLength: 200, examples: ['form-4711'] }),
    },
  ],
  body: {
    required: true,
    content: { 'application/json': leadBody, 'application/x-www-form-urlencoded': leadBody, 'multipart/form-data': leadBody },
  },
  responses: {
    202: { description: 'Stored; it is processed in a moment. A replay gets the same answer as the first request.' },
    303: { description: 'Stored; a browser form is redirected to the thank-you page of the source.' },
  },
  failures: [
    { status: 400, code: 'INVALID_BODY', message: 'The body cannot be read' },
    { code: 'INVALID_IDEMPOTENCY_KEY', ...keyRefusals.INVALID_IDEMPOTENCY_KEY },
    { status: 401, code: 'INVALID_WEBHOOK_KEY', message: 'Unknown webhook key' },
    { status: 413, code: 'BODY_TOO_LARGE', message: 'A lead can have at most 64 KiB' },
    { status: 415, code: 'UNSUPPORTED_CONTENT_TYPE', message: 'Send JSON or a form' },
    { code: 'IDEMPOTENCY_KEY_REUSED', ...keyRefusals.IDEMPOTENCY_KEY_REUSED },
    failures.tooMany,
  ],
}
