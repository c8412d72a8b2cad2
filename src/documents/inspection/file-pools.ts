import { createWorkerPool, WorkerError } from '../../kernel/workers/worker-pool.ts'
import type { Examined } from './examine.ts'
import type { FileTask, FileWork } from './file-worker.ts'

/** Staff never wait behind patients and inbound mail. */
export type SentBy = 'staff' | 'outside'

const file = new URL('./file-worker.ts', import.meta.url)
/** A file takes some 100 ms, the largest pictures a second or two. One is read at a time by each pool. */
const examining = { name: 'reading files', timeoutMs: 30_000, maxMemoryMb: 400 }
/** The decoder of HEIC holds a picture several times: one of 48 million pixels takes up to 1 GB. */
const drawing = { name: 'drawing pictures', timeoutMs: 25_000, maxMemoryMb: 1200 }

const pools = {
  staff: {
    examining: createWorkerPool<FileWork>(file, { ...examining, maxWaiting: 100 }),
    drawing: createWorkerPool<FileWork>(file, { ...drawing, maxWaiting: 50 }),
  },
  outside: {
    examining: createWorkerPool<FileWork>(file, { ...examining, maxWaiting: 10 }),
    drawing: createWorkerPool<FileWork>(file, { ...drawing, maxWaiting: 10 }),
  },
}

/** `examineFile` by a worker: one that takes too long or too much memory is FILE_TOO_COMPLEX, and while too many wait, the file is BUSY. */
export async function examine(by: SentBy, given: { file: string; name: string }): Promise<Examined> {
  try {
    return (await pools[by].examining({ examine: given })) as Examined
  } catch (error) {
    if (!(error instanceof WorkerError) || error.reason === 'failed') throw error
    return { refusal: error.reason === 'busy' ? 'BUSY' : 'FILE_TOO_COMPLEX' }
  }
}

const draw = async (by: SentBy, task: FileTask): Promise<Uint8Array<ArrayBuffer> | null> => {
  const drawn = (await pools[by].drawing(task).catch(() => null)) as Uint8Array | null
  return drawn && new Uint8Array(drawn)
}

/** A HEIC as a JPEG that every browser shows. Null: it cannot be shown. */
export const heicToJpeg = (by: SentBy, path: string) => draw(by, { preview: path })

/** A logo as it is kept. Null: it cannot be read. */
export const drawLogo = (bytes: Uint8Array) => draw('staff', { logo: bytes })
