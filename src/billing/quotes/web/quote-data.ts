import type { Client } from '../../../ui/client/api.ts'

/** A version of a quote as it arrives in the browser: instants are ISO strings. */
export type QuoteData = Awaited<ReturnType<Client['quotes']['get']>>
export type ChoicesData = Awaited<ReturnType<Client['quotes']['choices']>>

/** Whose quotes they are. */
export interface QuotePatient {
  id: string
  firstName: string
  lastName: string
}
