import type { Database } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { type Figures, figuresQuery } from './figures.ts'

interface Reading {
  at: Date
  figures: Figures
}

/** The readings of one database: the one that runs, and the one that everyone who has come since waits for. */
interface Turn {
  current: Promise<unknown>
  next: Promise<Reading> | null
}
const turns = new WeakMap<Database, Turn>()

/**
 * The figures, which are the same for everyone, read after this was asked. When something changes, every dashboard that is open asks at once:
 * anyone who asks while a reading runs shares the one that follows it.
 */
export function latestFigures({ db, now, env }: Pick<Scope, 'db' | 'now' | 'env'>): Promise<Reading> {
  const turn = turns.get(db) ?? { current: Promise.resolve(), next: null }
  turns.set(db, turn)

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
