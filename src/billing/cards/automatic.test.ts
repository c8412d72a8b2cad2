import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt, useCards } from '../../../test/billing/cards.ts'
import { createCustomer } from '../../../test/billing/point-of-sale.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import { payPath } from './pay-links.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const at = (day: string) => {
  clock.now = new Date(`${day}T15:00:00Z`)
}
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const till = useCards(stripe, {}, { now: () => clock.now })
const clerk = () => till.server.as('billing')
const accountOf = async (contactId: string) => (await clerk()).collections.account({ contactId })
/** What Stripe was asked to charge this patient, declined charges included. */
async function chargesOf(contactId: string) {
  const rows = await till.server.rows<{ customer_id: string }>('select customer_id from card_customers where contact_id = $1', [contactId])
  return stripe.list('charge').filter(({ customer }) => rows.some(({ customer_id: id }) => id === customer))
}
const automaticOf = async (contactId: string) => (await clerk()).savedCards.automatic({ contactId })
const run = async () => {
  await till.server.rows("select graphile_worker.add_job('cards.charge-instalments')")
  await untilNoneLeft(till.server, 'cards.charge-instalments')
  await untilNoneLeft(till.server, 'cards.charge-instalment')
  await untilNoneLeft(till.server, 'cards.book-payment')
  await untilNoneLeft(till.server, 'mail.send')
}
const tokenOf = (contactId: string) =>
  payPath(till.server.running.runtime, { kind: 'balance', id: contactId }, 3_600_000).slice('/pay/'.length)

beforeEach(() => {
  at('2026-11-29')
  stripe.clearFaults()
  stripe.setOffline(false)
  stripe.setWebhook(hookAt(till.server))
})

/** A patient with $900.00 in three instalments from today on who pays the first by card and agrees to have the others charged. */
async function patient(given: { isAutomatic?: boolean; language?: 'en' | 'fr' } = {}) {
  const { isAutomatic = true, language = 'en' } = given
  const client = await clerk()
  const { contactId, email } = await createCustomer(client)
  await till.server.rows('update contacts set preferred_language = $2 where id = $1', [contactId, language])
  await client.collections.addCharge({
    contactId,
    description: 'Laser',
    amountCents: 90_000,
    dueOn: '2026-11-29',
    plan: ['2026-11-29', '2026-12-15', '2027-01-15'].map((dueOn) => ({ dueOn, amountCents: 30_000 })),
  })
  const token = tokenOf(contactId)
  const { payLinks } = till.server.client()
  expect(await payLinks.view({ token })).toMatchObject({ dueCents: 30_000, openCents: 90_000, hasInstalments: true, isAutomatic: false })
  const started = await payLinks.start({ token, amountCents: 30_000, savesCard: true, isAutomatic, language, idempotencyKey: randomUUID() })
  await confirmWith(stripe, started.clientSecret)
  await payLinks.check({ token })
  await until(async () => (await accountOf(contactId)).balanceCents === 60_000)
  const [card] = await till.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
  const emails = () => till.server.outbox.messages.filter(({ To }) => To === email)
  const timeline = async () =>
    (await till.server.rows<{ description: string }>('select description from interactions where contact_id = $1', [contactId])).map(
      ({ description }) => description,
    )
  const tasks = () => till.server.rows('select title from tasks where contact_id = $1', [contactId])
  return { contactId, token, methodId: card!.method_id, emails, timeline, tasks }
}

describe('automatic payment of instalments', () => {
  it('is announced in the patient’s language, charged once when it is due, and seen on the account (issue 29)', async () => {
    const { contactId, emails } = await patient({ language: 'fr' })
    expect(await automaticOf(contactId)).toMatchObject({ consent: { text: expect.stringContaining('J’autorise') }, charges: [] })
    at('2026-12-11')
    await run()
    expect(await automaticOf(contactId)).toMatchObject({ charges: [] })
    at('2026-12-12')
    await run()
    await run()
    const announced = emails().filter(({ Subject }) => Subject?.startsWith('Votre prochain paiement'))
    expect(announced).toHaveLength(1)
    expect(announced[0]!.TextBody).toContain('300,00')
    expect(announced[0]!.TextBody).toContain('4242')
    expect(await automaticOf(contactId)).toMatchObject({ charges: [{ status: 'announced', chargeOn: '2026-12-15', amountCents: 30_000 }] })
    at('2026-12-15')
    await run()
    await run()
    expect(await chargesOf(contactId)).toHaveLength(2)
    await until(async () => (await accountOf(contactId)).balanceCents === 30_000)
    expect(await automaticOf(contactId)).toMatchObject({ charges: [{ status: 'paid', chargedCents: 30_000 }] })
    const { payments } = await accountOf(contactId)
    expect(payments).toMatchObject([{ paymentMethod: 'Card online', totalCents: 30_000 }, {}])
  })

  it('is tried again after 3 and 7 days, and then is a task for billing (issue 29)', async () => {
    await till.server.signIn('billing')
    const { contactId, methodId, emails, tasks, timeline } = await patient()
    at('2026-12-12')
    await run()
    stripe.replaceCard(methodId, 'pm_card_chargeDeclinedInsufficientFunds')
    for (const day of ['2026-12-15', '2026-12-16', '2026-12-18', '2026-12-19', '2026-12-22', '2026-12-23', '2026-12-30']) {
      at(day)
      await run()
      if (day < '2026-12-22') expect(await tasks()).toEqual([])
    }
    expect(await chargesOf(contactId)).toHaveLength(4)
    expect((await automaticOf(contactId)).charges.map(({ attempt, status, chargeOn }) => [attempt, status, chargeOn])).toEqual([
      [3, 'declined', '2026-12-22'],
      [2, 'declined', '2026-12-18'],
      [1, 'declined', '2026-12-15'],
    ])
    expect(await tasks()).toEqual([{ title: 'An automatic payment was declined: call the patient' }])
    const declined = emails().filter(({ Subject }) => Subject?.includes('did not go through'))
    expect(declined).toHaveLength(3)
    // Newest first.
    expect(declined[0]!.TextBody).toContain('We will not try again')
    expect(declined[0]!.TextBody).toMatch(/\/pay\//)
    expect((await timeline()).filter((line) => line.startsWith('Automatic payment of $300.00'))).toHaveLength(3)
    expect(await accountOf(contactId)).toMatchObject({ balanceCents: 60_000 })
  })

  it('is not tried again with a card that has expired or was lost, and is paid by the second attempt otherwise (issue 29)', async () => {
    const [lost, later] = [await patient(), await patient()]
    at('2026-12-12')
    await run()
    stripe.replaceCard(lost.methodId, 'pm_card_chargeDeclinedLostCard')
    stripe.replaceCard(later.methodId, 'pm_card_chargeDeclinedInsufficientFunds')
    at('2026-12-15')
    await run()
    stripe.replaceCard(later.methodId, 'pm_card_visa')
    at('2026-12-18')
    await run()
    expect((await automaticOf(lost.contactId)).charges).toMatchObject([{ status: 'declined', failureCode: 'lost_card' }])
    expect((await automaticOf(later.contactId)).charges).toMatchObject([{ status: 'paid', attempt: 2 }, { status: 'declined' }])
    await until(async () => (await accountOf(later.contactId)).balanceCents === 30_000)
  })

  it('charges once although Stripe’s answer was lost (issue 29)', async () => {
    const { contactId } = await patient()
    at('2026-12-12')
    await run()
    at('2026-12-15')
    stripe.setWebhook(undefined)
    stripe.fault({ kind: 'timeoutAfter', match: 'POST /v1/payment_intents/.*/confirm' })
    await till.server.rows("select graphile_worker.add_job('cards.charge-instalments')")
    await untilNoneLeft(till.server, 'cards.charge-instalments')
    await until(async () => {
      await makeDue(till.server, "task_id in (select id from graphile_worker._private_tasks where identifier = 'cards.charge-instalment')")
      return (await automaticOf(contactId)).charges[0]!.status === 'paid'
    })
    expect(await chargesOf(contactId)).toHaveLength(2)
    await until(async () => (await accountOf(contactId)).balanceCents === 30_000)
  })

  it('charges what is still open, and nothing that was paid in the meantime (issue 29)', async () => {
    const [part, all] = [await patient(), await patient()]
    at('2026-12-12')
    await run()
    const client = await clerk()
    const chargeOf = async (contactId: string) => (await client.collections.account({ contactId })).charges[0]!.id
    await client.collections.writeOff({ id: await chargeOf(part.contactId), amountCents: 10_000, reason: 'Long wait' })
    await client.collections.writeOff({ id: await chargeOf(all.contactId), amountCents: 30_000, reason: 'Long wait' })
    at('2026-12-15')
    await run()
    expect((await automaticOf(part.contactId)).charges).toMatchObject([{ status: 'paid', chargedCents: 20_000 }])
    expect((await automaticOf(all.contactId)).charges).toEqual([])
  })

  it('ends when the patient or staff stop it, also for what was announced (issue 29)', async () => {
    const [own, asked] = [await patient(), await patient()]
    at('2026-12-12')
    await run()
    const { payLinks } = till.server.client()
    const token = tokenOf(own.contactId)
    expect(await payLinks.view({ token })).toMatchObject({ isAutomatic: true })
    for (const _ of [1, 2]) expect(await payLinks.stopAutomatic({ token })).toMatchObject({ isAutomatic: false })
    const client = await clerk()
    expect(await client.savedCards.stopAutomatic({ contactId: asked.contactId })).toMatchObject({ consent: null })
    at('2026-12-15')
    await run()
    for (const { contactId } of [own, asked]) expect(await chargesOf(contactId)).toHaveLength(1)
    expect(await own.timeline()).toContain('Automatic payment of instalments stopped by the patient')
    expect(await asked.timeline()).toContain('Automatic payment of instalments stopped')
  })

  it('is not begun by saving the card alone (issue 29)', async () => {
    const { contactId } = await patient({ isAutomatic: false })
    at('2026-12-12')
    await run()
    expect(await automaticOf(contactId)).toEqual({ consent: null, charges: [] })
  })

  it('is refused for a card that is not saved, and names the field (issue 29)', async () => {
    const { contactId } = await patient({ isAutomatic: false })
    const start = till.server.client().payLinks.start({
      token: tokenOf(contactId),
      amountCents: 30_000,
      isAutomatic: true,
      idempotencyKey: randomUUID(),
    })
    const fields = { isAutomatic: 'Automatic payments need a saved card' }
    expect(await refusal(start)).toMatchObject({ status: 422, code: 'INVALID_INPUT', data: { fields } })
  })
})
