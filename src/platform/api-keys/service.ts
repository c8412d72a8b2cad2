import { createHash, randomBytes } from 'node:crypto'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { recordChange } from '../audit/service.ts'
import { profiles } from '../auth/table.ts'
import { keyPrefix, type KeyScope } from '../../kernel/access/key-rules.ts'
import { apiKeys } from './table.ts'

/** A key has 256 random bits: a plain hash of it tells nothing. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

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

/** The newest 200, revoked ones too. */
export const listKeys = ({ db }: Scope) => select(db).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)).limit(200)

type NewKey = { name: string; scopes: KeyScope[]; days: number }

/** Makes a key that acts for the actor, within these scopes. The key leaves here and is kept nowhere. */
export async function makeKey(scope: Scope, { name, scopes, days }: NewKey) {
  const token = `${keyPrefix}${randomBytes(32).toString('base64url')}`
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
      .values({ ...values, tokenHash: hashOf(token) })
      .returning({ id: apiKeys.id })
    const [key] = await select(tx).where(eq(apiKeys.id, row!.id))
    await recordChange(tx, scope, { action: 'created', kind: 'api-key', contactIds: [], after: { id: row!.id, ...values } })
    await announce(tx, row!.id)
    return { token, key: key! }
  })
}

/** Ends a key; null when there is none. One that was ended before stays as it is. */
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
