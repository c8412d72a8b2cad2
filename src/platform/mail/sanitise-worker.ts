/** Worker that sanitises email HTML (started by sanitise-thread.ts): hostile megabytes take seconds. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { sanitiseMail, type SanitisedMail, sanitiseWritten } from './sanitise.ts'

export type SanitiseWork = (given: { received: string } | { written: string }) => Promise<SanitisedMail | string | null>

runWorker<SanitiseWork>(async (given) => ('received' in given ? sanitiseMail(given.received) : sanitiseWritten(given.written)))
