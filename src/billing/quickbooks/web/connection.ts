import type { Client } from '../../../ui/client/api.ts'

/** The connection as the API returns it: instants are ISO strings. */
export type Connection = Awaited<ReturnType<Client['quickbooks']['status']>>
