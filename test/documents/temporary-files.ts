import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** Returns a function that writes temporary files, which are deleted after this file's tests. Names are random. */
export function useTemporaryFiles(): (content: Uint8Array | string) => string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-documents-'))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  return (content) => {
    const file = path.join(folder, randomUUID())
    fs.writeFileSync(file, content)
    return file
  }
}
