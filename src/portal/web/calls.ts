import { requirePractice } from '../../ui/client/session.ts'
import type { PatientQuote } from '../../billing/quotes/quote-contract.ts'
import type { PortalDocument } from '../contract.ts'
import { portalMessages } from '../rules.ts'
import type { Language } from '../../shared/translations.ts'
import { portalTexts } from './texts.ts'
import { uploadDescription } from '../../documents/rules.ts'

/** A document as the API returns it: instants are ISO strings. */
export type DocumentData = Omit<PortalDocument, 'created_at'> & { created_at: string }

/** A quote as the API returns it. */
export type QuoteData = Omit<PatientQuote, 'acceptedAt' | 'endedAt'> & { acceptedAt: string | null; endedAt: string | null }

/** The session of a verified code, kept only in memory. */
export interface PatientSession {
  token: string
  contactId: string
  firstName: string
  documents: DocumentData[]
  /** Null if loading failed. */
  quotes: QuoteData[] | null
}

/** A refusal by the server, with a message for the patient. */
export class Refusal extends Error {
  readonly code: string | null
  /** What the refusal says besides its message. */
  readonly data: unknown
  constructor(message: string, code: string | null, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const isSessionOver = (error: unknown): error is Refusal => error instanceof Refusal && error.code === 'SESSION_OVER'

/** The message for a refused address or code, in the patient's language. */
export function messageFor(error: unknown, language: Language): string {
  const t = portalTexts[language]
  const code = error instanceof Refusal ? error.code : null
  if (code === 'INVALID_CODE') return t('badCode')
  if (code === 'TOO_MANY_REQUESTS') return t('tooMany')
  if (code === 'INVALID_INPUT') return t('emailInvalid')
  return language === 'en' ? messageOf(error) : t('unexpected')
}

/** The server's message, or a general one for connection errors (spec 8). */
export const messageOf = (error: unknown): string => (error instanceof Refusal ? error.message : portalMessages.unexpected)

/** Timeout of JSON calls in milliseconds; files have none. */
const timeoutMs = 30_000

const textField = (body: unknown, field: string): string | null => {
  const value: unknown = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : null
  return typeof value === 'string' && value !== '' ? value : null
}

async function refusalOf(response: Response, fields: readonly string[], fallback: string): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null)
  const message = fields.map((field) => textField(body, field)).find((text) => text !== null)
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  return new Refusal(message ?? fallback, textField(body, 'code'), data)
}

/** Calls one of the portal's functions (spec 7), with the bearer token of the portal page. */
async function send(name: string, init: RequestInit): Promise<Response> {
  const { portalToken } = await requirePractice()
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${portalToken}`)
  headers.set('accept', 'application/json')
  return fetch(`/api/functions/${name}`, { ...init, method: 'POST', headers })
}

export async function post(name: string, body: object, fallback: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await send(name, { headers, body: JSON.stringify(body), signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw await refusalOf(response, ['error'], fallback)
  return response
}

export async function requestAccess(email: string): Promise<void> {
  await post('request-document-access', { email }, portalMessages.codeNotSent)
}

/** Exchanges a code for a session. */
export async function verifyCode(email: string, otp: string): Promise<Omit<PatientSession, 'quotes'>> {
  const response = await post('verify-document-access', { email, otp }, portalMessages.badCode)
  const { sessionToken, contact, documents } = (await response.json()) as {
    sessionToken: string
    contact: { id: string; first_name: string }
    documents: DocumentData[]
  }
  return { token: sessionToken, contactId: contact.id, firstName: contact.first_name, documents }
}

export async function verifyAccess(email: string, otp: string): Promise<PatientSession> {
  const session = await verifyCode(email, otp)
  // Loaded before the page is shown, so that its layout does not shift.
  return { ...session, quotes: await fetchQuotes(session).catch(() => null) }
}

export async function fetchDocuments({ contactId, token }: PatientSession): Promise<DocumentData[]> {
  const response = await post('patient-documents-fetch', { contactId, sessionToken: token }, portalMessages.unexpected)
  const { documents } = (await response.json()) as { documents: DocumentData[] }
  return documents
}

export type Credentials = Pick<PatientSession, 'contactId' | 'token'>

async function postForQuotes(name: string, { contactId, token }: Credentials, body: object = {}): Promise<QuoteData[]> {
  const response = await post(name, { contactId, sessionToken: token, ...body }, portalMessages.unexpected)
  const { quotes } = (await response.json()) as { quotes: QuoteData[] }
  return quotes
}

export const fetchQuotes = (session: Credentials): Promise<QuoteData[]> => postForQuotes('patient-quotes-fetch', session)

export const acceptQuote = (session: Credentials, { id, totalCents }: QuoteData, name: string): Promise<QuoteData[]> =>
  postForQuotes('patient-quote-accept', session, { id, totalCents, name })

export const declineQuote = (session: Credentials, { id }: QuoteData, reason: string): Promise<QuoteData[]> =>
  postForQuotes('patient-quote-decline', session, { id, reason })

/** Ends the session. Failure is ignored: the page forgets the token anyway, and the session expires. */
export async function signOut({ token }: Pick<Credentials, 'token'>): Promise<void> {
  await post('patient-sign-out', { sessionToken: token }, portalMessages.unexpected).catch(() => undefined)
}

/** Uploads one file per request (spec 7). The session is also in a header, so that an expired one is refused before the file is sent. */
export async function uploadFile({ contactId, token }: PatientSession, file: File, signal: AbortSignal): Promise<void> {
  const form = new FormData()
  form.append('contactId', contactId)
  form.append('sessionToken', token)
  form.append('documentType', 'patient_upload')
  form.append('description', uploadDescription)
  form.append('file', file, file.name)
  const response = await send('patient-document-upload', { headers: { 'x-portal-session': token }, body: form, signal })
  if (!response.ok) throw await refusalOf(response, ['details', 'error'], 'Upload failed')
}

/** The file of a signed link; null if the link no longer works. */
export async function fetchFile(link: string): Promise<Blob | null> {
  const response = await fetch(link)
  if (response.status === 404) return null
  if (!response.ok) throw await refusalOf(response, ['error'], portalMessages.downloadFailed)
  return response.blob()
}
