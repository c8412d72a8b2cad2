import type { Database } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type Figures, figuresQuery } from './figures.ts'

interface Reading {
  at: Date
  figures: Figures
}

/** Readings of one database: the running one, and the next one that all later callers wait for. */
interface Turn {
  current: Promise<unknown>
  next: Promise<Reading> | null
}
const queues = new WeakMap<Database, Turn>()

/**
 * Figures, identical for all users, read after the call. When something changes, every open dashboard asks at once: callers during a
 * reading share the one that follows it.
 */
export function latestFigures({ db, now, env }: Pick<Scope, 'db' | 'now' | 'env'>): Promise<Reading> {
  const turn = queues.get(db) ?? { current: Promise.resolve(), next: null }
  queues.set(db, turn)

  const read = async (): Promise<Reading> => {
    const at = now()
    const { rows } = await db.$client.query<Figures>(figuresQuery(at, env.PRACTICE_TIME_ZONE))
    return { at, figures: rows[0]! }
  }
  turn.next ??= turn.current
    .catch(() => {})
    .then(() => {
      turn.next = null
      const reading = read()
      turn.current = reading
      return reading
    })
  return turn.next
}
