import { setTimeout as pause } from 'node:timers/promises'
import { asc, eq } from 'drizzle-orm'
import pLimit from 'p-limit'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { Outcome } from '../../platform/connection-tests/contract.ts'
import { type Connection, connectionOf } from './connection.ts'
import { type Health, healthOfAll, healthOfOne } from './health-rules.ts'
import { mailboxConnections } from './table.ts'
import { askOf } from './use.ts'

/** Milliseconds to wait for a provider. */
const timeoutMs = 10_000
const atOnce = 4

/** Requests the newest thread and discards it: only this shows that the sign-in is still valid. */
async function healthOf(scope: Scope, connection: Connection): Promise<Health> {
  const asked = askOf(scope, connection, (mailbox) => mailbox.threads({ limit: 1 }))
  const answer = await Promise.race([asked, pause(timeoutMs, null, { ref: false })])
  if (answer === null) return 'away'
  if (!isRefusal(answer)) return 'works'
  switch (answer.refusal) {
    case 'BUSY':
      return 'busy'
    case 'RECONNECT':
      return 'reconnect'
    case 'AWAY':
      return 'away'
    default:
      return 'refused'
  }
}

/** Tests the actor's own mailbox. */
export async function testOwnMailbox(scope: Scope) {
  const connection = await connectionOf(scope.db, staff(scope).id)
  return connection ? healthOfOne(connection.provider, await healthOf(scope, connection)) : refuse('NOT_CONNECTED')
}

/** Tests everyone's mailboxes. Reports the owners, and none of the contents. */
export async function testMailboxes(scope: Scope): Promise<Outcome> {
  const rows = await scope.db
    .select({ connection: mailboxConnections, owner: profiles.name })
    .from(mailboxConnections)
    .innerJoin(profiles, eq(profiles.id, mailboxConnections.userId))
    .orderBy(asc(profiles.name))
  const limit = pLimit(atOnce)
  return healthOfAll(
    await Promise.all(rows.map(({ connection, owner }) => limit(async () => ({ owner, health: await healthOf(scope, connection) })))),
  )
}
