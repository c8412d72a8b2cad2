import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { filledAt } from '../clinic/clinic.ts'
import { type Process, startServer } from '../load/processes.ts'
import type { LoopDelay } from './event-loop-delay.ts'

export const hookPassword = 'bench-hook-password'
const [clock, delay] = ['../clock-offset.ts', './event-loop-delay.ts'].map((file) => path.join(import.meta.dirname, file))
const unlimited = '10000000'

/** Starts our server with a clock that continues from when the clinic was filled, and with its event loop watched. Files go to `folder`. */
export const startWatchedServer = (databaseUrl: string, folder: string): Promise<Process> =>
  startServer(databaseUrl, {
    ...mixedSettings(folder),
    NODE_OPTIONS: `--import=${clock} --import=${delay}`,
    BENCH_CLOCK_AHEAD: String(filledAt.getTime() - Date.now()),
  })

/** Settings of a server that is sent everything by the same few senders. */
export const mixedSettings = (folder: string): Record<string, string> => ({
  DATA_DIR: folder,
  POSTMARK_HOOK_PASSWORD: hookPassword,
  HOOKS_PER_MINUTE: unlimited,
  LEADS_PER_MINUTE_PER_KEY: unlimited,
  LEADS_PER_MINUTE_PER_ADDRESS: unlimited,
})

/** The delay of the server's event loop since the last call. */
export const loopDelay = (server: Process): Promise<LoopDelay> => askFor(server, 'event loop delay')

/** What a file loaded into the server prints on SIGUSR2, after its name. */
export async function askFor<Reading>({ pid, output, isRunning }: Process, name: string): Promise<Reading> {
  const printed = () => [...output().matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].at(-1)?.[1]
  const before = printed()
  process.kill(pid, 'SIGUSR2')
  while (printed() === before) {
    if (!isRunning()) throw new Error(`The server has ended: ${output()}`)
    await wait(10)
  }
  return JSON.parse(printed()!) as Reading
}
