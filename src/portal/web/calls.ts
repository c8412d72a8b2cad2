import { knownPractice } from '../../ui/client/session.ts'
import type { PatientQuote } from '../../billing/quotes/contract.ts'
import type { PortalDocument } from '../contract.ts'
import { portalMessages } from '../rules.ts'
import { uploadDescription } from '../../documents/rules.ts'

/** A document as it arrives: moments are ISO strings. */
export type ShownDocument = Omit<PortalDocument, 'created_at'> & { created_at: string }

/** A quote as it arrives, likewise. */
export type ShownQuote = Omit<PatientQuote, 'acceptedAt' | 'endedAt'> & { acceptedAt: string | null; endedAt: string | null }

/** What a verified code gives. It lives in the page's memory alone. */
export interface PatientSession {
  token: string
  contactId: string
  firstName: string
  documents: ShownDocument[]
  /** Null: they could not be loaded. */
  quotes: ShownQuote[] | null
}

/** The server said no, in words that the patient reads. */
export class Refusal extends Error {
  readonly code: string | null
  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

export const isSessionOver = (error: unknown): error is Refusal => error instanceof Refusal && error.code === 'SESSION_OVER'

/** Spec 8: the server's words; for a lost connection and the like the general ones. */
export const messageOf = (error: unknown): string => (error instanceof Refusal ? error.message : portalMessages.unexpected)

/** Milliseconds for an answer of a few lines; a file may take as long as it needs. */
const patience = 30_000

const textIn = (said: unknown, field: string): string | null => {
  const value: unknown = typeof said === 'object' && said !== null ? (said as Record<string, unknown>)[field] : null
  return typeof value === 'string' && value !== '' ? value : null
}

async function refusalOf(response: Response, fields: readonly string[], fallback: string): Promise<Refusal> {
  const said: unknown = await response.json().catch(() => null)
  const message = fields.map((field) => textIn(said, field)).find((text) => text !== null)
  return new Refusal(message ?? fallback, textIn(said, 'code'))
}

/** Sends to one of the portal's functions (spec 7), with the bearer that says that the portal's own page asks. */
async function send(name: string, init: RequestInit): Promise<Response> {
  const { portalToken } = await knownPractice()
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${portalToken}`)
  headers.set('accept', 'application/json')
  return fetch(`/api/functions/${name}`, { ...init, method: 'POST', headers })
}

async function post(name: string, body: object, fallback: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await send(name, { headers, body: JSON.stringify(body), signal: AbortSignal.timeout(patience) })
  if (!response.ok) throw await refusalOf(response, ['error'], fallback)
  return response
}

export async function requestAccess(email: string): Promise<void> {
  await post('request-document-access', { email }, portalMessages.codeNotSent)
}

export async function verifyAccess(email: string, otp: string): Promise<PatientSession> {
  const response = await post('verify-document-access', { email, otp }, portalMessages.badCode)
  const { sessionToken, contact, documents } = (await response.json()) as {
    sessionToken: string
    contact: { id: string; first_name: string }
    documents: ShownDocument[]
  }
  const session = { token: sessionToken, contactId: contact.id, firstName: contact.first_name, documents, quotes: null }
  // Before the page stands, so that nothing of it moves.
  return { ...session, quotes: await fetchQuotes(session).catch(() => null) }
}

export async function fetchDocuments({ contactId, token }: PatientSession): Promise<ShownDocument[]> {
  const response = await post('patient-documents-fetch', { contactId, sessionToken: token }, portalMessages.unexpected)
  const { documents } = (await response.json()) as { documents: ShownDocument[] }
  return documents
}

type Signed = Pick<PatientSession, 'contactId' | 'token'>

async function quotesAfter(name: string, { contactId, token }: Signed, body: object = {}): Promise<ShownQuote[]> {
  const response = await post(name, { contactId, sessionToken: token, ...body }, portalMessages.unexpected)
  const { quotes } = (await response.json()) as { quotes: ShownQuote[] }
  return quotes
}

export const fetchQuotes = (session: Signed): Promise<ShownQuote[]> => quotesAfter('patient-quotes-fetch', session)

export const acceptQuote = (session: Signed, { id, totalCents }: ShownQuote, name: string): Promise<ShownQuote[]> =>
  quotesAfter('patient-quote-accept', session, { id, totalCents, name })

export const declineQuote = (session: Signed, { id }: ShownQuote, reason: string): Promise<ShownQuote[]> =>
  quotesAfter('patient-quote-decline', session, { id, reason })

/** Whether it was heard or not, the page forgets the token; an unheard session ends by itself. */
export async function signOut({ token }: PatientSession): Promise<void> {
  await post('patient-sign-out', { sessionToken: token }, portalMessages.unexpected).catch(() => undefined)
}

/** Spec 7: one request per file. The session stands in a header as well: one that is over is refused before the file is sent. */
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

/** The bytes behind a signed link; null when the link no longer works. */
export async function fetchFile(link: string): Promise<Blob | null> {
  const response = await fetch(link)
  if (response.status === 404) return null
  if (!response.ok) throw await refusalOf(response, ['error'], portalMessages.downloadFailed)
  return response.blob()
}
