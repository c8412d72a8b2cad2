import fs from 'node:fs/promises'
import path from 'node:path'
import type { Scope } from '../../../kernel/scope.ts'
import { createWorkerPool, WorkerError } from '../../../kernel/workers/worker-pool.ts'
import { receiveFile } from '../../../documents/service.ts'
import type { MailWork, ReadMail } from './mail-worker.ts'

/** More than these are counted, and not kept. */
export const maxAttachments = 50

const inWorker = createWorkerPool<MailWork>(new URL('./mail-worker.ts', import.meta.url), {
  name: 'reading mails',
  timeoutMs: 30_000,
  // The largest mail, 35 MB of attachments as base64, takes some 200 MB.
  maxMemoryMb: 235,
})

/**
 * Parses a posted email in a worker, and passes it to `take`; its attachments are on disk until that is done. `refusal`: not JSON, or too
 * costly to parse. `fields`: validation errors. Throws a FileRefused when it is too large or the upload stalls.
 */
export async function readMail<Taken>(
  scope: Scope,
  { body, limit }: { body: AsyncIterable<Uint8Array>; limit: number },
  take: (mail: ReadMail) => Promise<Taken>,
): Promise<{ taken: Taken } | Exclude<Awaited<ReturnType<MailWork>>, { mail: ReadMail }> | { refusal: 'MAIL_TOO_COMPLEX' }> {
  const received = await receiveFile(scope, limit, body)
  const folder = await fs.mkdtemp(`${received}-`)
  try {
    const read = await inWorker({ body: received, folder: path.resolve(folder), maxFiles: maxAttachments })
    return 'mail' in read ? { taken: await take(read.mail) } : read
  } catch (error) {
    if (error instanceof WorkerError && error.reason !== 'failed') return { refusal: 'MAIL_TOO_COMPLEX' }
    throw error
  } finally {
    await Promise.all([fs.rm(received, { force: true }), fs.rm(folder, { recursive: true, force: true })])
  }
}
