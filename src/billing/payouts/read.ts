import { and, eq, isNull, lt, max, min, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { StripeFailure } from '../../integrations/stripe/failure.ts'
import type { Payout } from '../../integrations/stripe/shapes.ts'
import { defineJob, enqueue, enqueueEach } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import type { Scope } from '../../kernel/scope.ts'
import { cardAccountOf } from '../cards/service.ts'
import { cardPayments } from '../cards/table.ts'
import { reconcilePayout } from './reconcile.ts'
import { isPayoutItself } from './rules.ts'
import { payoutTransactions, payouts } from './table.ts'

/**
 * Reads a payout and its transactions from Stripe, and compares them with what is kept here. What was read is never read again: it goes on after the last
 * page that was kept. Null: there is no such payout, or cards are not set up. A failure is returned, and safe to repeat.
 */
export async function refreshPayout(scope: Scope, stripePayoutId: string): Promise<{ id: string } | StripeFailure | null> {
  const client = cardAccountOf(scope)?.client
  const found = await client?.findPayout(stripePayoutId)
  if (!client || !found) return null
  if (!found.ok) return found.kind === 'refused' ? null : found
  const { id, isRead } = await keepPayout(scope, found.value)
  if (!isRead && found.value.isComplete) {
    const failed = found.value.isAutomatic ? await readTransactions(scope, id, stripePayoutId) : null
    if (failed) return failed
    await scope.db.update(payouts).set({ isRead: true }).where(eq(payouts.id, id))
  }
  await reconcilePayout(scope, id)
  return { id }
}

async function keepPayout(scope: Scope, { id, status, amountCents, currency, isAutomatic, arrivesAt, createdAt }: Payout) {
  const changing = { status, amountCents, arrivesOn: arrivesAt.toISOString().slice(0, 10) }
  const [row] = await scope.db
    .insert(payouts)
    .values({ ...changing, stripePayoutId: id, currency, isAutomatic, createdAt })
    .onConflictDoUpdate({ target: payouts.stripePayoutId, set: changing })
    .returning({ id: payouts.id, isRead: payouts.isRead })
  return row!
}

/** Keeps all transactions of a payout, a page at a time. @returns why Stripe did not give them. */
async function readTransactions(scope: Scope, payoutId: string, stripePayoutId: string): Promise<StripeFailure | null> {
  const { client } = cardAccountOf(scope)!
  for (;;) {
    const [row] = await scope.db.select({ after: payouts.readUpTo }).from(payouts).where(eq(payouts.id, payoutId))
    const after = row!.after
    const page = await client.listTransactions(stripePayoutId, after ?? undefined)
    if (!page.ok) return page
    const { data, hasMore } = page.value
    const transactions = data.filter((one) => !isPayoutItself(one)).map((one) => ({ ...one, payoutId }))
    await scope.db.transaction(async (tx) => {
      if (transactions.length > 0) await tx.insert(payoutTransactions).values(transactions).onConflictDoNothing()
      await tx
        .update(payouts)
        .set({ readUpTo: data.at(-1)?.id ?? after })
        .where(eq(payouts.id, payoutId))
    })
    if (!hasMore) return null
  }
}

/** Follows what Stripe says of a payout. Throws, and so is retried, while Stripe is not available. */
export const readPayout = defineJob({
  name: 'payouts.read-payout',
  payload: z.object({ stripePayoutId: z.string() }),
  maxAttempts: 25,
  after: 'people',
  async run(scope, { stripePayoutId }) {
    const read = await refreshPayout(scope, stripePayoutId)
    if (read && 'kind' in read) throw new Error(`Stripe did not say what a payout holds: ${read.kind}`)
  },
})

/** A payout can fail for some days after it was paid. */
const watchedDays = 14

/**
 * Finds payouts whose events were lost, and looks again at those that are not over: transactions may have become complete, and records of ours may have come
 * late. From the first card payment on; nothing is read twice.
 */
export const watchPayouts = defineJob({
  name: 'payouts.watch-payouts',
  payload: z.object({}),
  cron: '40 9 * * *',
  after: 'people',
  async run(scope) {
    const account = cardAccountOf(scope)
    if (!account) return
    const { db } = scope
    const [[known], [paid]] = await Promise.all([
      db.select({ last: max(payouts.createdAt) }).from(payouts),
      db.select({ first: min(cardPayments.createdAt) }).from(cardPayments),
    ])
    if (!paid?.first) return
    const since = known?.last ? new Date(known.last.getTime() - watchedDays * 86_400_000) : paid.first
    for (let after: string | undefined; ;) {
      const page = await account.client.listPayouts(since, after)
      if (!page.ok) throw new Error(`Stripe did not list its payouts: ${page.kind}`)
      await enqueueReading(
        scope,
        page.value.data.map(({ id }) => id),
      )
      after = page.value.data.at(-1)?.id
      if (!page.value.hasMore || after === undefined) break
    }
    const isOpen = or(
      isNull(payouts.reconciledAt),
      and(sql`${payouts.differences} <> '[]'`, isNull(payouts.acceptedAt)),
      sql`${payouts.postingProblem} is not null`,
    )
    const open = await db
      .select({ id: payouts.stripePayoutId })
      .from(payouts)
      .where(and(isOpen, lt(payouts.createdAt, since)))
    await enqueueReading(
      scope,
      open.map(({ id }) => id),
    )
  },
})

const enqueueReading = (scope: Scope, ids: readonly string[]): Promise<void> =>
  enqueueEach(
    scope.db,
    readPayout,
    ids.map((stripePayoutId) => ({ payload: { stripePayoutId }, key: `stripe ${stripePayoutId}` })),
  )

/** After an event of Stripe about a payout. */
export const followPayoutEvent = (tx: Db, stripePayoutId: string): Promise<void> =>
  enqueue(tx, readPayout, { stripePayoutId }, `stripe ${stripePayoutId}`)
