import { statfsSync } from 'node:fs'
import type { Env } from './env.ts'
import { isDatabaseUnavailable, isDiskFull } from './errors.ts'

/** Why a request cannot be carried out now, through no fault of its sender: the answer is 503. */
export type Outage = { code: 'SERVICE_UNAVAILABLE' | 'DISK_FULL'; message: string }

const unavailable: Outage = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The database can’t be reached. Nothing was changed. Please try again in a moment.',
}
const diskFull: Outage = {
  code: 'DISK_FULL',
  message: 'The server’s disk is full, so nothing can be saved. Please tell your administrator, and try again when there is space.',
}

/** PostgreSQL cannot continue without space for the next segment of its log. */
const neededBytes = 16 * 1024 * 1024

/** Null for an error that is no outage. A full disk may also have ended the bundled PostgreSQL. */
export function outageOf(error: unknown, env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): Outage | null {
  if (isDiskFull(error)) return diskFull
  if (!isDatabaseUnavailable(error)) return null
  return env.DATABASE_URL === undefined && freeBytes(env.DATA_DIR) < neededBytes ? diskFull : unavailable
}

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
