/** Worker that sanitises email HTML (started by sanitise-thread.ts): hostile megabytes take seconds. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { sanitiseMail } from './sanitise.ts'

runWorker(sanitiseMail)
