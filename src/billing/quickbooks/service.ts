import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { QuickBooksStatus } from './contract.ts'
import { beginConnection, endConnection, findConnection, finishConnection, hasCredentials, openQuickBooks } from './connection.ts'
import { refreshLists } from './jobs.ts'
import { listsReadAt, readLists } from './lists.ts'
import { listsAge } from './rules.ts'

export { findConnection, openQuickBooks } from './connection.ts'
export { createSettling, type Settled } from './settle.ts'
export { customerToKeep, factsOf, keep, listOf, objectsOf, searchObjects } from './lists.ts'

export async function statusOf(scope: Scope): Promise<QuickBooksStatus> {
  const readAt = await listsReadAt(scope.db)
  const known = { listsReadAt: readAt, quickBooksUrl: quickBooksUrl(scope.env) }
  if (!hasCredentials(scope.env)) return { state: 'off', companyName: null, connectedAt: null, ...known }
  const row = await findConnection(scope)
  return { state: row?.state ?? 'none', companyName: row?.companyName ?? null, connectedAt: row?.connectedAt ?? null, ...known }
}

function quickBooksUrl({ QUICKBOOKS_URL, QUICKBOOKS_SANDBOX }: Scope['env']): string | null {
  if (QUICKBOOKS_URL) return null
  return QUICKBOOKS_SANDBOX ? 'https://app.sandbox.qbo.intuit.com' : 'https://app.qbo.intuit.com'
}

/** The URL of Intuit's consent page. */
export async function connect(scope: Scope) {
  return hasCredentials(scope.env) ? { url: await beginConnection(scope) } : refuse('NOT_SET_UP')
}

export async function finish(scope: Scope, callback: { code: string; state: string; realmId: string }) {
  if (!hasCredentials(scope.env)) return refuse('NOT_SET_UP')
  const refused = await finishConnection(scope, callback)
  if (refused) return refused
  await enqueue(scope.db, refreshLists, {}, 'quickbooks lists')
  return statusOf(scope)
}

export async function disconnect(scope: Scope): Promise<QuickBooksStatus> {
  await endConnection(scope)
  return statusOf(scope)
}

/** Refreshes the lists now. */
export async function refresh(scope: Scope) {
  const quickBooks = await openQuickBooks(scope)
  if (!quickBooks) return refuse('RECONNECT')
  const failed = await readLists(scope, quickBooks)
  if (failed) return failed.kind === 'reconnect' ? refuse('RECONNECT') : refuse('AWAY')
  return statusOf(scope)
}

/** Refreshes the lists in the background if they are stale. */
export async function refreshWhenOld(scope: Scope): Promise<void> {
  const readAt = await listsReadAt(scope.db)
  if (!readAt || readAt.getTime() < scope.now().getTime() - listsAge) await enqueue(scope.db, refreshLists, {}, 'quickbooks lists')
}
