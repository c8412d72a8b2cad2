import { and, eq, gt, lt } from 'drizzle-orm'
import { type Scope, staff } from '../../kernel/scope.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { oauthAttempts } from './table.ts'

/** Milliseconds allowed for authorizing at the provider. */
const attemptLifetimeMs = 10 * 60_000

/**
 * Creates the `state` of a new attempt. It can be used once, within ten minutes: by the actor only, or, if no one is signed in yet, by the
 * browser that has the cookie with this hash.
 */
export async function beginAttempt(scope: Scope, purpose: string, browserHash?: string): Promise<string> {
  const state = newToken()
  const now = scope.now()
  await scope.db.delete(oauthAttempts).where(lt(oauthAttempts.expiresAt, now))
  const expiresAt = new Date(now.getTime() + attemptLifetimeMs)
  const by = browserHash === undefined ? { userId: staff(scope).id } : { browserHash }
  await scope.db.insert(oauthAttempts).values({ stateHash: hashToken(state), purpose, expiresAt, ...by })
  return state
}

/** Whether the actor, or the browser, started this attempt and it is still open; uses it up. */
export async function endAttempt(scope: Scope, purpose: string, state: string, browserHash?: string): Promise<boolean> {
  const isMine = and(
    eq(oauthAttempts.stateHash, hashToken(state)),
    eq(oauthAttempts.purpose, purpose),
    browserHash === undefined ? eq(oauthAttempts.userId, staff(scope).id) : eq(oauthAttempts.browserHash, browserHash),
    gt(oauthAttempts.expiresAt, scope.now()),
  )
  return (await scope.db.delete(oauthAttempts).where(isMine).returning()).length > 0
}
