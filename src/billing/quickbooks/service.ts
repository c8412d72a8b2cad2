import type { Scope } from '../../kernel/scope.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { QuickBooksStatus } from './contract.ts'
import { beginConnection, endConnection, findConnection, finishConnection, hasCredentials, openQuickBooks } from './connection.ts'
import { refreshLists } from './jobs.ts'
import { listsReadAt, readLists } from './lists.ts'
import { listsAge } from './rules.ts'

export { findConnection, openQuickBooks } from './connection.ts'
export { customerToKeep, factsOf, keep, listOf, objectsOf, searchObjects } from './lists.ts'

export async function statusOf(scope: Scope): Promise<QuickBooksStatus> {
  const readAt = await listsReadAt(scope.db)
  const known = { listsReadAt: readAt, booksUrl: booksUrl(scope.env) }
  if (!hasCredentials(scope.env)) return { state: 'off', companyName: null, connectedAt: null, ...known }
  const row = await findConnection(scope)
  return { state: row?.state ?? 'none', companyName: row?.companyName ?? null, connectedAt: row?.connectedAt ?? null, ...known }
}

function booksUrl({ QUICKBOOKS_URL, QUICKBOOKS_SANDBOX }: Scope['env']): string | null {
  if (QUICKBOOKS_URL) return null
  return QUICKBOOKS_SANDBOX ? 'https://app.sandbox.qbo.intuit.com' : 'https://app.qbo.intuit.com'
}

/** Intuit's page to go to. Null: this installation has no credentials. */
export const connect = async (scope: Scope): Promise<string | null> => (hasCredentials(scope.env) ? beginConnection(scope) : null)

export async function finish(scope: Scope, callback: { code: string; state: string; realmId: string }) {
  if (!hasCredentials(scope.env)) return 'off'
  const ended = await finishConnection(scope, callback)
  if (ended === 'connected') await enqueue(scope.db, refreshLists, {}, 'quickbooks lists')
  return ended
}

export const disconnect = endConnection

/** Reads the lists now. */
export async function refresh(scope: Scope): Promise<'read' | 'reconnect' | 'away'> {
  const books = await openQuickBooks(scope)
  if (!books) return 'reconnect'
  const failed = await readLists(scope, books)
  if (!failed) return 'read'
  return failed.kind === 'reconnect' ? 'reconnect' : 'away'
}

/** Lets the lists be read in the background once they are old. */
export async function refreshWhenOld(scope: Scope): Promise<void> {
  const readAt = await listsReadAt(scope.db)
  if (!readAt || readAt.getTime() < scope.now().getTime() - listsAge) await enqueue(scope.db, refreshLists, {}, 'quickbooks lists')
}
