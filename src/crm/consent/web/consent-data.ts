import type { Client } from '../../../ui/client/api.ts'

/** As it arrives: moments are ISO strings. */
export type ConsentData = Awaited<ReturnType<Client['consent']['get']>>
export type EntryData = ConsentData['entries'][number]
