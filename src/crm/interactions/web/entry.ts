import type { Client } from '../../../ui/client/api.ts'

/** A timeline entry as the API returns it: times are ISO strings. */
export type Entry = Awaited<ReturnType<Client['interactions']['list']>>['data'][number]
