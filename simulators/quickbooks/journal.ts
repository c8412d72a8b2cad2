/** The file that preserves records and tokens across restarts: one JSON object per line, written before the response is sent. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'
import type { EntityType } from './entity.ts'
import type { Grant } from './grants.ts'

/** A change to a record together with its response, so that neither is stored without the other. */
export type Commit = { type: EntityType; requestId?: string | undefined; body: Record<string, unknown> }

type Entry = { commit: Commit } | { grant: Grant }

export class Journal {
  readonly #file: string | undefined

  constructor(file?: string) {
    this.#file = file
    if (file) mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
  }

  /** The entries, oldest first. A truncated last line is also removed from the file: its request got no response. */
  read(): Entry[] {
    if (!this.#file || !existsSync(this.#file)) return []
    const bytes = readFileSync(this.#file)
    const complete = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
    if (complete.length < bytes.length) truncateSync(this.#file, complete.length)
    return complete
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry) // each line was written by write()
  }

  write(entry: Entry): void {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
