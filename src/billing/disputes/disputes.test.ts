import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt, useCards } from '../../../test/billing/cards.ts'
import { createCustomer } from '../../../test/billing/point-of-sale.ts'
import { makeDue, untilNoneLeft } from '../../../test/jobs.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import { payPath } from '../cards/service.ts'

const clock = { now: new Date('2026-11-29T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const till = useCards(stripe, { TRUST_PROXY: 'true' }, { now: () => clock.now })
const clerk = () => till.server.as('billing')

const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Safari/605.1.15'

/** A disputed payment of $250.00 by a patient who let the card be kept. */
async function disputed(reason = 'fraudulent') {
  const client = await clerk()
  const { contactId } = await createCustomer(client)
  await client.collections.addCharge({ contactId, description: 'Rhinoplasty', amountCents: 25_000, dueOn: '2026-11-29' })
  const token = payPath(till.server.running.runtime, { kind: 'balance', id: contactId }, 3_600_000).slice('/pay/'.length)
  const started = await fetch(`${till.server.url}/api/pay-links/${token}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7', 'user-agent': iPhone },
    body: JSON.stringify({ amountCents: 25_000, savesCard: true, idempotencyKey: randomUUID() }),
  })
  const { clientSecret } = (await started.json()) as { clientSecret: string }
  await confirmWith(stripe, clientSecret)
  await until(async () => (await client.collections.account({ contactId })).balanceCents === 0)
  const made = stripe.dispute({ payment_intent: clientSecret.split('_secret_')[0]!, reason })
  await until(async () => (await client.disputes.list({})).data.some(({ contact }) => contact.id === contactId))
  const { id } = (await client.disputes.list({})).data.find(({ contact }) => contact.id === contactId)!
  return { client, contactId, id, made }
}
const atStripe = (id: unknown) => stripe.list('dispute').find((one) => one.id === id)!

beforeEach(() => {
  stripe.clearFaults()
  stripe.setOffline(false)
  stripe.setWebhook(hookAt(till.server))
})

describe('disputes', () => {
  it('are listed with prepared evidence that names no procedure, and the task leads there (issue 29)', async () => {
    const { client, contactId, id } = await disputed()
    const { data, open } = await client.disputes.list({ state: 'open' })
    expect(open).toBeGreaterThan(0)
    expect(data[0]).toMatchObject({
      id,
      amountCents: 25_000,
      reason: 'fraudulent',
      status: 'needs_response',
      dueBy: '2026-12-08T15:00:00.000Z',
    })
    await till.server.rows(
      `insert into appointments (contact_id, type, starts_at, ends_at, status, notes, created_at, updated_at)
       values ($1, 'consult', '2026-11-20T20:00:00Z', '2026-11-20T21:00:00Z', 'completed', 'Rhinoplasty', now(), now())`,
      [contactId],
    )
    const found = await client.disputes.get({ id })
    expect(found.evidence).toMatchObject({
      payment: { amountCents: 25_000, address: '198.51.100.7', device: iPhone, card: { brand: 'visa', last4: '4242' } },
      acceptances: [{ title: 'Consent to keep the card', text: expect.stringContaining('I allow') }],
      receipt: { totalCents: 25_000 },
      visits: [{ startsAt: '2026-11-20T20:00:00.000Z', status: 'completed' }],
      consents: [],
    })
    expect(found.statement).toContain('paid $250.00')
    expect(found.statement).toContain('from Safari on iPhone at the network address 198.51.100.7')
    expect(found.statement).toContain('November 20, 2026, 3:00 p.m. (attended)')
    expect(found.statement).not.toMatch(/\d{4}-\d{2}-\d{2}|Mozilla|\.\.|[ap]\.m$/m)
    expect(JSON.stringify(found)).not.toContain('Rhinoplasty')
    expect((await (await till.server.as('sales_rep')).disputes.get({ id })).evidence.consents).toBeNull()
    const [task] = await till.server.rows<{ description: string }>(
      "select description from tasks where contact_id = $1 and title = 'Answer a disputed card payment'",
      [contactId],
    )
    expect(task!.description).toContain(`/collections?tab=disputes&dispute=${id}`)
  })

  it('are listed by deadline, soonest first, before those that are over, page by page (issue 29)', async () => {
    const [first, second, third] = [await disputed(), await disputed(), await disputed()]
    const { client } = first
    await till.server.rows("update card_disputes set due_by = '2026-12-03T15:00:00Z' where id = $1", [first.id])
    await till.server.rows("update card_disputes set due_by = '2026-12-02T15:00:00Z' where id = $1", [second.id])
    stripe.closeDispute(third.made.id as string, 'lost')
    await until(async () => (await client.disputes.get({ id: third.id })).status === 'lost')
    const ids: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await client.disputes.list({ limit: 1, cursor })
      ids.push(page.data[0]!.id)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(ids.slice(0, 2)).toEqual([second.id, first.id])
    expect(new Set(ids).size).toBe(ids.length)
    const whole = await client.disputes.list({})
    expect(whole.data.map(({ id }) => id)).toEqual(ids)
    const isOver = whole.data.map(({ status }) => !status.endsWith('needs_response'))
    expect(isOver).toEqual(isOver.toSorted())
    expect((await client.disputes.list({ state: 'open' })).data[0]!.id).toBe(second.id)
  })

  it('show billing the days on which consent forms were signed, and their names to those who see consents (issue 29)', async () => {
    const { client, contactId, id } = await disputed()
    await till.server.rows(
      `with template as (insert into consent_templates default values returning id),
         version as (insert into consent_template_versions (template_id, number, definition, published_at)
           select id, 1, '{"title":{"en":"Rhinoplasty","fr":"Rhinoplastie"}}', now() from template returning id)
       insert into consent_forms (contact_id, version_id, status, sent_via, sent_at, language, signed_at, text, text_hash, signing)
       select $1, id, 'signed', 'link', now(), 'en', '2026-11-20T15:00:00Z', '{"title":"Consent to a rhinoplasty"}', 'a', '{}' from version`,
      [contactId],
    )
    const signedAt = '2026-11-20T15:00:00.000Z'
    const { evidence, statement } = await client.disputes.get({ id })
    expect(evidence.consents).toEqual([{ name: null, signedAt }])
    expect(statement).toContain('The patient signed consent forms on November 20, 2026, 10:00 a.m.')
    for (const role of ['admin', 'front_desk'] as const) {
      const shown = await (await till.server.as(role)).disputes.get({ id })
      expect(shown.evidence.consents).toEqual([{ name: 'Consent to a rhinoplasty', signedAt }])
    }
  })

  it('tell only what the record shows: calls without a direction, surgeries as visits, and nothing after the dispute (issue 29)', async () => {
    const { client, contactId, id, made } = await disputed()
    const visit = `insert into appointments (contact_id, type, starts_at, ends_at, status, created_at, updated_at)
      select $1, 'consult', at, at + interval '1 hour', status, now(), now()
      from (values ('2026-11-10T20:00:00Z'::timestamptz, 'completed'), ('2026-11-12T20:00:00Z', 'no_show'), ('2026-12-02T20:00:00Z', 'completed')) v (at, status)`
    await till.server.rows(visit, [contactId])
    await till.server.rows(
      `insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, status, created_at, updated_at)
       values ($1, '[{"id":null,"name":"Rhinoplasty"}]', 'general', '2026-11-17T14:00:00Z', '2026-11-17T16:00:00Z', 'completed', now(), now())`,
      [contactId],
    )
    await till.server.rows(
      `insert into interactions (contact_id, type, description, date, outcome)
       values ($1, 'call', 'Rhinoplasty', '2026-11-13T15:00:00Z', 'no_answer'), ($1, 'call', 'Rhinoplasty', '2026-11-14T15:00:00Z', null)`,
      [contactId],
    )
    const { evidence, statement } = await client.disputes.get({ id })
    expect(evidence.visits).toEqual([
      { startsAt: '2026-11-10T20:00:00.000Z', status: 'completed' },
      { startsAt: '2026-11-12T20:00:00.000Z', status: 'no_show' },
      { startsAt: '2026-11-17T14:00:00.000Z', status: 'completed' },
    ])
    expect(evidence.contacts).toEqual([{ at: '2026-11-14T15:00:00.000Z', channel: 'call', isFromPatient: null }])
    expect(evidence.serviceAt).toBe('2026-11-17T14:00:00.000Z')
    expect(statement).toContain('All times are in Eastern Time.')
    expect(statement).toContain('November 12, 2026, 3:00 p.m. (missed); November 17, 2026, 9:00 a.m. (attended).')
    expect(statement).toContain('Contacts with the patient: a call on November 14, 2026, 10:00 a.m.')
    await client.disputes.submit({ id, version: 1, statement })
    expect(atStripe(made.id).evidence).toMatchObject({ service_date: '2026-11-17' })
  })

  it('give the day of the visit whose deposit is disputed, and the visits nearest to the payment (issue 29)', async () => {
    const { client, contactId, id } = await disputed()
    await till.server.rows(
      `insert into appointments (contact_id, type, starts_at, ends_at, status, created_at, updated_at)
       select $1, 'consult', at, at + interval '1 hour', 'completed', now(), now()
       from generate_series('2026-05-01T15:00:00Z'::timestamptz, '2026-05-25T15:00:00Z', '1 day') at`,
      [contactId],
    )
    const { evidence } = await client.disputes.get({ id })
    expect([evidence.visits.length, evidence.visits[0]!.startsAt]).toEqual([20, '2026-05-06T15:00:00.000Z'])
    await till.server.rows(
      `with visit as (
         insert into appointments (contact_id, type, starts_at, ends_at, status, created_at, updated_at)
         values ($1, 'consult', '2026-12-15T20:00:00Z', '2026-12-15T21:00:00Z', 'booked', now(), now()) returning id
       ), terms as (
         insert into visit_terms (id, contact_id, appointment_id, deposit_cents, keeps_card, late_fee_cents, no_show_fee_cents, change_hours, text, language, accepted_at)
         select gen_random_uuid(), $1, id, 25000, false, 0, 0, 24, 'Deposit', 'en', now() from visit returning id
       )
       update card_payments set purpose = 'deposit', reference_id = (select id from terms) where contact_id = $1`,
      [contactId],
    )
    expect((await client.disputes.get({ id })).evidence.serviceAt).toBe('2026-12-15T20:00:00.000Z')
  })

  it('take evidence once, as staff wrote it, and end as the bank decides (issue 29)', async () => {
    const { client, contactId, id, made } = await disputed()
    expect(await refusal(client.disputes.submit({ id, version: 1, statement: ' ' }))).toMatchObject({ status: 422 })
    expect(await client.disputes.save({ id, version: 1, statement: 'Our side' })).toMatchObject({
      version: 2,
      statement: 'Our side',
      submittedAt: null,
    })
    const statement = 'The patient was here, and came again'
    const [first, second] = await Promise.all([
      client.disputes.submit({ id, version: 2, statement }),
      client.disputes.submit({ id, version: 2, statement }),
    ])
    expect(first).toMatchObject({ status: 'under_review', statement })
    expect(second.status).toBe('under_review')
    const { evidence, evidence_details: details } = atStripe(made.id)
    expect(evidence).toMatchObject({
      uncategorized_text: statement,
      customer_purchase_ip: '198.51.100.7',
      customer_name: expect.any(String),
    })
    expect(evidence).toMatchObject({ access_activity_log: expect.stringContaining(`198.51.100.7 ${iPhone}`) })
    expect(JSON.stringify(evidence)).not.toContain('Rhinoplasty')
    expect(details).toMatchObject({ submission_count: 1 })
    expect(await refusal(client.disputes.submit({ id, version: 3, statement: 'Something else' }))).toMatchObject({
      status: 409,
      code: 'SUBMITTED',
    })
    expect(await refusal(client.disputes.save({ id, version: 3, statement: 'Something else' }))).toMatchObject({
      status: 409,
      code: 'SUBMITTED',
    })
    stripe.closeDispute(made.id as string, 'won')
    await until(async () => (await client.disputes.get({ id })).status === 'won')
    const timeline = await till.server.rows('select description from interactions where contact_id = $1', [contactId])
    expect(timeline).toEqual(
      expect.arrayContaining([
        { description: 'Evidence about a disputed card payment of $250.00 was submitted to the bank' },
        { description: 'The dispute was won: the money is back' },
      ]),
    )
  })

  it('refuse a statement that is based on an older version (issue 29)', async () => {
    const { client, id, made } = await disputed()
    const { version } = await client.disputes.get({ id })
    await client.disputes.save({ id, version, statement: 'What a colleague wrote' })
    for (const call of ['save', 'submit'] as const)
      expect(await refusal(client.disputes[call]({ id, version, statement: 'What an older tab has' }))).toMatchObject({
        status: 409,
        code: 'CHANGED_MEANWHILE',
      })
    expect(await client.disputes.get({ id })).toMatchObject({ statement: 'What a colleague wrote', evidenceAt: null })
    expect(atStripe(made.id).evidence_details).toMatchObject({ submission_count: 0 })
  })

  it('send evidence later when Stripe is away, and once when its answer is lost (issue 29)', async () => {
    const { client, id, made } = await disputed('product_not_received')
    stripe.fault({ kind: 'dropAfter', match: 'POST /v1/disputes', times: 2 })
    const statement = 'The visit took place'
    expect(await refusal(client.disputes.submit({ id, version: 1, statement }))).toMatchObject({ status: 503, code: 'CARDS_UNAVAILABLE' })
    expect(await client.disputes.get({ id })).toMatchObject({ statement, submittedAt: null, evidenceAt: expect.any(String) })
    await makeDue(till.server, "task_id = (select id from graphile_worker._private_tasks where identifier = 'disputes.send-evidence')")
    await untilNoneLeft(till.server, 'disputes.send-evidence')
    expect(await client.disputes.get({ id })).toMatchObject({ status: 'under_review', submittedAt: expect.any(String) })
    expect(atStripe(made.id).evidence_details).toMatchObject({ submission_count: 1 })
  })

  it('say why Stripe refused the evidence, which can then be changed (issue 29)', async () => {
    const { client, id, made } = await disputed()
    // Events that come late would say that it is under review.
    await stripe.settled()
    await untilNoneLeft(till.server, 'cards.follow-dispute')
    stripe.change(made.id as string, { status: 'under_review' })
    expect(await refusal(client.disputes.submit({ id, version: 1, statement: 'Too late' }))).toMatchObject({
      status: 422,
      code: 'CARD_REFUSED',
      message:
        'Stripe refused the evidence. Open the dispute in Stripe’s dashboard to see why. Stripe says: This dispute is already closed or under review.',
    })
    expect(await client.disputes.get({ id })).toMatchObject({
      evidenceProblem: 'This dispute is already closed or under review.',
      evidenceAt: null,
    })
    stripe.change(made.id as string, { status: 'needs_response' })
    expect(await client.disputes.submit({ id, version: 2, statement: 'In time' })).toMatchObject({ status: 'under_review' })
  })

  it('refuse evidence of those who do not do the billing, and where it is too late (issue 29)', async () => {
    const { client, id, made } = await disputed()
    expect(await refusal((await till.server.as('front_desk')).disputes.submit({ id, version: 1, statement: 'Mine' }))).toMatchObject({
      status: 403,
    })
    expect(await refusal((await till.server.as('provider')).disputes.get({ id }))).toMatchObject({ status: 403 })
    stripe.closeDispute(made.id as string, 'lost')
    await until(async () => (await client.disputes.get({ id })).status === 'lost')
    expect(await refusal(client.disputes.submit({ id, version: 1, statement: 'Late' }))).toMatchObject({ status: 409, code: 'CLOSED' })
    const unknown = { id: randomUUID(), version: 1, statement: 'Any' }
    expect(await refusal(client.disputes.submit(unknown))).toMatchObject({ status: 404 })
    expect(await refusal(client.disputes.save(unknown))).toMatchObject({ status: 404 })
    expect(await refusal(client.disputes.get({ id: unknown.id }))).toMatchObject({ status: 404 })
  })

  it('are not needed for a dispute that the practice accepts, which is lost at once, once (issue 29)', async () => {
    const { client, contactId, id, made } = await disputed()
    expect(await refusal((await till.server.as('front_desk')).disputes.accept({ id }))).toMatchObject({ status: 403 })
    stripe.setOffline(true)
    expect(await refusal(client.disputes.accept({ id }))).toMatchObject({ status: 503, code: 'CARDS_UNAVAILABLE' })
    stripe.setOffline(false)
    const both = await Promise.all([client.disputes.accept({ id }), client.disputes.accept({ id })])
    expect(both).toMatchObject([{ status: 'lost' }, { status: 'lost' }])
    expect(atStripe(made.id)).toMatchObject({ status: 'lost' })
    expect(await client.disputes.accept({ id })).toMatchObject({ status: 'lost', evidenceAt: null })
    expect(await refusal(client.disputes.submit({ id, version: 1, statement: 'Late' }))).toMatchObject({ code: 'CLOSED' })
    const { data } = await client.interactions.list({ contactId, limit: 50 })
    expect(data.filter(({ description }) => description === 'The dispute was lost: the money is gone')).toHaveLength(1)
  })

  it('cannot be given up once they are submitted, and an inquiry is none (issue 29)', async () => {
    const { client, id } = await disputed()
    await client.disputes.submit({ id, version: 1, statement: 'In time' })
    expect(await refusal(client.disputes.accept({ id }))).toMatchObject({ status: 409, code: 'SUBMITTED' })
    const inquiry = await disputed()
    await till.server.rows("update card_disputes set status = 'warning_needs_response' where id = $1", [inquiry.id])
    expect(await refusal(client.disputes.accept({ id: inquiry.id }))).toMatchObject({ status: 409, code: 'CLOSED' })
    expect(await refusal(client.disputes.accept({ id: randomUUID() }))).toMatchObject({ status: 404 })
  })
})
