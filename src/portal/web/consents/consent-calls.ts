import type { OwnConsent, OwnConsentLine } from '../../../chart/consent-forms/contract.ts'
import type { PhotoScope } from '../../../chart/consent-forms/definition-rules.ts'
import type { Signing, SigningProblem } from '../../../chart/consent-forms/rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { type Credentials, post, Refusal } from '../calls.ts'

export type ConsentData = OwnConsent
/** A consent form in the list as the API returns it: instants are ISO strings. */
export type ConsentLineData = Omit<OwnConsentLine, 'sentAt' | 'signedAt' | 'declinedAt' | 'countersignedAt'> & {
  sentAt: string
  signedAt: string | null
}

export const closedCodes = ['SIGNED', 'DECLINED', 'WITHDRAWN', 'CANCELLED', 'NOT_READY', 'NOT_FOUND'] as const
export type ClosedCode = (typeof closedCodes)[number]
/** Why a consent form can't be signed (any more), if that is why a call was refused. */
export const closedCodeOf = (error: unknown): ClosedCode | null => {
  const code = error instanceof Refusal ? error.code : null
  // An address that is no id.
  return code === 'INVALID_INPUT' ? 'NOT_FOUND' : (closedCodes.find((known) => known === code) ?? null)
}
/** What it says now, if that is why a call was refused. */
export const currentOf = (error: unknown): ConsentData | null =>
  error instanceof Refusal && error.code === 'CHANGED' ? (error.data as { current: ConsentData }).current : null
export const problemsOf = (error: unknown): SigningProblem[] | null =>
  error instanceof Refusal && error.code === 'INCOMPLETE' ? (error.data as { problems: SigningProblem[] }).problems : null

async function call<Result>(name: string, { contactId, token }: Credentials, body: object = {}): Promise<Result> {
  const response = await post(name, { contactId, sessionToken: token, ...body })
  return (await response.json()) as Result
}

export const fetchConsents = async (session: Credentials) =>
  (await call<{ consents: ConsentLineData[] }>('patient-consents-fetch', session)).consents
export const fetchConsent = (session: Credentials, id: string) => call<ConsentData>('patient-consent-fetch', session, { id })
export const askAbout = (session: Credentials, id: string, question: string) =>
  call<{ askedAt: string }>('patient-consent-ask', session, { id, question: question.trim() || null })
export const decline = (session: Credentials, id: string, reason: string) =>
  call<{ declinedAt: string }>('patient-consent-decline', session, { id, reason: reason.trim() || null })
export const withdraw = (session: Credentials, id: string, scopes: PhotoScope[] | null) =>
  call<{ withdrawnAt: string }>('patient-consent-withdraw', session, { id, scopes })

interface Signed {
  id: string
  language: Language
  textHash: string
  signing: Signing
}
export const sign = (session: Credentials, signed: Signed) => call<{ signedAt: string }>('patient-consent-sign', session, signed)
