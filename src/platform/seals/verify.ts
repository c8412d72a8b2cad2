import { createWorkerPool } from '../../kernel/workers/worker-pool.ts'
import { maxPdfBytes, type Verdict } from './rules.ts'

/** In a worker of its own, which no one who seals waits for: anyone may send a PDF. */
const work = createWorkerPool<(task: { bytes: Uint8Array; known: readonly Uint8Array[] }) => Promise<Verdict>>(
  new URL('./verify-worker.ts', import.meta.url),
  { name: 'verifying PDFs', timeoutMs: 10_000, maxMemoryMb: 256, maxWaiting: 20 },
)

/**
 * Says whether a PDF is as it was sealed. Strict: any other byte anywhere in the file is an alteration, also where PDF would allow it.
 * @param knownCertificates of the practice, and of time-stamp authorities that it used, in DER
 * @throws a WorkerError; a RangeError for more than `maxPdfBytes`
 */
export async function verifyPdf(bytes: Uint8Array, knownCertificates: readonly Uint8Array[]): Promise<Verdict> {
  if (bytes.length > maxPdfBytes) throw new RangeError('The PDF is too large')
  return work({ bytes, known: knownCertificates })
}
