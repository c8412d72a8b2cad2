import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'

/** Writes files that are gone after the tests of this file. The names say nothing. */
export function useTemporaryFiles(): (content: Uint8Array | string) => string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'refyne-documents-'))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
  return (content) => {
    const file = path.join(folder, randomUUID())
    fs.writeFileSync(file, content)
    return file
  }
}
