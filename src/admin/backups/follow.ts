import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Env } from '../../kernel/env.ts'
import { lowerPriority, systemVariables } from '../../kernel/workers/worker-pool.ts'

/** What the process of the backups needs to know. */
export type FollowerSettings = { env: Env; ownerUrl: string; dataFolder: string | null }

const restartAfter = 10_000
/** For the last changes to be archived. */
const stopWithin = 8_000

/**
 * Keeps a process that makes the backups of BACKUP_TO: it reads and encrypts gigabytes, which must not delay anyone's request. It ends with the
 * server, and is started again when it ends before.
 */
export function startBackups(settings: FollowerSettings, log: Logger): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  let child: ChildProcess | null = null

  const keep = async () => {
    while (!stopping.signal.aborted) {
      child = fork(new URL('./follower.ts', import.meta.url), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: systemVariables(),
      })
      lowerPriority(child.pid)
      child.send(settings)
      await once(child, 'exit').catch(() => {})
      child = null
      if (stopping.signal.aborted) return
      log.warn('The process of the backups ended; starting another')
      await after(restartAfter, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = keep()

  return {
    async stop() {
      stopping.abort()
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), stopWithin)
      await ended
      clearTimeout(timer)
    },
  }
}
