import type { Client } from '../../../ui/client/api.ts'

/** Consent as the API returns it: times are ISO strings. */
export type ConsentData = Awaited<ReturnType<Client['consent']['get']>>
export type EntryData = ConsentData['entries'][number]
