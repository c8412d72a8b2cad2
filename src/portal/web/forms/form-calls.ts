import type { OwnForm } from '../../../chart/forms/contract.ts'
import type { Language } from '../../../shared/translations.ts'
import type { AnswerProblem } from '../../../chart/forms/rules.ts'
import { type Credentials, post, Refusal } from '../calls.ts'

/** A form as the API returns it: instants are ISO strings. */
export type FormData = Omit<OwnForm, 'expiresAt' | 'submittedAt'> & { expiresAt: string; submittedAt: string | null }

export const closedCodes = ['SUBMITTED', 'WITHDRAWN', 'EXPIRED', 'NOT_FOUND'] as const
export type ClosedCode = (typeof closedCodes)[number]
/** Why a form can't be filled in (any more), if that is why a call was refused. */
export const closedCodeOf = (error: unknown): ClosedCode | null =>
  closedCodes.find((code) => error instanceof Refusal && error.code === code) ?? null

/** What another device has saved since, if that is why a call was refused. */
export const currentOf = (error: unknown): FormData | null =>
  error instanceof Refusal && error.code === 'CHANGED' ? (error.data as { current: FormData }).current : null
export const problemsOf = (error: unknown): AnswerProblem[] | null =>
  error instanceof Refusal && error.code === 'INCOMPLETE' ? (error.data as { problems: AnswerProblem[] }).problems : null

interface Saved {
  id: string
  revision: number
  language: Language
}

async function call<Result>(name: string, { contactId, token }: Credentials, body: object): Promise<Result> {
  const response = await post(name, { contactId, sessionToken: token, ...body })
  return (await response.json()) as Result
}

export const fetchForm = (session: Credentials, id: string) => call<FormData>('patient-form-fetch', session, { id })

/** Undefined answers are sent as null, which removes them. */
export const saveForm = (session: Credentials, saved: Saved, changes: Record<string, unknown>) =>
  call<{ revision: number; progress: number; problems: AnswerProblem[] }>('patient-form-save', session, {
    ...saved,
    changes: Object.fromEntries(Object.entries(changes).map(([id, value]) => [id, value ?? null])),
  })

export const submitForm = (session: Credentials, saved: Saved) => call<{ submittedAt: string }>('patient-form-submit', session, saved)
