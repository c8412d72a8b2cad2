import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../shared/page-lists.ts'
import { optionalText, requiredLine } from '../shared/text-shapes.ts'
import { documentTypes, fileKindNames, reviewStates, scanStates, uploadSources } from './rules.ts'

export const documentMessages = {
  name: 'Name is required',
  reason: 'Say why it is rejected: the patient reads it',
  infected: 'The virus scanner has found something in it. Please check your device, and send another copy.',
} as const

/** Why a file is not taken; the code with the sentence for who sent it. */
export const fileRefusals = {
  FILE_TOO_LARGE: { status: 413, message: 'This file is too large' },
  FILE_EMPTY: { status: 422, message: 'This file is empty' },
  FILE_TYPE: { status: 422, message: 'This type of file cannot be taken. Send a PDF, a Word document, or an image (JPEG, PNG, HEIC).' },
  FILE_NAME: { status: 422, message: 'This file is not what its name says' },
  FILE_BROKEN: { status: 422, message: 'This file is damaged and cannot be opened' },
  FILE_TOO_COMPLEX: { status: 422, message: 'This file unpacks to more than can be taken' },
  BUSY: { status: 503, message: 'Too many files are being checked right now. Please try again in a minute.' },
  QUOTA: { status: 422, message: 'There is no more room for files of this patient' },
  UPLOAD_STALLED: { status: 408, message: 'The upload stopped. Please try again.' },
} as const
export type FileRefusalCode = keyof typeof fileRefusals

const document = z.object({
  id: z.uuid(),
  contactId: z.uuid(),
  /** Raised by every change. */
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
  /** Of what a patient has sent; the clinic's own is accepted from the beginning. */
  reviewState: z.enum(reviewStates),
  rejectReason: z.string().nullable(),
  reviewedBy: z.uuid().nullable(),
  reviewedAt: z.date().nullable(),
  scanState: z.enum(scanStates),
  /** Null when the patient sent it. */
  uploadedBy: z.uuid().nullable(),
  createdAt: z.date(),
})

const waiting = document.extend({ contact: z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() }) })

/** What the clinic says of a file, as the dialog and an import read it. */
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

const one = z.strictObject({ id: z.uuid() })
const noDocument = { NOT_FOUND: { status: 404, message: 'This document does not exist' } } as const
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const conflict = {
  CONFLICT: { status: 409, message: 'Someone has changed this document in the meantime', data: z.object({ current: document }) },
} as const
const tags = ['Documents']
const waitingPages = cursorPages(instantPlace, { limit: 100, max: 100 })

export const documentsContract = {
  list: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/documents', tags, summary: 'The documents of a patient, newest first' })
    .input(z.strictObject({ contactId: z.uuid() }))
    .errors(noPatient)
    .output(z.array(document)),
  waiting: oc
    .route({
      method: 'GET',
      path: '/documents/waiting',
      tags,
      summary: 'What patients have sent and no one has looked at, oldest first, and how much of it there is',
    })
    .input(z.strictObject(waitingPages.input))
    .output(waitingPages.output(waiting).extend({ total: z.number().int() })),
  waitingCount: oc
    .route({ method: 'GET', path: '/documents/waiting/count', tags, summary: 'How much of what patients have sent no one has looked at' })
    .output(z.object({ count: z.number().int() })),
  update: oc
    .route({ method: 'PATCH', path: '/documents/{id}', tags, summary: 'Rename, file, describe, share with the patient or stop sharing' })
    .input(changedDocument)
    .errors({ ...noDocument, ...conflict })
    .output(document),
  review: oc
    .route({
      method: 'POST',
      path: '/documents/{id}/review',
      tags,
      summary: 'Accept or reject what a patient has sent; the patient is told',
    })
    .input(reviewed)
    .errors({ ...noDocument, ...conflict })
    .output(document),
  delete: oc
    .route({ method: 'DELETE', path: '/documents/{id}', tags, summary: 'Delete a document; it can be restored for 30 days' })
    .input(one)
    .errors(noDocument),
  restore: oc
    .route({ method: 'POST', path: '/documents/{id}/restore', tags, summary: 'Bring a deleted document back' })
    .input(one)
    .errors(noDocument)
    .output(document),
}
