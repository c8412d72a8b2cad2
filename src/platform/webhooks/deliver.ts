import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { post, type PostResult } from '../../integrations/webhooks/client.ts'
import type { Scope } from '../../kernel/scope.ts'
import { unseal } from '../../kernel/seal.ts'
import { recordChange } from '../audit/service.ts'
import { announce, sealedFor } from './announce.ts'
import { bodyOf, disabledAfter, maxTries, nextAttempt } from './rules.ts'
import { signedHeaders } from './signature.ts'
import { webhookDeliveries, webhooks } from './table.ts'

type Row = typeof webhooks.$inferSelect
type Delivery = typeof webhookDeliveries.$inferSelect

/** Maximum milliseconds a job sends before making room for others. */
const stretch = 5_000
const batchSize = 4
/** After a run and its last responses, a process that still holds an address must have been killed. */
const holdFor = 60_000
/** An unresponsive address is skipped for this long, however much is queued: it must not block a worker. */
const cooldownMs = 60_000

/** Sends what is due, one process per address at a time. True while something is left. */
export async function deliverDue(scope: Scope): Promise<boolean> {
  const until = performance.now() + stretch
  while (performance.now() < until) {
    const hook = await claim(scope)
    if (!hook) return false
    let isUnavailable = true
    try {
      isUnavailable = await sendTo(scope, hook, until)
    } finally {
      const busyUntil = isUnavailable ? new Date(scope.now().getTime() + cooldownMs) : null
      await scope.db.update(webhooks).set({ busyUntil }).where(eq(webhooks.id, hook.id))
      await announce(scope.db, hook.id)
    }
  }
  return true
}

const isDue = (now: Date) =>
  and(eq(webhookDeliveries.state, 'waiting'), or(isNull(webhookDeliveries.nextAttemptAt), lte(webhookDeliveries.nextAttemptAt, now)))

/** An address with due deliveries that no process is sending to. */
async function claim({ db, now }: Scope): Promise<Row | null> {
  const at = now()
  const due = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhooks.id), isDue(at)))
  const free = db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(isNull(webhooks.disabledAt), or(isNull(webhooks.busyUntil), lte(webhooks.busyUntil, at)), sql`exists (${due})`))
    .orderBy(sql`random()`)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(webhooks)
    .set({ busyUntil: new Date(at.getTime() + holdFor) })
    .where(sql`${webhooks.id} in (${free})`)
    .returning()
  return row ?? null
}

/** Sends to one address until nothing is due, time is up, or it stops responding. True if it stopped responding. */
async function sendTo(scope: Scope, hook: Row, until: number): Promise<boolean> {
  const { db, now, env } = scope
  const secret = unseal(env, sealedFor, hook.sealedSecret)
  while (performance.now() < until) {
    const batch = await db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.webhookId, hook.id), isDue(now())))
      .orderBy(sql`${webhookDeliveries.nextAttemptAt} nulls first`, asc(webhookDeliveries.id))
      .limit(batchSize)
    if (batch.length === 0) return false
    const results = await Promise.all(batch.map((delivery) => sendOne(scope, hook, secret, delivery)))
    const isUnavailable = results.some((result) => !result.ok && result.kind !== 'status')
    if (await noteState(scope, hook.id, results)) return false
    if (isUnavailable) return true
  }
  return false
}

async function sendOne({ db, now, env }: Scope, hook: Row, secret: string | null, delivery: Delivery): Promise<PostResult> {
  const attempts = delivery.attempts + 1
  const [id, at] = [delivery.id, now()]
  await db.update(webhookDeliveries).set({ attempts, triedAt: at }).where(eq(webhookDeliveries.id, id))
  const body = bodyOf(delivery)
  // Encrypted with an installation secret that is no longer known: an administrator must create another.
  const result: PostResult = secret
    ? await post(
        hook.url,
        { headers: { 'content-type': 'application/json', 'user-agent': 'Refyne', ...signedHeaders(secret, { id, at, body }) }, body },
        { allowsLoopback: env.WEBHOOKS_LOCAL },
      )
    : { ok: false, kind: 'network', status: null }
  const next = result.ok ? null : nextAttempt(attempts, now())
  await db
    .update(webhookDeliveries)
    .set({
      state: result.ok ? 'delivered' : next && attempts < maxTries ? 'waiting' : 'failed',
      nextAttemptAt: next,
      status: result.status,
      failure: result.ok ? null : result.kind,
    })
    .where(eq(webhookDeliveries.id, id))
  return result
}

/** Records whether the address accepts deliveries. True if it is turned off, because it answered 410 or has failed for days. */
async function noteState(scope: Scope, id: string, results: readonly PostResult[]): Promise<boolean> {
  return scope.db.transaction(async (tx) => {
    const [hook] = await tx.select().from(webhooks).where(eq(webhooks.id, id)).for('update')
    if (!hook || hook.disabledAt) return true
    const at = scope.now()
    if (results.some(({ ok }) => ok)) {
      await tx.update(webhooks).set({ deliveredAt: at, failingSince: null }).where(eq(webhooks.id, id))
      return false
    }
    const since = hook.failingSince ?? at
    const isOver = results.some(({ status }) => status === 410) || at.getTime() - since.getTime() >= disabledAfter
    await tx
      .update(webhooks)
      .set({ failingSince: since, ...(isOver ? { disabledAt: at, gaveUpAt: at } : {}) })
      .where(eq(webhooks.id, id))
    if (isOver)
      await recordChange(tx, scope, {
        action: 'changed',
        kind: 'webhook',
        contactIds: [],
        before: { id, disabledAt: null },
        after: { id, disabledAt: at },
      })
    return isOver
  })
}
