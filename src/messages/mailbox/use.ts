import type { Failure, Mailbox, Result } from '../../integrations/mailbox/mailbox.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { type Connection, connectionOf, loseConnection, openMailbox } from './connection.ts'

/** Why a mailbox could not do what it was asked. `retryAfter`: seconds. */
export type Refusal =
  | { refused: 'none' | 'reconnect' | 'away' | 'missing' | 'not-accepted' }
  | { refused: 'busy'; retryAfter: number | null }

export const isRefusal = (value: unknown): value is Refusal => typeof value === 'object' && value !== null && 'refused' in value

/** Asks the actor's own mailbox. */
export async function ask<Value>(
  scope: Scope,
  work: (mailbox: Mailbox, connection: Connection) => Promise<Result<Value>>,
): Promise<{ value: Value; connection: Connection } | Refusal> {
  const connection = await connectionOf(scope.db, staff(scope).id)
  return connection ? askOf(scope, connection, work) : { refused: 'none' }
}

/** The same of a mailbox that is known already, as in a job. */
export async function askOf<Value>(
  scope: Scope,
  connection: Connection,
  work: (mailbox: Mailbox, connection: Connection) => Promise<Result<Value>>,
): Promise<{ value: Value; connection: Connection } | Refusal> {
  const mailbox = openMailbox(scope, connection)
  if (!mailbox) return { refused: 'reconnect' }
  const result = await work(mailbox, connection)
  if (result.ok) return { value: result.value, connection }
  if (result.kind === 'reconnect') await loseConnection(scope, connection)
  if (result.kind === 'away' || result.kind === 'unreadable') scope.log.warn({ kind: result.kind }, 'A mailbox does not answer')
  return refusalOf(result)
}

function refusalOf({ kind, retryAfter }: Failure): Refusal {
  switch (kind) {
    case 'busy':
      return { refused: 'busy', retryAfter: retryAfter ?? null }
    case 'refused':
      return { refused: 'not-accepted' }
    case 'unreadable':
      return { refused: 'away' }
    default:
      return { refused: kind }
  }
}
