import type { QuoteData } from '../calls.ts'
import type { HomeData, HomeFormData } from './home-calls.ts'

/** What the patient has to do, each kind with what it shows. A new kind is an entry here and a row in TodoList. */
export type Todo =
  | { kind: 'form'; id: string; form: HomeFormData }
  | { kind: 'quote'; id: string; quote: QuoteData }
  | { kind: 'balance'; id: string; balance: NonNullable<HomeData['balance']> }

/** Open ones first to last: forms, quotes that await an answer, the balance. */
export const todosOf = ({ forms, balance }: Pick<HomeData, 'forms' | 'balance'>, quotes: readonly QuoteData[]): Todo[] => [
  ...forms.filter(({ isDone }) => !isDone).map((form) => ({ kind: 'form', id: form.id, form }) as const),
  ...quotes.filter(({ shownStatus }) => shownStatus === 'sent').map((quote) => ({ kind: 'quote', id: quote.id, quote }) as const),
  ...(balance ? [{ kind: 'balance', id: 'balance', balance } as const] : []),
]
