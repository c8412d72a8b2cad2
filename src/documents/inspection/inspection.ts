import type { FileHandle } from 'node:fs/promises'
import type { Budget } from './budget.ts'
import type { FileRefusalCode } from '../contract.ts'

/**
 * Looks closely at a file that seems to be of a kind: null when it is one, whole and harmless to open.
 * @throws FileTooComplex
 */
export type Inspection = (file: string, handle: FileHandle, budget: Budget) => Promise<FileRefusalCode | null>

/** Positions in bytes. @throws when the file is shorter. */
export async function bytesAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
  if (bytesRead < length) throw new Error('The file ends too early')
  return buffer
}
