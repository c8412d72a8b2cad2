import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { problemOfUrl } from '../../integrations/webhooks/client.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { enqueue } from '../../kernel/jobs.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Scope, staff } from '../../kernel/scope.ts'
import { seal } from '../../kernel/seal.ts'
import { cursorPage } from '../../shared/page-lists.ts'
import { difference } from '../../kernel/audit/rules.ts'
import { recordChange } from '../audit/service.ts'
import { announce, sealedFor } from './announce.ts'
import { maxWebhooks, type Webhook } from './contract.ts'
import { deliverWebhooks } from './jobs.ts'
import { type HookEvent, testEvent } from './rules.ts'
import { newSecret } from './signature.ts'
import { webhookDeliveries, webhooks } from './table.ts'

const shown = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  createdAt: webhooks.createdAt,
  disabledAt: webhooks.disabledAt,
  gaveUp: sql<boolean>`${webhooks.gaveUpAt} is not null`,
  failingSince: webhooks.failingSince,
  deliveredAt: webhooks.deliveredAt,
  waiting: sql<number>`(select count(*)::int from webhook_deliveries where webhook_id = ${webhooks}.id and state = 'waiting')`,
}
type Wanted = { url: string; events: HookEvent[] }

export const listWebhooks = ({ db }: Pick<Scope, 'db'>): Promise<Webhook[]> =>
  db.select(shown).from(webhooks).orderBy(webhooks.createdAt, webhooks.id)

const read = async (db: Db, id: string): Promise<Webhook | null> =>
  (await db.select(shown).from(webhooks).where(eq(webhooks.id, id)))[0] ?? null

const refuseAddress = ({ env }: Scope, url: string) => {
  const problem = problemOfUrl(url, { allowsLoopback: env.WEBHOOKS_LOCAL })
  return problem === null ? null : refuse('ADDRESS_REFUSED', { fields: { url: problem } })
}

const record = (tx: Db, scope: Scope, action: 'created' | 'changed' | 'deleted', change: { before?: unknown; after?: unknown }) =>
  recordChange(tx, scope, { action, kind: 'webhook', contactIds: [], ...change })

/** Creates a webhook. Its secret is returned once and stored encrypted. */
export async function createWebhook(scope: Scope, { url, events }: Wanted) {
  const refused = refuseAddress(scope, url)
  if (refused) return refused
  const secret = newSecret()
  return scope.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('webhooks'))`)
    if ((await tx.$count(webhooks)) >= maxWebhooks) return refuse('TOO_MANY')
    const values = { url, events: [...new Set(events)], createdBy: staff(scope).id, createdAt: scope.now() }
    const [row] = await tx
      .insert(webhooks)
      .values({ ...values, sealedSecret: seal(scope.env, sealedFor, secret) })
      .returning({ id: webhooks.id })
    await record(tx, scope, 'created', { after: { id: row!.id, ...values } })
    await announce(tx, row!.id)
    return { secret, webhook: (await read(tx, row!.id))! }
  })
}

/** Changes a webhook, or turns it on or off; null if not found. Turning it on sends what is queued at once. */
export async function changeWebhook(scope: Scope, { id, url, events, isOn }: Wanted & { id: string; isOn: boolean }) {
  const refused = refuseAddress(scope, url)
  if (refused) return refused
  return scope.db.transaction(async (tx) => {
    const [before] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update')
    if (!before) return null
    const wasOn = before.disabledAt === null
    const wanted = { url, events: [...new Set(events)], disabledAt: isOn ? null : (before.disabledAt ?? scope.now()) }
    const changes = difference({ url: before.url, events: before.events, disabledAt: before.disabledAt }, wanted)
    if (Object.keys(changes.after).length > 0) {
      const restarted = isOn && !wasOn ? { gaveUpAt: null, failingSince: null } : {}
      await tx
        .update(webhooks)
        .set({ ...wanted, ...restarted })
        .where(eq(webhooks.id, id))
      await record(tx, scope, 'changed', { before: { id, ...changes.before }, after: { id, ...changes.after } })
      await announce(tx, id)
      if (isOn && !wasOn) await enqueue(tx, deliverWebhooks, {})
    }
    return (await read(tx, id))!
  })
}

/** Replaces a webhook's secret; null if not found. */
export async function rotateSecret(scope: Scope, id: string) {
  const secret = newSecret()
  return scope.db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set({ sealedSecret: seal(scope.env, sealedFor, secret) })
      .where(eq(webhooks.id, id))
      .returning({ url: webhooks.url })
    if (!row) return null
    await record(tx, scope, 'changed', { after: { id, url: row.url, secret: 'made again' } })
    return { secret, webhook: (await read(tx, id))! }
  })
}

/** Deletes a webhook and its queue; null if not found. */
export async function deleteWebhook(scope: Scope, id: string): Promise<true | null> {
  return scope.db.transaction(async (tx) => {
    const [deleted] = await tx.delete(webhooks).where(eq(webhooks.id, id)).returning()
    if (!deleted) return null
    await record(tx, scope, 'deleted', { before: { id, url: deleted.url, events: deleted.events } })
    await announce(tx, id)
    return true
  })
}

/** Queues a test message; null if not found. */
export async function sendTest(scope: Scope, id: string) {
  return scope.db.transaction(async (tx) => {
    const [row] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('share')
    if (!row) return null
    if (row.disabledAt) return refuse('SWITCHED_OFF')
    await tx.insert(webhookDeliveries).values({ webhookId: id, event: testEvent, subjectId: id }).onConflictDoNothing()
    await enqueue(tx, deliverWebhooks, {})
    await announce(tx, id)
    return true
  })
}

type Page = { id: string; cursor?: string | undefined; limit: number }

/** Deliveries of a webhook, newest first; null if not found. */
export async function listDeliveries({ db }: Scope, { id, cursor, limit }: Page) {
  if (!(await read(db, id))) return null
  const rows = await db
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, id), cursor ? lt(webhookDeliveries.id, cursor) : undefined))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1)
  return cursorPage(rows, limit, (last) => last.id)
}

/** Resends a delivery, whatever its state; null if not found. */
export async function retryDelivery({ db }: Scope, id: string) {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhookDeliveries)
      .set({ state: 'waiting', nextAttemptAt: null, attempts: sql`least(greatest(${webhookDeliveries.attempts}, 1), 9)` })
      .where(eq(webhookDeliveries.id, id))
      .returning()
    if (!row) return null
    await enqueue(tx, deliverWebhooks, {})
    await announce(tx, row.webhookId)
    return row
  })
}
