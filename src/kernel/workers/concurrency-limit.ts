import type { LimitName } from '../attempts.ts'
import { type Scope, staff } from '../scope.ts'

type ConcurrencyOptions = {
  /** The most at the same time in this process. */
  maxConcurrent: number
  /** An optional rate limit per user, and its subject. */
  limit?: { name: LimitName; of: string }
}

/**
 * Limits expensive work: so many at the same time, and optionally so many per user. Returns null if the limit is reached. Call `end` when
 * the work is done.
 */
export function createConcurrencyLimit({
  maxConcurrent,
  limit,
}: ConcurrencyOptions): (scope: Scope) => Promise<{ end: () => void } | null> {
  let running = 0
  return async (scope) => {
    if (running >= maxConcurrent) return null
    running++
    const end = () => void running--
    try {
      if (!limit || (await scope.attempts.consume(limit.name, `${limit.of} ${staff(scope).id}`))) return { end }
    } catch (error) {
      end()
      throw error
    }
    end()
    return null
  }
}

export const exportsBusy = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are running. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '10' } },
  )
