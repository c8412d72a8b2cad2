import type { Logger } from 'pino'

/** A kind of problem that this process logged. It has only what the log has: no message of an error, no data. */
export type RecentFailure = {
  /** The log's own sentence. */
  message: string
  level: 'warn' | 'error'
  /** The name of the error, such as 'DatabaseError'; null if the line has none. */
  kind: string | null
  /** The job or the route. */
  where: string | null
  count: number
  lastAt: Date
  requestId: string | null
}

/** Kinds kept; the one that has not occurred for the longest time makes room. */
const maxKinds = 50

const textIn = (fields: Record<string, unknown>, ...names: string[]): string | null => {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : null
}

/** Remembers what is logged through the returned log as a warning or an error, by kind. `recent`: newest first. */
export function rememberFailures(to: Logger): { log: Logger; recent: () => RecentFailure[] } {
  const failures = new Map<string, RecentFailure>()
  const log = to.child({})
  const remember = (level: RecentFailure['level'], args: unknown[]) => {
    const [given, message] = typeof args[0] === 'string' ? [{}, args[0]] : args
    if (typeof given !== 'object' || given === null || typeof message !== 'string') return
    const fields = given as Record<string, unknown>
    const kind = textIn((fields.error ?? {}) as Record<string, unknown>, 'kind') ?? textIn(fields, 'kind')
    const where = textIn(fields, 'job', 'route')
    const key = JSON.stringify([message, kind, where])
    const count = (failures.get(key)?.count ?? 0) + 1
    failures.delete(key) // so that the map is in the order of their last time
    failures.set(key, { message, level, kind, where, count, lastAt: new Date(), requestId: textIn(fields, 'requestId') })
    if (failures.size > maxKinds) failures.delete(failures.keys().next().value!)
  }
  for (const level of ['warn', 'error'] as const) {
    const write = log[level]
    log[level] = (...args: unknown[]) => {
      remember(level, args)
      Reflect.apply(write, log, args)
    }
  }
  return { log, recent: () => [...failures.values()].toReversed() }
}
