import { createWorkerPool } from '../workers/worker-pool.ts'
import type { PdfDocument } from './document.ts'

/**
 * Renders a PDF in a worker, because a hundred pages take a few seconds and loading fonts a quarter of a second.
 * @throws an error if rendering fails or takes longer than a minute.
 */
export const renderPdf = createWorkerPool<(document: PdfDocument) => Promise<Uint8Array<ArrayBuffer>>>(
  new URL('./worker.ts', import.meta.url),
  {
    name: 'rendering PDFs',
    timeoutMs: 60_000,
    maxMemoryMb: 512,
    reuseBelowMb: 350,
  },
)
