import type { Client } from '../../../ui/client/api.ts'

/** A saved report as JSON: instants are ISO strings. */
export type Saved = Awaited<ReturnType<Client['reports']['saved']>>[number]
