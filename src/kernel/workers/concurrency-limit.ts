import type { LimitName } from '../attempts.ts'
import { type Scope, staff } from '../scope.ts'

type Most = {
  /** In this process. */
  atOnce: number
  /** The limit that each person's turns count against, and of what. */
  limit?: { name: LimitName; of: string }
}

/**
 * Whose turn it is to be sent, or have read, what is large: so many at once, and so many for each person, if that is limited; null for whom it is not.
 * Who has had theirs ends it.
 */
export function createConcurrencyLimit({ atOnce, limit }: Most): (scope: Scope) => Promise<{ end: () => void } | null> {
  let running = 0
  return async (scope) => {
    if (running >= atOnce) return null
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
    { code: 'TOO_MANY_REQUESTS', message: 'Other exports are under way. Please try again in a minute.' },
    { status: 429, headers: { 'retry-after': '10' } },
  )
