import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Scope, staff } from './scope.ts'

/** In this process. */
type Most = { atOnce: number; perHour: number }

/**
 * Whose turn it is to be sent, or have read, what is large: so many at once, and so many an hour for each person; null for whom it is not.
 * Who has had theirs ends it.
 */
export function createTurns({ atOnce, perHour }: Most): (scope: Scope) => Promise<{ end: () => void } | null> {
  const limiter = new RateLimiterMemory({ points: perHour, duration: 3600 })
  let running = 0
  return async (scope) => {
    if (running >= atOnce) return null
    running++
    const end = () => void running--
    return limiter.consume(staff(scope).id).then(
      () => ({ end }),
      () => {
        end()
        return null
      },
    )
  }
}

export const exportsBusy = () =>
  Response.json(
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are under way. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '60' } },
  )
