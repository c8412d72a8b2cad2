/**
 * Loaded into a server (`node --import`): on SIGUSR2, collects the garbage and prints the bytes that are still in use. Resident memory says little
 * about a leak: it also has what the engine keeps for later.
 */
import { setImmediate as next } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** `at` tells one reading from the next; `external` has the buffers. */
export type Memory = { at: number; heapUsed: number; external: number }

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

async function print() {
  collectGarbage()
  await next() // what was found unreachable may release more
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  console.log(`memory ${JSON.stringify({ at: performance.now(), heapUsed, external } satisfies Memory)}`)
}

process.on('SIGUSR2', () => void print())
