/** PostgreSQL and socket codes of an unavailable database: connection failures, shutdown, too many connections, a standby. */
const unavailableCodes = /^(08|25006|57P0|53300|ECONNREFUSED|ENOENT|ECONNRESET|EPIPE|ETIMEDOUT)/

/** PostgreSQL's and the file system's codes of a full disk or a used-up quota. */
const diskFullCodes: readonly unknown[] = ['53100', 'ENOSPC', 'EDQUOT']

type Coded = { code?: unknown; message?: unknown; cause?: unknown }

/** Whether an error means that the database is unavailable, as opposed to a bug. A lost client is "not queryable", such as for a rollback. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let e = error as Coded | undefined; e && typeof e === 'object'; e = e.cause as Coded | undefined) {
    if (typeof e.code === 'string' && unavailableCodes.test(e.code)) return true
    if (
      typeof e.message === 'string' &&
      /Connection terminated|timeout exceeded when trying to connect|the database system is|not currently accepting connections|not queryable/.test(
        e.message,
      )
    )
      return true
  }
  return false
}

/** Whether something could not be written because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  for (let e = error as Coded | undefined; e && typeof e === 'object'; e = e.cause as Coded | undefined) {
    if (diskFullCodes.includes(e.code)) return true
  }
  return false
}

/** The database's error code, such as '55P03', or null. */
export function errorCode(error: unknown): string | null {
  for (let e = error as Coded | undefined; e && typeof e === 'object'; e = e.cause as Coded | undefined) {
    if (typeof e.code === 'string') return e.code
  }
  return null
}

/** Whether a statement was refused by the unique index of this name. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  for (let e = error as (Coded & { constraint?: unknown }) | undefined; e && typeof e === 'object'; e = e.cause as typeof e) {
    if (e.code === '23505' && e.constraint === constraint) return true
  }
  return false
}

/** The loggable part of an error: its kind and stack. Database messages and details may contain patients' data. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const from = error as Error & { code?: unknown; routine?: unknown; constraint?: unknown }
  return {
    kind: error.name,
    code: from.code,
    routine: from.routine,
    constraint: from.constraint,
    at: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8),
    cause: error.cause ? describeError(error.cause) : undefined,
  }
}

/** Whether an exclusion constraint refused the change, because the time is already booked. */
export const isOverlap = (error: unknown): boolean => errorCode(error) === '23P01'
