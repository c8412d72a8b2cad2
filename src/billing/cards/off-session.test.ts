import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt, useCards } from '../../../test/billing/cards.ts'
import { createCustomer } from '../../../test/billing/point-of-sale.ts'
import { untilNoneLeft } from '../../../test/jobs.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { chargeSavedCard } from './off-session.ts'
import { payPath } from './pay-links.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const till = useCards(stripe, {}, { now: () => clock.now })
const clerk = () => till.server.as('billing')
/** The scope of a job. */
function scope(): Scope {
  const { runtime } = till.server.running
  const who = { actor: null, origin: { requestId: 'test', address: null } }
  const attempts = runtime.countAttempts(() => {})
  return { ...runtime, ...who, attempts, recentDb: runtime.db, latestDb: runtime.db, recordView: () => Promise.resolve() }
}
const accountOf = async (contactId: string) => (await clerk()).collections.account({ contactId })

beforeEach(() => {
  stripe.clearFaults()
  stripe.setOffline(false)
  stripe.setWebhook(hookAt(till.server))
})

/** A patient with a saved card who owes $500.00. */
async function debtorWithCard(number?: string) {
  const client = await clerk()
  const { contactId } = await createCustomer(client)
  await client.collections.addCharge({ contactId, description: 'Visit', amountCents: 1_000, dueOn: '2026-11-29' })
  const path = payPath(till.server.running.runtime, { kind: 'balance', id: contactId }, 3_600_000)
  const token = path.slice('/pay/'.length)
  const { payLinks } = till.server.client()
  const started = await payLinks.start({ token, amountCents: 1_000, savesCard: true, idempotencyKey: randomUUID() })
  if ((await confirmWith(stripe, started.clientSecret, number)) === 'requires_action') {
    const query = new URLSearchParams({ key: stripe.publishableKey, client_secret: started.clientSecret, success: 'true' })
    await fetch(`${stripe.url}/v3/authenticate?${query}`)
  }
  await payLinks.check({ token })
  await until(async () => (await accountOf(contactId)).balanceCents === 0)
  const { charges } = await client.collections.addCharge({
    contactId,
    description: 'Instalment',
    amountCents: 50_000,
    dueOn: '2026-11-29',
  })
  const [card] = await till.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
  const charge = {
    contactId,
    amountCents: 50_000,
    purpose: 'charge' as const,
    referenceId: charges[0]!.id,
    chargeId: charges[0]!.id,
    description: 'Instalment',
    idempotencyKey: randomUUID(),
  }
  return { contactId, methodId: card!.method_id, charge }
}
const paymentsOf = (contactId: string) =>
  till.server.rows("select status, failure_code from card_payments where contact_id = $1 and purpose = 'charge' order by created_at, id", [
    contactId,
  ])
const chargesOf = (amount: number, status: string) =>
  stripe.list('charge').filter((one) => one.amount === amount && one.status === status).length

describe('charging a saved card without the patient', () => {
  it('pays the charge and is booked like any other card payment, once for each key (issue 29)', async () => {
    const { contactId, charge } = await debtorWithCard()
    const before = chargesOf(50_000, 'succeeded')
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => chargeSavedCard(scope(), charge)))
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'paid', failureCode: null })
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
    expect(chargesOf(50_000, 'succeeded')).toBe(before + 1)
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'paid' })
    expect(await chargeSavedCard(scope(), { ...charge, amountCents: 100 })).toMatchObject({ refusal: 'KEY_REUSED' })
  })

  it.each([
    ['has no funds', 'pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['was lost', 'pm_card_chargeDeclinedLostCard', 'lost_card'],
    ['the bank wants authenticated', 'pm_card_authenticationRequired', 'authentication_required'],
  ])('is declined for a card that %s, and another attempt may be paid (issue 29)', async (_, token, code) => {
    const { contactId, methodId, charge } = await debtorWithCard()
    stripe.replaceCard(methodId, token)
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'declined', failureCode: code })
    stripe.replaceCard(methodId, 'pm_card_visa')
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'declined', failureCode: code })
    expect(await chargeSavedCard(scope(), { ...charge, idempotencyKey: randomUUID() })).toMatchObject({ status: 'paid' })
    expect(await paymentsOf(contactId)).toEqual([
      { status: 'cancelled', failure_code: code },
      { status: 'paid', failure_code: null },
    ])
  })

  it('is declined for a card that has expired (issue 29)', async () => {
    const { methodId, charge } = await debtorWithCard()
    stripe.change(methodId, { card: { exp_month: 10, exp_year: 2026 } })
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'declined', failureCode: 'expired_card' })
  })

  it.each(['POST /v1/payment_intents$', 'POST /v1/payment_intents/.*/confirm'])(
    'finds out with the same key what became of a charge whose answer was lost at %s (issue 29)',
    async (match) => {
      const { contactId, charge } = await debtorWithCard()
      const before = chargesOf(50_000, 'succeeded')
      stripe.fault({ kind: 'timeoutAfter', match })
      expect(await chargeSavedCard(scope(), charge)).toMatchObject({ refusal: 'CARDS_UNAVAILABLE' })
      expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'paid' })
      expect(chargesOf(50_000, 'succeeded')).toBe(before + 1)
      await until(async () => (await accountOf(contactId)).balanceCents === 0)
    },
  )

  it('is booked by itself when the answer was lost and no one asks again (issue 29)', async () => {
    const { contactId, charge } = await debtorWithCard()
    stripe.fault({ kind: 'timeoutAfter', match: 'POST /v1/payment_intents/.*/confirm' })
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ refusal: 'CARDS_UNAVAILABLE' })
    await stripe.settled()
    await untilNoneLeft(till.server, 'cards.follow-payment')
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
  })

  it('is refused without a saved card, and after it was removed (issue 29)', async () => {
    const { contactId, charge } = await debtorWithCard()
    const client = await clerk()
    const other = await createCustomer(client)
    expect(await chargeSavedCard(scope(), { ...charge, contactId: other.contactId })).toMatchObject({ refusal: 'NO_CARD' })
    const [card] = await client.savedCards.ofContact({ contactId })
    await client.savedCards.remove({ id: card!.id })
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ refusal: 'NO_CARD' })
    expect(await paymentsOf(contactId)).toEqual([])
  })

  it('charges nothing while Stripe is away (issue 29)', async () => {
    const { contactId, charge } = await debtorWithCard()
    stripe.setOffline(true)
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ refusal: 'CARDS_UNAVAILABLE' })
    stripe.setOffline(false)
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 50_000 })
    expect(await chargeSavedCard(scope(), charge)).toMatchObject({ status: 'paid' })
  })
})
