import type { Failure, Mailbox, Result } from '../../integrations/mailbox/mailbox.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { type Connection, connectionOf, loseConnection, openMailbox } from './connection.ts'

/** Why a mailbox request failed: not connected, item missing (NOT_FOUND), or refused (REFUSED). */
export type MailboxRefusal =
  | Refusal<'NOT_CONNECTED' | 'RECONNECT' | 'AWAY' | 'REFUSED'>
  | Refusal<'NOT_FOUND'>
  /** `retryAfter`: seconds. */
  | Refusal<'BUSY', { retryAfter: number | null }>

/** Sends a request to the actor's own mailbox. */
export async function ask<Value>(
  scope: Scope,
  work: (mailbox: Mailbox, connection: Connection) => Promise<Result<Value>>,
): Promise<{ value: Value; connection: Connection } | MailboxRefusal> {
  const connection = await connectionOf(scope.db, staff(scope).id)
  return connection ? askOf(scope, connection, work) : refuse('NOT_CONNECTED')
}

/** The same for a known mailbox, as in a job. */
export async function askOf<Value>(
  scope: Scope,
  connection: Connection,
  work: (mailbox: Mailbox, connection: Connection) => Promise<Result<Value>>,
): Promise<{ value: Value; connection: Connection } | MailboxRefusal> {
  const mailbox = openMailbox(scope, connection)
  if (!mailbox) return refuse('RECONNECT')
  const result = await work(mailbox, connection)
  if (result.ok) return { value: result.value, connection }
  if (result.kind === 'reconnect') await loseConnection(scope, connection)
  if (result.kind === 'away' || result.kind === 'unreadable') scope.log.warn({ kind: result.kind }, 'A mailbox does not answer')
  return refusalOf(result)
}

function refusalOf({ kind, retryAfter }: Failure): MailboxRefusal {
  switch (kind) {
    case 'busy':
      return refuse('BUSY', { retryAfter: retryAfter ?? null })
    case 'refused':
      return refuse('REFUSED')
    case 'reconnect':
      return refuse('RECONNECT')
    case 'missing':
      return refuse('NOT_FOUND')
    case 'unreadable':
    case 'away':
      return refuse('AWAY')
  }
}
