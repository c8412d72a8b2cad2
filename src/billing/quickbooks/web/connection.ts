import type { Client } from '../../../ui/client/api.ts'

/** The connection as it arrives in the browser: instants are ISO strings. */
export type Connection = Awaited<ReturnType<Client['quickbooks']['status']>>
