import type { FileHandle } from 'node:fs/promises'
import type { Budget } from './budget.ts'
import type { FileRefusalCode } from '../contract.ts'

/**
 * Checks a file that seems to be of a kind; null if it is valid, complete and harmless.
 * @throws FileTooComplex
 */
export type Inspection = (file: string, handle: FileHandle, budget: Budget) => Promise<FileRefusalCode | null>

/** Reads bytes at an offset. @throws if the file is shorter. */
export async function readAt(handle: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
  if (bytesRead < length) throw new Error('The file ends too early')
  return buffer
}
