import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, lt } from 'drizzle-orm'
import { type Scope, staff } from '../../kernel/scope.ts'
import { oauthAttempts } from './table.ts'

/** Milliseconds: how long someone may take to say yes at the other system. */
const within = 10 * 60_000

const hashOf = (state: string): string => createHash('sha256').update(state).digest('base64url')

/** The `state` of a new attempt of the actor's. What comes back with it is worth something to them alone, once, for ten minutes. */
export async function beginAttempt(scope: Scope, purpose: string): Promise<string> {
  const state = randomBytes(32).toString('base64url')
  const now = scope.now()
  await scope.db.delete(oauthAttempts).where(lt(oauthAttempts.expiresAt, now))
  const expiresAt = new Date(now.getTime() + within)
  await scope.db.insert(oauthAttempts).values({ stateHash: hashOf(state), purpose, userId: staff(scope).id, expiresAt })
  return state
}

/** Whether the actor has begun this, and not ended it yet; a second time the answer is no. */
export async function endAttempt(scope: Scope, purpose: string, state: string): Promise<boolean> {
  const isMine = and(
    eq(oauthAttempts.stateHash, hashOf(state)),
    eq(oauthAttempts.purpose, purpose),
    eq(oauthAttempts.userId, staff(scope).id),
    gt(oauthAttempts.expiresAt, scope.now()),
  )
  return (await scope.db.delete(oauthAttempts).where(isMine).returning()).length > 0
}
