import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../audit/service.ts'
import { profiles } from '../auth/table.ts'
import { keyPrefix, type KeyScope } from '../../kernel/access/key-rules.ts'
import { hashToken, newToken } from '../../kernel/tokens.ts'
import { apiKeys } from './table.ts'

/** A key has 256 random bits, so a plain hash is safe. */
const shown = {
  id: apiKeys.id,
  name: apiKeys.name,
  hint: apiKeys.hint,
  scopes: apiKeys.scopes,
  madeBy: profiles.name,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
}
const select = (db: Db) => db.select(shown).from(apiKeys).innerJoin(profiles, eq(profiles.id, apiKeys.createdBy))

/** The newest 200 keys, including revoked ones. */
export const listKeys = ({ db }: Scope) => select(db).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)).limit(200)

type NewKey = { name: string; scopes: KeyScope[]; days: number }

/** Creates a key that acts for the actor within these scopes. The key itself is returned once and never stored. */
export async function createKey(scope: Scope, { name, scopes, days }: NewKey) {
  const token = `${keyPrefix}${newToken()}`
  const createdAt = scope.now()
  const values = {
    name,
    hint: token.slice(0, keyPrefix.length + 4),
    scopes: [...new Set(scopes)],
    createdBy: staff(scope).id,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + days * 24 * 3_600_000),
  }
  return scope.db.transaction(async (tx) => {
    const [row] = await tx
      .insert(apiKeys)
      .values({ ...values, tokenHash: hashToken(token) })
      .returning({ id: apiKeys.id })
    const [key] = await select(tx).where(eq(apiKeys.id, row!.id))
    await recordChange(tx, scope, { action: 'created', kind: 'api-key', contactIds: [], after: { id: row!.id, ...values } })
    await announce(tx, row!.id)
    return { token, key: key! }
  })
}

/** Revokes a key; null if not found. A key that was already revoked is unchanged. */
export async function revokeKey(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const revokedAt = scope.now()
    const [ended] = await tx
      .update(apiKeys)
      .set({ revokedAt })
      .where(sql`${apiKeys.id} = ${id} and ${apiKeys.revokedAt} is null`)
      .returning()
    if (ended) {
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'api-key',
        contactIds: [],
        before: { id, name: ended.name, revokedAt: null },
        after: { id, name: ended.name, revokedAt },
      })
      await announce(tx, id)
    }
    const [key] = await select(tx).where(eq(apiKeys.id, id))
    return key ?? null
  })
}

const announce = (tx: Db, id: string) => publish(tx, 'api-key', id, { accounts: [], roles: ['admin'] })
