import { and, eq, gt, lt } from 'drizzle-orm'
import { type Scope, staff } from '../../kernel/scope.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { oauthAttempts } from './table.ts'

/** Milliseconds allowed for authorizing at the provider. */
const attemptLifetimeMs = 10 * 60_000

/** Creates the `state` of a new OAuth attempt for the actor. It can be used by them only, once, within ten minutes. */
export async function beginAttempt(scope: Scope, purpose: string): Promise<string> {
  const state = newToken()
  const now = scope.now()
  await scope.db.delete(oauthAttempts).where(lt(oauthAttempts.expiresAt, now))
  const expiresAt = new Date(now.getTime() + attemptLifetimeMs)
  await scope.db.insert(oauthAttempts).values({ stateHash: hashToken(state), purpose, userId: staff(scope).id, expiresAt })
  return state
}

/** Whether the actor started this attempt and it is still open; uses it up. */
export async function endAttempt(scope: Scope, purpose: string, state: string): Promise<boolean> {
  const isMine = and(
    eq(oauthAttempts.stateHash, hashToken(state)),
    eq(oauthAttempts.purpose, purpose),
    eq(oauthAttempts.userId, staff(scope).id),
    gt(oauthAttempts.expiresAt, scope.now()),
  )
  return (await scope.db.delete(oauthAttempts).where(isMine).returning()).length > 0
}
