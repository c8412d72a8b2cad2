/** Verifies PDFs in a worker process, which verify.ts starts. */
import { runWorker } from '../../kernel/workers/worker-process.ts'
import { checkPdf } from './check.ts'

runWorker(({ bytes, known }: { bytes: Uint8Array; known: readonly Uint8Array[] }) => Promise.resolve(checkPdf(bytes, known)))
