import { createWorkerPool } from '../workers/worker-pool.ts'
import type { PdfDocument } from './document.ts'

/**
 * A paper as a PDF, drawn by a worker: one of a hundred pages takes a few seconds, and fonts take a quarter of one to read.
 * @throws a plain error when it cannot be drawn, or not within a minute.
 */
export const renderPdf = createWorkerPool<(document: PdfDocument) => Promise<Uint8Array<ArrayBuffer>>>(
  new URL('./worker.ts', import.meta.url),
  {
    name: 'drawing papers',
    timeoutMs: 60_000,
    maxMemoryMb: 512,
    keptBelowMb: 350,
  },
)
