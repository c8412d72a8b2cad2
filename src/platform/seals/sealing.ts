import { createWorkerPool } from '../../kernel/workers/worker-pool.ts'
import type { KeyPair, NewKey } from './certificate.ts'
import type { SealInput } from './seal.ts'

export type SealingTask =
  | ({ do: 'create-key' } & NewKey)
  | ({ do: 'export-key'; password: string } & KeyPair)
  | ({ do: 'seal' } & SealInput)

/** Making a key takes up to a few seconds of processor time, reading a long PDF a tenth of a second. */
const work = createWorkerPool<(task: SealingTask) => Promise<KeyPair | Uint8Array<ArrayBuffer>>>(new URL('./worker.ts', import.meta.url), {
  name: 'sealing PDFs',
  timeoutMs: 60_000,
  maxMemoryMb: 512,
  reuseBelowMb: 350,
})

export const createKey = (input: NewKey) => work({ do: 'create-key', ...input }) as Promise<KeyPair>
export const exportKey = (input: KeyPair & { password: string }) => work({ do: 'export-key', ...input }) as Promise<Uint8Array<ArrayBuffer>>
export const seal = (input: SealInput) => work({ do: 'seal', ...input }) as Promise<Uint8Array<ArrayBuffer>>
