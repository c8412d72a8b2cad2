import type { Client } from '../../../ui/client/api.ts'

/** A quote version as the API returns it: instants are ISO strings. */
export type QuoteData = Awaited<ReturnType<Client['quotes']['get']>>
export type ChoicesData = Awaited<ReturnType<Client['quotes']['choices']>>

/** The patient that the quotes belong to. */
export interface QuotePatient {
  id: string
  firstName: string
  lastName: string
}
