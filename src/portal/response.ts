import type { Scope } from '../kernel/scope.ts'
import { toLanguage } from '../shared/translations.ts'
import { disposition, sendFile, sendPreview } from '../documents/service.ts'
import { pdfResponse } from '../kernel/pdf/document.ts'
import { renderReceipt } from '../billing/pos/service.ts'
import { renderQuote } from '../billing/quotes/service.ts'
import { sealedFileResponse } from '../chart/consent-forms/service.ts'
import { sharedCopyOf } from '../chart/photos/service.ts'
import { openConsentLink } from './consents.ts'
import { openCardLink, openLink } from './documents.ts'
import { openPhotoLink } from './photos.ts'
import { openQuoteLink } from './quotes.ts'
import { openReceiptLink } from './receipts.ts'

/** GET /api/functions/patient-document-file/{id}?…: the file of a signed link. Every invalid link gets the same response. */
export async function linkResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const opened = await openLink(scope, id, new URL(request.url).searchParams)
  if (!opened) return Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const { scope: own, row, as } = opened
  await own.recordView({ kind: 'document', contactIds: [own.patient] })
  return as === 'preview' ? sendPreview(own, row) : sendFile(own, row)
}

/** GET /api/functions/patient-quote-file/{id}?…: the PDF of a signed link, likewise. */
export async function ownQuoteResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const opened = await openQuoteLink(scope, id, new URL(request.url).searchParams)
  if (!opened) return Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const { scope: own, row } = opened
  await own.recordView({ kind: 'quote', contactIds: [own.patient] })
  const { name, bytes } = await renderQuote(own, row, toLanguage(new URL(request.url).searchParams.get('language')))
  return pdfResponse(name, bytes)
}

/** GET /api/functions/patient-receipt-file/{id}?…: the PDF of a signed link, likewise. */
export async function ownReceiptResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const opened = await openReceiptLink(scope, id, new URL(request.url).searchParams)
  if (!opened) return Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const { scope: own, row } = opened
  await own.recordView({ kind: 'sales receipt', contactIds: [own.patient] })
  const { name, bytes } = await renderReceipt(own, row, toLanguage(new URL(request.url).searchParams.get('language')))
  return pdfResponse(name, bytes)
}

/** GET /api/functions/patient-consent-file/{id}?…: the sealed PDF of a signed link, likewise. */
export async function ownConsentResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const opened = await openConsentLink(scope, id, new URL(request.url).searchParams)
  if (!opened) return Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const { scope: own, file } = opened
  await own.recordView({ kind: 'consent form', contactIds: [own.patient] })
  return sealedFileResponse(own, file)
}

/** GET /api/functions/patient-implant-card/{id}?…: the patient's implant card of a signed link, likewise. */
export async function ownCardResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const opened = await openCardLink(scope, id, new URL(request.url).searchParams)
  if (!opened) return Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const { scope: own, card } = opened
  await own.recordView({ kind: 'surgery device', contactIds: [own.patient] })
  return pdfResponse(card.name, card.bytes)
}

/**
 * GET /api/functions/patient-photo-file/{id}?…: the photo of a signed link, likewise: the copy that may leave the chart, cropped and blurred as staff
 * decided, without metadata and markup. `size=small`: for a grid.
 */
export async function ownPhotoResponse(scope: Scope, id: string, request: Request): Promise<Response> {
  const gone = () => Response.json({ code: 'NOT_FOUND', error: 'This link no longer works' }, { status: 404 })
  const query = new URL(request.url).searchParams
  const opened = await openPhotoLink(scope, id, query)
  if (!opened) return gone()
  const { scope: own, photo } = opened
  await own.recordView({ kind: 'photo', contactIds: [own.patient] })
  const copy = await sharedCopyOf(own, id, { forGrid: query.get('size') === 'small' })
  if (!copy) return gone()
  if ('refusal' in copy)
    return copy.refusal === 'BUSY'
      ? Response.json({ code: 'BUSY', error: 'Please try again in a minute' }, { status: 503, headers: { 'retry-after': '30' } })
      : Response.json({ code: 'FILE_MISSING', error: 'The file of this photo is missing' }, { status: 410 })
  return new Response(copy.bytes, {
    headers: {
      'content-type': 'image/jpeg',
      'content-length': String(copy.size),
      'content-disposition': disposition(`Photo ${photo.takenOn}.jpg`),
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })
}
