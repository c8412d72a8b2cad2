import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createBudget, FileTooComplex } from './budget.ts'
import type { FileRefusalCode } from '../contract.ts'
import { inspectFile } from './inspect.ts'
import type { FileKind } from '../rules.ts'
import { stripLocation } from './strip-location.ts'

/** What a file is, once it is as it is kept, or why it is not taken. */
export type Examined = { kind: FileKind; size: number; sha256: string } | { refusal: FileRefusalCode }

/** Looks at a file on the disk for what it is, and takes out of it where a picture was taken: at most for so much work as a budget allows. */
export async function examineFile({ file, name }: { file: string; name: string }): Promise<Examined> {
  const budget = createBudget()
  const seen = await inspectFile(file, name, budget)
  if ('refusal' in seen) return seen
  try {
    await stripLocation(file, seen.kind, budget)
  } catch (error) {
    if (error instanceof FileTooComplex) return { refusal: 'FILE_TOO_COMPLEX' }
    throw error
  }
  return { kind: seen.kind, ...(await measure(file)) }
}

async function measure(file: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}
