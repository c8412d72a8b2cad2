import { createWorkerPool } from '../../kernel/workers/worker-pool.ts'
import { sanitiseMail as sanitise, type SanitisedMail, sanitiseWritten as sanitiseOwn } from './sanitise.ts'
import type { SanitiseWork } from './sanitise-worker.ts'

/** Characters. Shorter input takes a few milliseconds, less than a call to a worker. */
const short = 20_000

const file = new URL('./sanitise-worker.ts', import.meta.url)
const sanitising = { name: 'making mails harmless', timeoutMs: 30_000, maxMemoryMb: 300 }
/** Staff mailboxes have their own worker, so they do not wait behind email that anyone can send to the practice. */
const inWorker = {
  staff: createWorkerPool<SanitiseWork>(file, { ...sanitising, maxWaiting: 200 }),
  outside: createWorkerPool<SanitiseWork>(file, { ...sanitising, maxWaiting: 20 }),
}

/** Runs `sanitiseMail` in a worker without blocking the server. Null if it took more than half a minute, or the queue is full. */
export async function sanitiseMail(html: string, readBy: keyof typeof inWorker = 'staff'): Promise<SanitisedMail | null> {
  if (html.length <= short) return sanitise(html)
  return inWorker[readBy]({ received: html }).catch(() => null) as Promise<SanitisedMail | null>
}

/** Runs `sanitiseWritten` in the same way. */
export async function sanitiseWritten(html: string): Promise<string | null> {
  if (html.length <= short) return sanitiseOwn(html)
  return inWorker.staff({ written: html }).catch(() => null) as Promise<string | null>
}
