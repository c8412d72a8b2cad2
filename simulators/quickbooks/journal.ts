/** The file that lets the books and the tokens outlive a restart: one JSON object per line, written before the answer leaves. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs'
import path from 'node:path'
import type { EntityType } from './entity.ts'
import type { Grant } from './grants.ts'

/** A change of the books with the answer that was given for it, so that neither is ever without the other. */
export type Commit = { type: EntityType; requestId?: string | undefined; body: Record<string, unknown> }

type Entry = { commit: Commit } | { grant: Grant }

export class Journal {
  readonly #file: string | undefined

  constructor(file?: string) {
    this.#file = file
    if (file) mkdirSync(path.dirname(path.resolve(file)), { recursive: true })
  }

  /** The entries, oldest first. A truncated last line is removed, also from the file: its request was never answered. */
  read(): Entry[] {
    if (!this.#file || !existsSync(this.#file)) return []
    const bytes = readFileSync(this.#file)
    const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
    if (whole.length < bytes.length) truncateSync(this.#file, whole.length)
    return whole
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry) // our own file: each line was written by write()
  }

  write(entry: Entry): void {
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
  }
}
