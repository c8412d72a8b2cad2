import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createBudget, FileTooComplex } from './budget.ts'
import type { FileRefusalCode } from '../contract.ts'
import { inspectFile } from './inspect.ts'
import type { FileKind } from '../rules.ts'
import { stripLocation } from './strip-location.ts'

/** The kind, size and hash of a file as stored, or why it is refused. */
export type Examined = { kind: FileKind; size: number; sha256: string } | { refusal: FileRefusalCode }

/** Detects the kind of a file on disk and removes the location from images, within a work budget. */
export async function examineFile({ file, name }: { file: string; name: string }): Promise<Examined> {
  const budget = createBudget()
  const inspected = await inspectFile(file, name, budget)
  if ('refusal' in inspected) return inspected
  try {
    await stripLocation(file, inspected.kind, budget)
  } catch (error) {
    if (error instanceof FileTooComplex) return { refusal: 'FILE_TOO_COMPLEX' }
    throw error
  }
  return { kind: inspected.kind, ...(await measure(file)) }
}

/** The size and the SHA-256 of a file, read piece by piece. */
export async function measure(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}
