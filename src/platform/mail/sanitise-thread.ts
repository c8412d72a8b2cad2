import { createWorkerPool } from '../../kernel/workers/worker-pool.ts'
import { sanitiseMail as sanitise, type SanitisedMail } from './sanitise.ts'

/** Characters. Anything shorter is done in a few milliseconds, less than a worker takes to be asked. */
const short = 20_000

const file = new URL('./sanitise-worker.ts', import.meta.url)
const sanitising = { name: 'making mails harmless', timeoutMs: 30_000, maxMemoryMb: 300 }
/** What staff read in their mailboxes does not wait behind mail that anyone can send to the practice. */
const inWorker = {
  staff: createWorkerPool<(html: string) => Promise<SanitisedMail>>(file, { ...sanitising, maxWaiting: 200 }),
  outside: createWorkerPool<(html: string) => Promise<SanitisedMail>>(file, { ...sanitising, maxWaiting: 20 }),
}

/** `sanitiseMail` without holding up everyone else. Null: it was not done within half a minute, or too much waits for it. */
export async function sanitiseMail(html: string, readBy: keyof typeof inWorker = 'staff'): Promise<SanitisedMail | null> {
  if (html.length <= short) return sanitise(html)
  return inWorker[readBy](html).catch(() => null)
}
