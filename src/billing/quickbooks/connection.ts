import { type AccessToken, createQuickBooks, type QuickBooks } from '../../integrations/quickbooks/client.ts'
import { apiUrl, createOAuth, type Tokens } from '../../integrations/quickbooks/oauth.ts'
import type { Env } from '../../kernel/env.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { publish } from '../../kernel/events/events.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal, unseal } from '../../kernel/seal.ts'
import { recordChange } from '../../platform/audit/service.ts'
import { beginAttempt, endAttempt } from '../../platform/auth/service.ts'
import { contactCustomers, quickbooksConnection, quickbooksLists, quickbooksObjects } from './table.ts'

const sealedFor = 'quickbooks tokens'
/** Milliseconds before expiry at which a token counts as expired, because it could expire in transit. */
const margin = 60_000

export const hasCredentials = (env: Env): boolean => env.QUICKBOOKS_CLIENT_ID !== undefined && env.QUICKBOOKS_CLIENT_SECRET !== undefined

const oauthOf = (env: Env) =>
  createOAuth({
    clientId: env.QUICKBOOKS_CLIENT_ID ?? '',
    clientSecret: env.QUICKBOOKS_CLIENT_SECRET ?? '',
    redirectUri: `${env.APP_URL}/qbo/callback`,
    baseUrl: env.QUICKBOOKS_URL,
  })

type Connection = typeof quickbooksConnection.$inferSelect

export async function findConnection({ db }: { db: Db }): Promise<Connection | null> {
  const [row] = await db.select().from(quickbooksConnection)
  return row ?? null
}

/** Intuit's consent page for the actor. */
export const beginConnection = async (scope: Scope): Promise<string> =>
  oauthOf(scope.env).authorizeUrl(await beginAttempt(scope, 'quickbooks'))

type Callback = { code: string; state: string; realmId: string }

/** Exchanges Intuit's callback for tokens and stores them. A different company clears the old one's lists. Undefined: success. */
export async function finishConnection(scope: Scope, { code, state, realmId }: Callback) {
  const actor = staff(scope)
  if (!(await endAttempt(scope, 'quickbooks', state))) return refuse('STATE')
  const exchanged = await oauthOf(scope.env).exchange(code)
  if (!exchanged.ok) return exchanged.kind === 'refused' ? refuse('CODE') : refuse('AWAY')
  const { tokens } = exchanged
  const company = await createQuickBooks({
    ...clientOptions(scope.env),
    realmId,
    accessToken: async () => ({ token: tokens.accessToken }),
  }).companyInfo()
  if (!company.ok) return company.kind === 'away' || company.kind === 'rate-limit' ? refuse('AWAY') : refuse('CODE')
  const row = {
    realmId,
    companyName: company.value.CompanyName,
    state: 'connected' as const,
    ...sealedTokens(scope, tokens),
    connectedBy: actor.id,
    connectedAt: scope.now(),
  }
  await scope.db.transaction(async (tx) => {
    const [before] = await tx.select({ realmId: quickbooksConnection.realmId }).from(quickbooksConnection).for('update')
    if (before && before.realmId !== realmId) {
      await tx.delete(quickbooksObjects)
      await tx.delete(quickbooksLists)
      await tx.delete(contactCustomers)
    }
    await tx.insert(quickbooksConnection).values(row).onConflictDoUpdate({ target: quickbooksConnection.isOnly, set: row })
    await recordChange(tx, scope, {
      action: 'changed',
      kind: 'quickbooks connection',
      contactIds: [],
      after: { realmId, companyName: row.companyName },
    })
    await publish(tx, 'quickbooks', realmId)
  })
  return undefined
}

/** Deletes the tokens and revokes them at Intuit. The lists stay, because receipts reference them. */
export async function endConnection(scope: Scope): Promise<void> {
  const [gone] = await scope.db.transaction(async (tx) => {
    const rows = await tx.delete(quickbooksConnection).returning()
    for (const { realmId, companyName } of rows) {
      await recordChange(tx, scope, { action: 'deleted', kind: 'quickbooks connection', contactIds: [], before: { realmId, companyName } })
      await publish(tx, 'quickbooks', realmId)
    }
    return rows
  })
  const token = gone && unseal(scope.env, sealedFor, gone.refreshToken)
  if (token) await oauthOf(scope.env).revoke(token)
}

function sealedTokens({ env, now }: Pick<Scope, 'env' | 'now'>, tokens: Tokens) {
  const at = now().getTime()
  return {
    accessToken: seal(env, sealedFor, tokens.accessToken),
    accessExpiresAt: new Date(at + tokens.accessExpiresIn * 1_000),
    refreshToken: seal(env, sealedFor, tokens.refreshToken),
    refreshExpiresAt: new Date(at + tokens.refreshExpiresIn * 1_000),
  }
}

const clientOptions = (env: Env) => ({
  baseUrl: apiUrl(env.QUICKBOOKS_URL, env.QUICKBOOKS_SANDBOX),
  timeoutSeconds: env.QUICKBOOKS_TIMEOUT_SECONDS,
})

/** A client for the connected company that refreshes tokens as needed. Null: not connected. `retries`: see QuickBooksOptions. */
export async function openQuickBooks(scope: Scope, retries?: number): Promise<QuickBooks | null> {
  const connection = await findConnection(scope)
  if (connection?.state !== 'connected') return null
  const { realmId } = connection
  return createQuickBooks({
    ...clientOptions(scope.env),
    ...(retries === undefined ? {} : { retries }),
    realmId,
    accessToken: (refused) => accessToken(scope, realmId, refused),
  })
}

/** The token refresh in progress per database in this process; concurrent callers wait for the same one. */
const refreshing = new WeakMap<object, Promise<AccessToken>>()

async function accessToken(scope: Scope, realmId: string, refused?: string): Promise<AccessToken> {
  const connection = await findConnection(scope)
  const usable = usableToken(scope, connection, realmId, refused)
  if (usable) return usable
  const under = refreshing.get(scope.db)
  if (under) return under
  const began = refreshToken(scope, realmId, refused).finally(() => refreshing.delete(scope.db))
  refreshing.set(scope.db, began)
  return began
}

/** Null: the token must be refreshed. */
function usableToken(
  { env, now }: Scope,
  connection: Connection | null | undefined,
  realmId: string,
  refused?: string,
): AccessToken | null {
  if (connection?.state !== 'connected' || connection.realmId !== realmId) return { missing: 'reconnect' }
  const token = unseal(env, sealedFor, connection.accessToken)
  const isFresh = connection.accessExpiresAt.getTime() - margin > now().getTime()
  return token !== null && isFresh && token !== refused ? { token } : null
}

/**
 * A refresh token works once, so the row is locked during the refresh: another process waits, and then finds the new tokens.
 * They are committed before anyone uses them; if this process dies in between, Intuit still accepts the previous token for a day.
 */
async function refreshToken(scope: Scope, realmId: string, refused?: string): Promise<AccessToken> {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(quickbooksConnection).for('update')
    const usable = usableToken(scope, row, realmId, refused)
    if (usable || !row) return usable ?? { missing: 'reconnect' }
    const token = unseal(scope.env, sealedFor, row.refreshToken)
    const result = token === null ? null : await oauthOf(scope.env).refresh(token)
    if (result?.ok) {
      await tx.update(quickbooksConnection).set(sealedTokens(scope, result.tokens))
      return { token: result.tokens.accessToken }
    }
    // Only this error ends a connection; anything else may be temporary.
    if (result && result.message !== 'invalid_grant') return { missing: 'away' }
    await tx.update(quickbooksConnection).set({ state: 'reconnect' })
    await publish(tx, 'quickbooks', realmId)
    return { missing: 'reconnect' }
  })
}
