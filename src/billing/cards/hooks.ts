import { limitCalls, readBody, refuse } from '../../kernel/http/webhook.ts'
import { enqueue } from '../../kernel/jobs.ts'
import type { Scope } from '../../kernel/scope.ts'
import { followPayoutEvent } from '../payouts/service.ts'
import { cardAccountOf } from './account.ts'
import { followDispute } from './disputes.ts'
import { followPayment } from './follow.ts'
import { stripeEvents } from './table.ts'

/** Bytes. Stripe's events have a few KB. */
const largest = 256 * 1024

/**
 * Stripe's webhook, POST /api/hooks/stripe. Nothing is parsed before the signature over the raw body is checked. An event only says what to look at: a job
 * reads the object again from Stripe, so that doubled, late and shuffled events are harmless. Events with a valid signature are not limited.
 */
export async function stripeHook(scope: Scope, request: Request): Promise<Response> {
  const account = cardAccountOf(scope)
  if (!account) return refuse(404, 'NOT_FOUND', 'This practice doesn’t take card payments here')
  const body = await readBody(request, largest)
  if (!body) return refuse(413, 'BODY_TOO_LARGE', 'An event may have 256 KB at most', { connection: 'close' })
  const event = await account.client.readEvent(body.toString('utf8'), request.headers.get('stripe-signature') ?? '', scope.now())
  if (!event) return (await limitCalls(scope, 'stripe')) ?? refuse(401, 'INVALID_SIGNATURE', 'The Stripe signature is invalid or too old')
  await scope.db.transaction(async (tx) => {
    const row = { id: event.id, type: event.type, receivedAt: scope.now() }
    const [fresh] = await tx.insert(stripeEvents).values(row).onConflictDoNothing().returning()
    if (fresh && event.paymentId) {
      await enqueue(tx, followPayment, { stripePaymentId: event.paymentId }, `stripe ${event.paymentId}`)
    }
    if (fresh && event.object === 'dispute') {
      await enqueue(tx, followDispute, { stripeDisputeId: event.objectId }, `stripe ${event.objectId}`)
    }
    if (fresh && event.object === 'payout') await followPayoutEvent(tx, event.objectId)
  })
  return Response.json({ received: true })
}
