import type { Client } from '../../../ui/client/api.ts'

/** An entry of the timeline as it arrives in the browser: its instant is an ISO string. */
export type Entry = Awaited<ReturnType<Client['interactions']['list']>>['data'][number]
