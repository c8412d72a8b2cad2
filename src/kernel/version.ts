import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Replaced by the build; undefined when the sources run. */
declare const BUILT_FROM: string | undefined

const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }

/** `commit`: the one that the server was built from; null if it was not built from a Git checkout. */
export const version: { number: string; commit: string | null } = {
  number: manifest.version,
  commit: (typeof BUILT_FROM === 'string' && BUILT_FROM) || null,
}
