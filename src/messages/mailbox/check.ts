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

/** How long someone waits for a provider, in milliseconds. */
const patience = 10_000
const atOnce = 4

/** Asks the provider for the newest thread, and keeps nothing of it: no other question tells that the sign-in is still good. */
async function healthOf(scope: Scope, connection: Connection): Promise<Health> {
  const asked = askOf(scope, connection, (mailbox) => mailbox.threads({ limit: 1 }))
  const answer = await Promise.race([asked, pause(patience, null, { ref: false })])
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

/** Whether the actor's own mailbox answers. */
export async function testOwnMailbox(scope: Scope) {
  const connection = await connectionOf(scope.db, staff(scope).id)
  return connection ? healthOfOne(connection.provider, await healthOf(scope, connection)) : refuse('NOT_CONNECTED')
}

/** Whether everyone's mailboxes answer. Whose they are is said, and nothing of what is in them. */
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
