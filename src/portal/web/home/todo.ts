import type { QuoteData } from '../calls.ts'
import type { HomeConsentData, HomeData, HomeFormData } from './home-calls.ts'

/** What the patient has to do, each kind with what it shows. A new kind is an entry here and a row in TodoList. */
export type Todo =
  | { kind: 'form'; id: string; form: HomeFormData }
  | { kind: 'consent'; id: string; consent: HomeConsentData }
  | { kind: 'quote'; id: string; quote: QuoteData }
  | { kind: 'balance'; id: string; balance: NonNullable<HomeData['balance']> }

/**
 * Open ones first to last: forms, consent forms, quotes that await an answer, and what has to be paid by today or before the surgery.
 * @param today a day on the practice's calendar.
 */
export const todosOf = (
  { forms, consents, balance }: Pick<HomeData, 'forms' | 'consents' | 'balance'>,
  quotes: readonly QuoteData[],
  today: string,
): Todo[] => [
  ...forms.filter(({ isDone }) => !isDone).map((form) => ({ kind: 'form', id: form.id, form }) as const),
  ...consents.filter(({ signedAt }) => signedAt === null).map((consent) => ({ kind: 'consent', id: consent.id, consent }) as const),
  ...quotes.filter(({ shownStatus }) => shownStatus === 'sent').map((quote) => ({ kind: 'quote', id: quote.id, quote }) as const),
  ...(balance && (balance.dueOn <= today || balance.isBeforeSurgery) ? [{ kind: 'balance', id: 'balance', balance } as const] : []),
]

/** A submitted form or a signed consent form. */
export interface Done {
  id: string
  title: HomeFormData['title']
  /** Null: a form. */
  signedAt: string | null
}

export const doneOf = ({ forms, consents }: Pick<HomeData, 'forms' | 'consents'>): Done[] => [
  ...forms.filter(({ isDone }) => isDone).map(({ id, title }) => ({ id, title, signedAt: null })),
  ...consents.filter(({ signedAt }) => signedAt !== null),
]
