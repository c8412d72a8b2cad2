import type { Logger } from 'pino'
import { openLog } from '../src/kernel/log.ts'

/** What no line of the log may have, whatever a test sends: whom it is about, and what people prove themselves with. */
export interface WatchedLog {
  log: Logger
  /** A secret of this server. */
  watch: (secret: string) => void
  /** The lines that have one; none, if all is well. */
  breaches: () => readonly string[]
}

const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/

/** A server's log at its most talkative, kept nowhere: each line is looked through as it is written. */
export function watchedLog(secrets: readonly string[]): WatchedLog {
  const watched = new Set(secrets)
  const breaches: string[] = []
  const write = (line: string) => {
    if (address.test(line) || [...watched].some((secret) => line.includes(secret))) breaches.push(line)
  }
  return { log: openLog('debug', { write }), watch: (secret) => void watched.add(secret), breaches: () => breaches }
}
