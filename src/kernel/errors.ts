/** PostgreSQL's classes for "not there now": connection failures, shutdown, too many connections. */
const awayCodes = /^(08|57P0|53300|ECONNREFUSED|ENOENT|ECONNRESET|EPIPE|ETIMEDOUT)/

type Coded = { code?: unknown; message?: unknown; cause?: unknown }

/** Whether an error means that the database is away, as opposed to a mistake of ours. */
export function isDatabaseAway(error: unknown): boolean {
  for (let e = error as Coded | undefined; e && typeof e === 'object'; e = e.cause as Coded | undefined) {
    if (typeof e.code === 'string' && awayCodes.test(e.code)) return true
    if (
      typeof e.message === 'string' &&
      /Connection terminated|timeout exceeded when trying to connect|the database system is|not currently accepting connections/.test(
        e.message,
      )
    )
      return true
  }
  return false
}

/** The code of the database for why a statement failed, such as '55P03'. */
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

/** What may be logged of an error: its kind and where it happened. Messages and details of the database quote patients' data. */
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

/** Whether an exclusion constraint refused the change: the time is taken. */
export const isOverlap = (error: unknown): boolean => errorCode(error) === '23P01'
