import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../kernel/postgres/database.ts'
import type { Events } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/http/webhook.ts'
import { rateLimitKey } from '../../kernel/http/requests.ts'
import type { Actor } from '../../kernel/access/rules.ts'
import type { Attempts } from '../auth/service.ts'
import { profiles } from '../auth/table.ts'
import { isLive, keyIn } from '../../kernel/access/key-rules.ts'
import { hashToken } from '../../kernel/tokens.ts'
import { apiKeys } from './table.ts'

/**
 * How long a key may be cached without a database query. Revocation of the key, or of its owner's account, is published and evicts it
 * immediately.
 */
const rememberFor = 5_000
const maxRemembered = 1_000

type Known = { actor: Actor; expiresAt: Date | null }

const unknownKey = () => refuse(401, 'INVALID_API_KEY', 'This API key is unknown, has expired, or was revoked')
const tooMany = () => refuse(429, 'TOO_MANY_REQUESTS', 'Too many requests. Try again in a minute.')

/**
 * Resolves the API key of a request to an actor: null if the request has no key, a response if the key is refused. A key acts with its
 * owner's current role, within its own scopes. Calls are rate-limited per key, and invalid keys per address.
 */
export function createKeys(db: Database, events: Events, now: () => Date) {
  const known = new Map<string, { found: Known; until: number }>()
  let generation = 0
  events.onEvent(({ topic }) => {
    if (topic !== 'api-key' && topic !== 'people' && topic !== 'session' && topic !== 'connected') return
    generation++
    known.clear()
  })

  async function find(hash: string): Promise<Known | null> {
    const hit = known.get(hash)
    if (hit && hit.until > performance.now()) return hit.found
    const asked = generation
    const [row] = await db
      .select({ key: apiKeys, role: profiles.role, status: profiles.status, name: profiles.name, email: profiles.email })
      .from(apiKeys)
      .innerJoin(profiles, eq(profiles.id, apiKeys.createdBy))
      .where(eq(apiKeys.tokenHash, hash))
    if (!row || row.status !== 'active' || !isLive(row.key, now())) return null
    const { key, ...account } = row
    await db
      .update(apiKeys)
      .set({ lastUsedAt: now() })
      .where(
        sql`${apiKeys.id} = ${key.id} and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} < ${now()}::timestamptz - interval '1 minute')`,
      )
    const found: Known = {
      actor: { ...account, id: key.createdBy, sessionId: '', apiKey: { id: key.id, scopes: key.scopes } },
      expiresAt: key.expiresAt,
    }
    if (known.size >= maxRemembered) known.clear()
    if (asked === generation) known.set(hash, { found, until: performance.now() + rememberFor })
    return found
  }

  return async (headers: Headers, { address, attempts }: { address: string; attempts: Attempts }): Promise<Actor | Response | null> => {
    const token = keyIn(headers.get('authorization'))
    if (!token) return null
    const found = await find(hashToken(token))
    if (!found || !isLive({ expiresAt: found.expiresAt, revokedAt: null }, now())) {
      return (await attempts.consume('wrongApiKey', rateLimitKey(address))) ? unknownKey() : tooMany()
    }
    return (await attempts.consume('apiKey', found.actor.apiKey!.id)) ? found.actor : tooMany()
  }
}
