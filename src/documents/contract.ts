import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../shared/page-lists.ts'
import { optionalText, requiredLine } from '../shared/text-shapes.ts'
import { documentTypes, fileKindNames, reviewStates, scanStates, uploadSources } from './rules.ts'

export const documentMessages = {
  name: 'Name is required',
  reason: 'Enter a reason. The patient will see it.',
  infected: 'The virus scanner found a threat in this file. Please check your device and send another copy.',
} as const

/** Why a file is refused: the status and the message for the sender, by code. */
export const fileRefusals = {
  FILE_TOO_LARGE: { status: 413, message: 'This file is too large' },
  FILE_EMPTY: { status: 422, message: 'This file is empty' },
  FILE_TYPE: { status: 422, message: 'This file type is not supported. Send a PDF, a Word document or an image (JPEG, PNG, HEIC).' },
  FILE_NAME: { status: 422, message: 'This file’s contents do not match its name' },
  FILE_BROKEN: { status: 422, message: 'This file is damaged and cannot be opened' },
  FILE_TOO_COMPLEX: { status: 422, message: 'This file is too complex to process' },
  BUSY: { status: 503, message: 'Too many files are being checked right now. Please try again in a minute.' },
  QUOTA: { status: 422, message: 'This patient has reached the storage limit for uploads' },
  UPLOAD_STALLED: { status: 408, message: 'The upload stopped. Please try again.' },
} as const
export type FileRefusalCode = keyof typeof fileRefusals

const document = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  /** Incremented by every change. */
  version: z.number().int(),
  name: z.string(),
  mimeType: z.enum(fileKindNames),
  /** In bytes. */
  size: z.number().int(),
  uploadSource: z.enum(uploadSources),
  documentType: z.enum(documentTypes),
  description: z.string().nullable(),
  /** Whether the patient sees it in the portal. */
  isShared: z.boolean(),
  /** For patient uploads; the clinic's own documents are accepted from the start. */
  reviewState: z.enum(reviewStates),
  rejectReason: z.string().nullable(),
  reviewedBy: z.uuid().nullable(),
  reviewedAt: z.date().nullable(),
  scanState: z.enum(scanStates),
  /** Null for patient uploads. */
  uploadedBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const pendingDocument = document.extend({
  contact: z.object({
    id: z.uuid(),
    firstName: z.string(),
    lastName: z.string(),
    preferredName: z.string().nullable(),
    dateOfBirth: z.string().nullable(),
  }),
})

/** The details of a document that staff can set, used by the dialog and by imports. */
export const documentFields = z.strictObject({
  name: requiredLine(150, documentMessages.name),
  documentType: z.enum(documentTypes),
  description: optionalText(1_000),
  isShared: z.boolean(),
})

const changedDocument = documentFields
  .extend({ id: z.uuid(), version: z.number().int().min(1) })
  .partial()
  .required({ id: true, version: true })
export type ChangedDocument = z.output<typeof changedDocument>

const reviewed = z
  .strictObject({
    id: z.uuid(),
    version: z.number().int().min(1),
    decision: z.enum(['accepted', 'rejected']),
    reason: optionalText(500).default(null),
  })
  .refine(({ decision, reason }) => decision === 'accepted' || reason !== null, { path: ['reason'], message: documentMessages.reason })
export type Reviewed = z.output<typeof reviewed>

const byId = z.strictObject({ id: z.uuid() })
const noDocument = { NOT_FOUND: { status: 404, message: 'This document does not exist' } } as const
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const conflict = {
  CONFLICT: { status: 409, message: 'Someone else has changed this document', data: z.object({ current: document }) },
} as const
const tags = ['Documents']
const pendingPages = cursorPages(instantPlace, { limit: 100, max: 100 })

export const documentsContract = {
  list: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/documents', tags, summary: 'List the documents of a patient, newest first' })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors(noPatient)
    .output(z.array(document)),
  waiting: oc
    .route({
      method: 'GET',
      path: '/documents/waiting',
      tags,
      summary: 'List patient uploads waiting for review, oldest first, with their total',
    })
    .input(z.strictObject(pendingPages.input))
    .output(pendingPages.output(pendingDocument).extend({ total: z.number().int() })),
  waitingCount: oc
    .route({ method: 'GET', path: '/documents/waiting/count', tags, summary: 'Count patient uploads waiting for review' })
    .output(z.object({ count: z.number().int() })),
  update: oc
    .route({ method: 'PATCH', path: '/documents/{id}', tags, summary: 'Change the name, category, description or sharing of a document' })
    .input(changedDocument)
    .errors({ ...noDocument, ...conflict })
    .output(document),
  review: oc
    .route({
      method: 'POST',
      path: '/documents/{id}/review',
      tags,
      summary: 'Accept or reject a patient upload and notify the patient',
    })
    .input(reviewed)
    .errors({ ...noDocument, ...conflict })
    .output(document),
  delete: oc
    .route({ method: 'DELETE', path: '/documents/{id}', tags, summary: 'Delete a document; it can be restored for 30 days' })
    .input(byId)
    .errors({
      ...noDocument,
      IN_USE: { status: 409, message: 'It is the scan of a consent that was signed on paper, so it has to be kept' },
    }),
  restore: oc
    .route({ method: 'POST', path: '/documents/{id}/restore', tags, summary: 'Restore a deleted document' })
    .input(byId)
    .errors(noDocument)
    .output(document),
}
