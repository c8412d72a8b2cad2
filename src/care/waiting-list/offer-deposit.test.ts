import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt } from '../../../test/billing/cards.ts'
import { ten, usePaidBooking } from '../../../test/billing/paid-booking.ts'
import { insertContact } from '../../../test/factories.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { offerOpenings } from './jobs.ts'

const clock = { now: new Date('2026-11-21T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const clinic = usePaidBooking(stripe, clock, { APP_URL: 'https://clinic.example', WAITING_LIST_AT_ONCE: '0' })
const { made, addVisit, visitor } = clinic
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
/** What the job does every minute, in a clinic that leaves no offers to staff. */
function run() {
  const runtime = clinic.server.running.runtime as unknown as Scope
  const env = { ...runtime.env, WAITING_LIST_AT_ONCE: 3 }
  return offerOpenings.run({ ...runtime, env, actor: null, origin: { requestId: 'test', address: null } }, {}, { last: false })
}

beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  stripe.setWebhook(hookAt(clinic.server))
  await clinic.server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
  await clinic.server.rows("update waiting_list_entries set status = 'ended' where status = 'waiting'")
  await clinic.server.rows("update waiting_offers set status = 'expired' where status = 'open'")
  await clinic.server.rows('delete from booking_holds')
  await clinic.server.rows('delete from rate_limits')
})

type NewVisitType = Parameters<typeof addVisit>[0]

/** A patient who waits for a visit with a deposit, of which one time is possible that someone else has. @returns how to free it, and more. */
async function waitForVisit(given: NewVisitType = {}) {
  const visit = await addVisit({ noticeHours: 720, ...given })
  await made.admin.availability.setStaffHours({
    id: made.provider.id,
    weekly: [{ weekday: 2, opens: '10:00', closes: '10:45', fromDay: '2026-12-01', toDay: '2026-12-01' }],
  })
  const appointment = { contactId: await insertContact(clinic.server), type: 'consult' as const, visitTypeId: visit.id, startsAt: ten }
  const other = await made.desk.appointments.book({ ...appointment, minutes: 45, idempotencyKey: randomUUID() })
  const wait = async () => {
    const email = `${randomUUID()}@mail.example`
    const contactId = await insertContact(clinic.server, { firstName: 'Ana', email })
    const times = { weekdays: [], dayParts: [], fromDay: '2026-11-21', toDay: '2026-12-31' }
    await made.desk.waitingList.add({ contactId, visitTypeId: visit.id, ...times })
    return { contactId, email }
  }
  const free = () => made.desk.appointments.setStatus({ id: other.id, version: other.version, status: 'cancelled', reason: 'Has a cold' })
  return { visit, wait, free }
}
const entryOf = async (contactId: string) => (await made.desk.waitingList.ofContact({ contactId }))[0]!
const visitsOf = async (contactId: string) =>
  (await made.desk.appointments.ofContact({ contactId })).filter(({ status }) => status === 'booked' || status === 'confirmed')
async function tokenTo(email: string): Promise<string> {
  const found = () =>
    clinic.server.outbox.messages
      .map(({ To, TextBody = '' }) => (To === email ? /\/offer\/([\w~-]+)/.exec(TextBody)?.[1] : ''))
      .find(Boolean)
  await until(() => found())
  return found()!
}

describe('an offer of a visit with a deposit', () => {
  it('holds the time and is booked once its terms are accepted and the deposit is paid (issue 29)', async () => {
    const { visit, wait, free } = await waitForVisit()
    const [ana, bea] = [await wait(), await wait()]
    await free()
    await run()
    const [toAna, toBea] = [await tokenTo(ana.email), await tokenTo(bea.email)]
    const client = visitor()
    expect(await client.waitingOffers.view({ token: toAna })).toMatchObject({ state: 'open', depositCents: 7_500 })
    // Yes alone books nothing.
    expect(await client.waitingOffers.accept({ token: toAna })).toMatchObject({ state: 'open', link: null })
    expect(await visitsOf(ana.contactId)).toEqual([])

    const { key, ...held } = await client.selfBooking.holdOffer({ token: toAna })
    expect(held).toMatchObject({ visitTypeId: visit.id, startsAt: ten, terms: { depositCents: 7_500, lateFeeCents: 5_000 } })
    // The other one reads that it is being booked, and keeps the offer, since it may be free again.
    expect(await visitor().waitingOffers.view({ token: toBea })).toMatchObject({ state: 'held' })
    expect(await codeOf(visitor().selfBooking.holdOffer({ token: toBea }))).toBe('TAKEN')
    // The job does not end the offer of a time that is held for its patient. A second page goes on with the same booking.
    await run()
    expect((await entryOf(bea.contactId)).offers).toMatchObject([{ status: 'open' }])
    const again = { id: (await entryOf(bea.contactId)).id, startsAt: ten }
    expect(await codeOf(made.desk.waitingList.offer(again))).toBe('OPEN_OFFER')
    expect(await visitor().selfBooking.holdOffer({ token: toAna })).toMatchObject({ key })
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('UNPAID')
    const { form } = await client.selfBooking.pay({ key, language: 'fr', acceptsTerms: true })
    expect(await confirmWith(stripe, form!.clientSecret)).toBe('succeeded')
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: ten })

    expect(await visitsOf(ana.contactId)).toMatchObject([{ startsAt: ten, visitTypeId: visit.id }])
    expect(await entryOf(ana.contactId)).toMatchObject({ status: 'booked', offers: [{ status: 'accepted' }] })
    expect(await client.waitingOffers.view({ token: toAna })).toMatchObject({
      state: 'accepted',
      depositCents: null,
      link: expect.stringContaining('/appointment/'),
    })
    // Also of a patient who began to book it in vain, the offer is over once the time is taken, so that staff can offer another one.
    const stillWaits = { state: 'gone', isWaiting: true, bookableId: visit.id }
    expect(await visitor().waitingOffers.view({ token: toBea })).toMatchObject(stillWaits)
    expect(await codeOf(made.desk.waitingList.offer(again))).toBe('GONE')
    expect((await entryOf(bea.contactId)).offers).toMatchObject([{ status: 'gone' }])
    await made.desk.waitingList.remove({ id: again.id })
    expect(await visitor().waitingOffers.view({ token: toBea })).toMatchObject({ ...stillWaits, isWaiting: false })
    const terms = await clinic.server.rows('select contact_id, language from visit_terms where id = $1', [key])
    expect(terms).toEqual([{ contact_id: ana.contactId, language: 'fr' }])
    expect(await codeOf(visitor().selfBooking.holdOffer({ token: toAna }))).toBe('OVER')
    // No record was added: the patient of the offer is the one who books.
    expect(await clinic.server.rows('select 1 from contacts where lower(email) = $1', [ana.email])).toHaveLength(1)
  })

  it('says in its email what is booked, what is due with it and until when to answer (issue 29)', async () => {
    const { visit, wait, free } = await waitForVisit()
    const { email } = await wait()
    await free()
    await run()
    const token = await tokenTo(email)
    const { TextBody, HtmlBody } = clinic.server.outbox.messages.find(({ To }) => To === email)!
    const lines = [
      'The visit',
      `${visit.name}, 45 minutes`,
      'A deposit of $75.00 is due when you book. You read its terms before you pay.',
      'Please answer by Nov 21, 2026, 12:00 p.m.',
    ]
    expect(TextBody).toContain(`\n\n${lines.join('\n')}`)
    expect(HtmlBody).toMatch(new RegExp(`/offer/${token}" style="[^"]+">Answer this offer</a>`))
  })

  it('ends by the job once the time is taken, also for a patient who began to book it in vain (issue 29)', async () => {
    const { visit, wait, free } = await waitForVisit()
    const { contactId, email } = await wait()
    await free()
    await run()
    const client = visitor()
    const { key } = await client.selfBooking.holdOffer({ token: await tokenTo(email) })
    await clinic.server.rows("update booking_holds set status = 'open' where id = $1", [key])
    const other = { contactId: await insertContact(clinic.server), type: 'consult' as const, visitTypeId: visit.id, startsAt: ten }
    await made.desk.appointments.book({ ...other, minutes: 45, idempotencyKey: randomUUID() })
    await run()
    expect((await entryOf(contactId)).offers).toMatchObject([{ status: 'gone' }])
  })

  it('is booked by itself when the page is closed after paying, also once the offer has ended (issue 29)', async () => {
    const { wait, free } = await waitForVisit()
    const { contactId, email } = await wait()
    await free()
    await run()
    const client = visitor()
    const { key } = await client.selfBooking.holdOffer({ token: await tokenTo(email) })
    const { form } = await client.selfBooking.pay({ key, language: 'en', acceptsTerms: true })
    await clinic.server.rows("update waiting_offers set status = 'expired' where status = 'open'")
    expect(await confirmWith(stripe, form!.clientSecret)).toBe('succeeded')
    await until(async () => (await visitsOf(contactId)).length === 1)
    expect(await entryOf(contactId)).toMatchObject({ status: 'booked', offers: [{ status: 'accepted' }] })
  })

  it('is free again when its patient leaves the page (issue 29)', async () => {
    const { wait, free } = await waitForVisit()
    const { email } = await wait()
    await free()
    await run()
    const token = await tokenTo(email)
    const client = visitor()
    const first = await client.selfBooking.holdOffer({ token })
    await client.selfBooking.leave({ key: first.key })
    await run()
    expect(await client.waitingOffers.view({ token })).toMatchObject({ state: 'open' })
    const second = await client.selfBooking.holdOffer({ token })
    expect(second.key).not.toBe(first.key)
  })

  it('asks for nothing of a patient without an email address, whose receipt could not be made (issue 29)', async () => {
    const { wait, free } = await waitForVisit()
    const { contactId, email } = await wait()
    await free()
    await run()
    const token = await tokenTo(email)
    await clinic.server.rows('update contacts set email = null where id = $1', [contactId])
    expect(await codeOf(visitor().selfBooking.holdOffer({ token }))).toBe('OVER')
    expect(await visitor().waitingOffers.view({ token })).toMatchObject({ state: 'open', depositCents: null })
    expect(await visitor().waitingOffers.accept({ token })).toMatchObject({ state: 'accepted' })
    expect(await visitsOf(contactId)).toMatchObject([{ startsAt: ten }])
  })

  it('goes on with a booking that began in time, until the visit begins, and joins no list a second time (issue 29)', async () => {
    const { wait, free } = await waitForVisit()
    const { contactId, email } = await wait()
    clock.now = new Date(Date.parse(ten) - 125 * 60_000)
    await free()
    await run()
    const token = await tokenTo(email)
    // A minute before the offer ends, which is when the visit begins at the latest.
    await clinic.server.rows(`update waiting_offers set expires_at = $1 where status = 'open'`, [new Date(Date.parse(ten) - 30 * 60_000)])
    clock.now = new Date(Date.parse(ten) - 31 * 60_000)
    const client = visitor()
    const { key } = await client.selfBooking.holdOffer({ token })
    clock.now = new Date(Date.parse(ten) - 29 * 60_000)
    expect(await client.selfBooking.holdOffer({ token })).toMatchObject({ key })
    const times = { weekdays: [], dayParts: [], fromDay: '2026-12-01', toDay: '2026-12-31' }
    expect(await codeOf(client.selfBooking.wait({ key, ...times }))).toBe('OVER')
    clock.now = new Date(ten)
    expect(await codeOf(client.selfBooking.holdOffer({ token }))).toBe('TAKEN')
    expect(await visitsOf(contactId)).toEqual([])
  })

  it('asks for nothing of patients who were here before where only the first visit has a deposit (issue 29)', async () => {
    const { wait, free } = await waitForVisit({ isDepositFirstOnly: true })
    const { contactId, email } = await wait()
    await free()
    await clinic.server.rows(
      `update appointments set contact_id = $1, status = 'completed', cancel_reason = null, starts_at = starts_at - interval '1 year', ends_at = ends_at - interval '1 year'
       where id = (select id from appointments order by id desc limit 1)`,
      [contactId],
    )
    await run()
    const token = await tokenTo(email)
    expect(await visitor().waitingOffers.view({ token })).toMatchObject({ depositCents: null })
    expect(await visitor().waitingOffers.accept({ token })).toMatchObject({ state: 'accepted' })
    expect(await codeOf(visitor().selfBooking.holdOffer({ token: 'made-up' }))).toBe('OVER')
  })
})
