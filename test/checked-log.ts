import type { Logger } from 'pino'
import { openLog } from '../src/kernel/log.ts'

/** A log that must not contain personal data or credentials, whatever a test sends. */
export interface WatchedLog {
  log: Logger
  /** Adds a secret of this server. */
  watch: (secret: string) => void
  /** The lines that contain one. */
  breaches: () => readonly string[]
}

let failures: string[] = []

/** The failures that servers of this process logged since this was last called. */
export function takeLoggedFailures(): string[] {
  const taken = failures
  failures = []
  return taken
}

const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/

/** A debug-level log that checks each line, and stores only those of failures. */
export function watchedLog(secrets: readonly string[]): WatchedLog {
  const watched = new Set(secrets)
  const breaches: string[] = []
  const write = (line: string) => {
    if (line.startsWith('{"level":50')) failures.push(line.trim())
    if (address.test(line) || [...watched].some((secret) => line.includes(secret))) breaches.push(line)
  }
  return { log: openLog('debug', { write }), watch: (secret) => void watched.add(secret), breaches: () => breaches }
}
