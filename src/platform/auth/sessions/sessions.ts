import { sql } from 'drizzle-orm'
import type { Actor } from '../../../kernel/access/rules.ts'
import { cookieOf } from './cookies.ts'
import type { Auth } from '../service.ts'
import { remainingLifetime } from './session-expiry.ts'
import type { Database } from '../../../kernel/postgres/database.ts'
import type { Env } from '../../../kernel/env.ts'
import type { Events } from '../../../kernel/events/events.ts'

/** How long a session may be cached without a database query. The end of a session is published and evicts it immediately. */
const rememberFor = 5_000
const maxRemembered = 10_000

/** Resolves a request's cookie to its user, or null. */
export function createSessions(auth: Auth, db: Database, events: Events, env: Env): (headers: Headers) => Promise<Actor | null> {
  const known = new Map<string, { actor: Actor | null; until: number }>()
  let generation = 0
  events.onEvent(({ topic, id }) => {
    if (topic !== 'session' && topic !== 'people' && topic !== 'connected') return
    generation++
    for (const [cookie, { actor }] of known)
      if (topic === 'connected' || actor?.id === id || actor?.sessionId === id || actor === null) known.delete(cookie)
  })

  return async (headers) => {
    const cookie = cookieOf(env, headers, 'session_token')?.value
    if (!cookie) return null
    const hit = known.get(cookie)
    if (hit && hit.until > Date.now()) return hit.actor
    const asked = generation
    const found = await auth.api.getSession({ headers }).catch(async (error: unknown) => {
      await db.execute(sql`select 1`) // the library does not say why it failed; if the database is down, this query fails too
      throw error
    })
    // Requests don't count as activity, because pages send some automatically.
    const life = found && (await remainingLifetime(db, env, found.session.id))
    const actor = found && life ? asActor(found) : null
    const until = Date.now() + Math.min(rememberFor, (life?.idleSeconds ?? rememberFor) * 1000)
    if (known.size >= maxRemembered) known.clear()
    if (asked === generation) known.set(cookie, { actor, until })
    return actor
  }
}

function asActor({ session, user }: NonNullable<Awaited<ReturnType<Auth['api']['getSession']>>>): Actor {
  return {
    id: user.id,
    sessionId: session.id,
    role: user.role as Actor['role'],
    status: user.status as Actor['status'],
    name: user.name,
    email: user.email,
  }
}
