import { requirePractice } from '../../ui/client/session.ts'
import { preferLanguage } from '../../ui/patient/language.ts'
import type { PatientQuote } from '../../billing/quotes/quote-contract.ts'
import type { CodeTarget, PortalDocument } from '../contract.ts'
import type { Language } from '../../shared/translations.ts'
import type { PortalProblem } from './texts.ts'
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

/** A refusal by the server. Pages say it in the patient's language, by its code. */
export class Refusal extends Error {
  readonly code: string | null
  /** What the refusal says besides its code. */
  readonly data: unknown
  constructor(code: string | null, data: unknown) {
    super(code ?? 'The server refused the call')
    this.code = code
    this.data = data
  }
}

/** The code of a refusal; null for connection errors. */
export const codeOf = (error: unknown): string | null => (error instanceof Refusal ? error.code : null)

export const isSessionOver = (error: unknown): boolean => codeOf(error) === 'SESSION_OVER'

/** Why an address or a code was refused, or a call failed. */
export function problemOf(error: unknown): PortalProblem {
  const code = codeOf(error)
  if (code === 'INVALID_CODE') return 'badCode'
  if (code === 'TOO_MANY_REQUESTS') return 'tooMany'
  return code === 'INVALID_INPUT' ? 'emailInvalid' : 'unexpected'
}

/** Timeout of JSON calls in milliseconds; files have none. */
const timeoutMs = 30_000

async function refusalOf(response: Response): Promise<Refusal> {
  const body = (await response.json().catch(() => null)) as { code?: unknown; data?: unknown } | null
  return new Refusal(typeof body?.code === 'string' ? body.code : null, body?.data ?? null)
}

/** Calls one of the portal's functions (spec 7), with the bearer token of the portal page. */
async function send(name: string, init: RequestInit): Promise<Response> {
  const { portalToken } = await requirePractice()
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${portalToken}`)
  headers.set('accept', 'application/json')
  return fetch(`/api/functions/${name}`, { ...init, method: 'POST', headers })
}

export async function post(name: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await send(name, { headers, body: JSON.stringify(body), signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw await refusalOf(response)
  return response
}

export async function requestAccess(email: string, opens: CodeTarget | null, language: Language): Promise<void> {
  await post('request-document-access', { email, language, ...(opens && { opens }) })
}

/** Exchanges a code for a session, and shows the page in the patient's preferred language unless another was chosen. */
export async function verifyCode(email: string, otp: string): Promise<Omit<PatientSession, 'quotes'>> {
  const response = await post('verify-document-access', { email, otp })
  const { sessionToken, contact, language, documents } = (await response.json()) as {
    sessionToken: string
    contact: { id: string; first_name: string }
    language: Language | null
    documents: DocumentData[]
  }
  preferLanguage(language)
  return { token: sessionToken, contactId: contact.id, firstName: contact.first_name, documents }
}

export async function verifyAccess(email: string, otp: string): Promise<PatientSession> {
  const session = await verifyCode(email, otp)
  // Loaded before the page is shown, so that its layout does not shift.
  return { ...session, quotes: await fetchQuotes(session).catch(() => null) }
}

export async function fetchDocuments({ contactId, token }: PatientSession): Promise<DocumentData[]> {
  const response = await post('patient-documents-fetch', { contactId, sessionToken: token })
  const { documents } = (await response.json()) as { documents: DocumentData[] }
  return documents
}

export type Credentials = Pick<PatientSession, 'contactId' | 'token'>

async function postForQuotes(name: string, { contactId, token }: Credentials, body: object = {}): Promise<QuoteData[]> {
  const response = await post(name, { contactId, sessionToken: token, ...body })
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
  await post('patient-sign-out', { sessionToken: token }).catch(() => undefined)
}

/**
 * Uploads one file per request (spec 7), for the clinic or for a question of a form, and returns the id of the document. The session is also in
 * a header, so that an expired one is refused before the file is sent.
 */
export async function uploadFile(
  { contactId, token }: Credentials,
  file: File,
  { signal, formId }: { signal?: AbortSignal; formId?: string },
): Promise<string> {
  const form = new FormData()
  form.append('contactId', contactId)
  form.append('sessionToken', token)
  form.append('documentType', 'patient_upload')
  form.append('description', uploadDescription)
  if (formId !== undefined) form.append('formId', formId)
  form.append('file', file, file.name)
  const response = await send('patient-document-upload', { headers: { 'x-portal-session': token }, body: form, ...(signal && { signal }) })
  if (!response.ok) throw await refusalOf(response)
  return ((await response.json()) as { id: string }).id
}

/** The file of a signed link; null if the link no longer works. */
export async function fetchFile(link: string): Promise<Blob | null> {
  const response = await fetch(link)
  if (response.status === 404) return null
  if (!response.ok) throw await refusalOf(response)
  return response.blob()
}
