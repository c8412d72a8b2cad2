/** Makes the HTML of mails harmless as a worker of its own (sanitise-thread.ts starts it): a hostile one of megabytes takes seconds. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { sanitiseMail } from './sanitise.ts'

runWorker(sanitiseMail)
