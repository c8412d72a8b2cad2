import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../simulators/stripe/server.ts'
import { confirmWith, hookAt } from '../../../test/billing/cards.ts'
import { ten, usePaidBooking } from '../../../test/billing/paid-booking.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { watchPayments } from '../cards/follow.ts'

const clock = { now: new Date('2026-11-21T15:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const clinic = usePaidBooking(stripe, clock)
const { made, addVisit, hold, pay, book } = clinic
const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code
const refunded = () => stripe.list('refund').reduce((sum, { amount }) => sum + (amount as number), 0)
const scope = () => ({ ...clinic.server.running.runtime, actor: null, origin: { requestId: 'test', address: null } }) as unknown as Scope
const cashier = () => clinic.server.as('billing')
const accountOf = async (contactId: string) => (await cashier()).collections.account({ contactId })

const setStatus = async (id: string, status: 'booked' | 'cancelled') =>
  made.desk.appointments.setStatus({
    id,
    version: (await made.desk.appointments.get({ id })).version,
    status,
    reason: status === 'cancelled' ? 'Is ill' : undefined,
  })
/** The text of the newest of `count` emails to an address with such a subject. */
const newest = (email: string, subject: string, count: number) =>
  until(() => {
    const found = clinic.server.outbox.messages.filter(({ To, Subject }) => To === email && Subject?.includes(subject))
    return found.length >= count && found[0]?.TextBody
  })
const mailTo = (email: string, subject: string) => newest(email, subject, 1)
/** Waits for the confirmation: only a patient who got it gets an email about the cancellation. */
const confirmed = (email: string) => mailTo(email, 'Your appointment on Tuesday')

beforeEach(async () => {
  clock.now = new Date('2026-11-21T15:00:00Z')
  stripe.clearFaults()
  stripe.setOffline(false)
  stripe.setWebhook(hookAt(clinic.server))
  await clinic.server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
  await clinic.server.rows('delete from booking_holds')
  await clinic.server.rows('delete from rate_limits')
})

describe('a booking with a deposit', () => {
  it('shows its terms, is booked once it is paid, and becomes a deposit in the ledger and in QuickBooks (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key, held, email } = await hold(visit.id, { language: 'fr' })
    expect(held.terms).toEqual({ depositCents: 7_500, keepsCard: true, lateFeeCents: 5_000, noShowFeeCents: 10_000, changeHours: 48 })
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('UNPAID')
    expect(await codeOf(client.selfBooking.pay({ key, language: 'fr', acceptsTerms: false as true }))).toBe('INVALID_INPUT')
    const { form } = await client.selfBooking.pay({ key, language: 'fr', acceptsTerms: true })
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('UNPAID')
    const again = await client.selfBooking.pay({ key, language: 'fr', acceptsTerms: true })
    expect(again.form?.clientSecret).toBe(form!.clientSecret)
    // In another language, the consent is another one, and the form before no longer works.
    const english = await client.selfBooking.pay({ key, language: 'en', acceptsTerms: true })
    // Of this visit, and nothing else that the patient may owe.
    expect(english.form?.consent).toMatch(/^I allow .* for the fee of this visit .* and for nothing else\./)
    const french = await client.selfBooking.pay({ key, language: 'fr', acceptsTerms: true })
    expect(await confirmWith(stripe, form!.clientSecret)).toBe('payment_intent_unexpected_state')
    expect(await confirmWith(stripe, french.form!.clientSecret)).toBe('succeeded')
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: ten })
    const [terms] = await clinic.server.rows<Record<string, string>>('select * from visit_terms where id = $1', [key])
    expect(terms).toMatchObject({
      language: 'fr',
      text: expect.stringContaining('75,00\u00a0$'),
      address: expect.stringMatching(/^198\./),
    })
    expect(terms!.appointment_id).not.toBe(null)
    // The confirmation repeats what was agreed to.
    await until(() =>
      clinic.server.outbox.messages.some(({ To, TextBody }) => To === email && TextBody?.includes(terms!.text!.split('\n')[3]!)),
    )
    await until(async () => (await accountOf(terms!.contact_id!)).deposits.length === 1)
    const { deposits } = await accountOf(terms!.contact_id!)
    expect(deposits).toMatchObject([{ totalCents: 7_500, leftCents: 7_500 }])
    expect(clinic.quickBooks.receipts().map(({ TotalAmt }) => TotalAmt)).toEqual([75])
    expect(stripe.list('payment_intent').filter(({ amount, status }) => amount === 7_500 && status === 'succeeded')).toHaveLength(1)
  })

  it('is confirmed by the payment: the email says what is paid and asks for nothing (issue 29)', async () => {
    const visit = await addVisit()
    const { client, token, email } = await book(visit.id)
    const mail = await confirmed(email)
    expect(mail).toContain('is booked:')
    expect(mail).toContain('\nYou paid a deposit of $75.00 with your Visa ending in 4242. It counts towards your visit.\n')
    expect(mail).toContain('If you cancel by then, the deposit goes back to your card.')
    expect(mail).not.toMatch(/confirm/i)
    expect(await client.appointmentLinks.view({ token })).toMatchObject({ state: 'confirmed' })
    // Nor does the patient confirm the time to which they move it.
    await client.appointmentLinks.move({ token, startsAt: '2026-12-02T15:00:00.000Z' })
    expect(await mailTo(email, 'has changed: Wednesday')).not.toMatch(/confirm/i)
  })

  it('is booked by itself when the patient closes the page after paying (issue 29)', async () => {
    const visit = await addVisit()
    const { key } = await pay(visit.id)
    await until(async () => (await clinic.server.rows('select 1 from appointments where idempotency_key = $1', [key])).length === 1)
  })

  it('stays open after a declined card, and is paid with another one (issue 29)', async () => {
    const visit = await addVisit()
    const { client, key, form, outcome } = await pay(visit.id, {}, '4000000000009995')
    expect(outcome).toBe('insufficient_funds')
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('UNPAID')
    expect(await confirmWith(stripe, form.clientSecret)).toBe('succeeded')
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: ten })
  })

  it('goes back when the time is gone and the patient chooses no other one (issue 29)', async () => {
    const visit = await addVisit()
    stripe.setWebhook(undefined)
    const { client, key, email } = await pay(visit.id)
    // The minutes are over, and someone else gets the time.
    await clinic.server.rows("update booking_holds set status = 'open', held_until = now() where id = $1", [key])
    await book(visit.id)
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('TAKEN')
    const before = refunded()
    // Its event was lost: the job asks. Its patient has closed the page.
    clock.now = new Date(clock.now.getTime() + 3_700_000)
    await watchPayments.run(scope(), {}, { last: false })
    await until(() => refunded() === before + 7_500)
    expect(await mailTo(email, 'was not booked')).toContain('All of your deposit, $75.00, goes back to your Visa ending in 4242.')
  })

  it('lets the patient choose another time with the same deposit when it is gone (issue 29)', async () => {
    const visit = await addVisit()
    stripe.setWebhook(undefined)
    const { client, key } = await pay(visit.id)
    await clinic.server.rows("update booking_holds set status = 'open', held_until = now() where id = $1", [key])
    await book(visit.id)
    expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('TAKEN')
    const other = '2026-12-01T18:00:00.000Z'
    await client.selfBooking.hold({ key, providerId: null, startsAt: other })
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: other })
    expect(await clinic.server.rows('select status, amount_cents::int as cents from card_payments where reference_id = $1', [key])).toEqual(
      [{ status: 'paid', cents: 7_500 }],
    )
  })

  it('keeps a card and charges nothing where only a card is left (issue 29)', async () => {
    const visit = await addVisit({ depositKind: 'card', depositCents: null })
    const { id, contactId } = await book(visit.id)
    expect(await (await cashier()).visitFees.ofAppointment({ id })).toMatchObject({
      deposit: 'none',
      card: { brand: 'visa', last4: '4242' },
      due: null,
      fee: null,
    })
    expect((await accountOf(contactId)).deposits).toEqual([])
  })

  it.each([
    ['a percentage of the price', { depositKind: 'percent' as const, depositPercent: 33, priceCents: 15_001 }, 4_950],
    ['an amount', { depositCents: 50 }, 50],
  ])('asks for %s (issue 29)', async (_, given, cents) => {
    const visit = await addVisit(given)
    expect((await hold(visit.id)).held.terms).toMatchObject({ depositCents: cents })
  })

  it('asks only patients who were not there before, where the visit type says so (issue 29)', async () => {
    const visit = await addVisit({ isDepositFirstOnly: true })
    const { id, email } = await book(visit.id)
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'completed' })
    const { client, key, held } = await hold(visit.id, { email, startsAt: '2026-12-08T15:00:00.000Z' })
    expect(held.terms).toBe(null)
    expect(await codeOf(client.selfBooking.pay({ key, language: 'en', acceptsTerms: true }))).toBe('NO_DEPOSIT')
    expect(await client.selfBooking.confirm({ key })).toMatchObject({ startsAt: '2026-12-08T15:00:00.000Z' })
  })

  it.each([
    [{ depositKind: 'amount' as const, depositCents: null }, { depositCents: 'Enter an amount from $0.50 to $10,000' }],
    [{ depositKind: 'percent' as const, depositPercent: 10 }, { priceCents: 'Enter the price of the visit' }],
    [{ depositKind: 'percent' as const, depositPercent: 1, priceCents: 4_000 }, { depositPercent: 'The deposit must be at least $0.50' }],
    [
      { depositKind: 'none' as const },
      { lateFeeCents: 'A fee needs a deposit or a card', noShowFeeCents: 'A fee needs a deposit or a card' },
    ],
  ])('refuses a visit type with %j (issue 29)', async (given, fields) => {
    const { data } = await refusal(addVisit(given))
    expect(data.fields).toEqual(fields)
  })
})

describe('a booking whose address is not proved', () => {
  it('is over for everyone, whether the patient was there before or not (issue 29)', async () => {
    const visit = await addVisit({ isDepositFirstOnly: true })
    const { id, email } = await book(visit.id)
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'completed' })
    for (const address of [email, `${randomUUID()}@mail.example`]) {
      const [client, key] = [clinic.visitor(), randomUUID()]
      const person = { firstName: 'Anna', lastName: 'Rossi', email: address, language: 'en' as const }
      await client.selfBooking.begin({ key, visitTypeId: visit.id, startsAt: '2026-12-08T15:00:00.000Z', ...person })
      expect(await codeOf(client.selfBooking.confirm({ key }))).toBe('OVER')
    }
  })
})

describe('a cancelled or missed visit', () => {
  it('gives the deposit back to the card when it is cancelled by link in time (issue 29)', async () => {
    const visit = await addVisit()
    const { client, token, contactId, email } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    await confirmed(email)
    const before = refunded()
    expect(await client.appointmentLinks.view({ token })).toMatchObject({ terms: { depositCents: 7_500, lateFeeCents: 5_000 } })
    expect(await client.appointmentLinks.cancel({ token })).toMatchObject({ state: 'cancelled' })
    await until(() => refunded() === before + 7_500)
    await until(async () => (await accountOf(contactId)).deposits.length === 0)
    expect((await accountOf(contactId)).balanceCents).toBe(0)
    expect(await mailTo(email, 'is cancelled')).toContain(
      'You paid a deposit of $75.00 with your Visa ending in 4242.\nThe full amount goes back to that card.',
    )
  })

  it('takes the late fee from the deposit, returns the rest, and only for the fee that was shown (issue 29)', async () => {
    const visit = await addVisit()
    const { client, token, contactId, id, email } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    await confirmed(email)
    clock.now = new Date('2026-11-30T15:00:00Z')
    const before = refunded()
    expect(await refusal(client.appointmentLinks.cancel({ token }))).toMatchObject({ code: 'FEE', data: { feeCents: 5_000 } })
    expect(await codeOf(client.appointmentLinks.move({ token, startsAt: '2026-12-02T15:00:00.000Z' }))).toBe('TOO_LATE')
    expect(await client.appointmentLinks.cancel({ token, feeCents: 5_000 })).toMatchObject({ state: 'cancelled' })
    await until(() => refunded() === before + 2_500)
    const mail = await mailTo(email, 'is cancelled')
    expect(mail).toContain('there is a fee of $50.00 for cancelling late.\nIt is taken from the deposit.\nThe rest, $25.00, goes back to')
    const money = await (await cashier()).visitFees.ofAppointment({ id })
    expect(money).toMatchObject({
      deposit: 'returned',
      due: null,
      fee: { kind: 'late_cancel', state: 'settled', openCents: 0, fromDepositCents: 5_000 },
    })
    expect((await accountOf(contactId)).balanceCents).toBe(0)
  })

  it('costs nothing after the practice has moved it, until it begins (issue 29)', async () => {
    const visit = await addVisit()
    const { id, contactId } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    clock.now = new Date('2026-11-30T15:00:00Z')
    const moved = await made.desk.appointments.change({ id, version: 1, startsAt: '2026-12-01T18:00:00Z' })
    const before = refunded()
    await made.desk.appointments.setStatus({ id, version: moved.version, status: 'cancelled', reason: 'Does not suit her' })
    await until(() => refunded() === before + 7_500)
    expect(await (await cashier()).visitFees.ofAppointment({ id })).toMatchObject({ due: null, fee: null })
  })

  it('charges the no-show fee from the deposit and the saved card, once (issue 29)', async () => {
    const visit = await addVisit()
    const { contactId, id, email } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'no_show' })
    const client = await cashier()
    expect(await client.visitFees.ofAppointment({ id })).toMatchObject({
      terms: { depositCents: 7_500 },
      deposit: 'paid',
      depositCard: { brand: 'visa', last4: '4242' },
      due: { kind: 'no_show', amountCents: 10_000 },
      fee: null,
    })
    const idempotencyKey = randomUUID()
    await Promise.all([1, 2, 3].map(() => client.visitFees.charge({ id, idempotencyKey })))
    await until(async () => (await client.visitFees.ofAppointment({ id }))!.fee!.state === 'settled')
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
    expect(stripe.list('charge').filter(({ amount, status }) => amount === 2_500 && status === 'succeeded')).toHaveLength(1)
    expect(await codeOf(client.visitFees.waive({ id, reason: 'Snow' }))).toBe('NOT_DUE')
    const mail = await mailTo(email, 'The fee for your appointment')
    expect(mail).toContain('This is about your appointment on Tuesday, December 1, 2026.')
    expect(mail).toContain('there is a fee of $100.00 for missing the appointment.')
    expect(mail).toContain('Your deposit covers $75.00.')
    expect(mail).toContain('$25.00 was charged to your Visa ending in 4242.')
  })

  it('is paid by the card that was left for it, and by no card that was left for another visit (issue 29)', async () => {
    const visit = await addVisit({ depositKind: 'card', depositCents: null })
    const own = await book(visit.id)
    const { email } = own
    const later = await book(visit.id, { email, startsAt: '2026-12-02T15:00:00.000Z' }, '5555555555554444')
    expect(later.contactId).toBe(own.contactId)
    const billing = await cashier()
    const cardOfVisit = async (id: string) => (await billing.visitFees.ofAppointment({ id }))!.card
    expect(await cardOfVisit(own.id)).toMatchObject({ last4: '4242' })
    expect(await cardOfVisit(later.id)).toMatchObject({ last4: '4444' })
    const [card] = await billing.savedCards
      .ofContact({ contactId: own.contactId })
      .then((all) => all.filter(({ last4 }) => last4 === '4242'))
    await billing.savedCards.remove({ id: card!.id })
    expect(await cardOfVisit(own.id)).toBe(null)
    clock.now = new Date('2026-12-01T16:00:00Z')
    const { version } = await made.desk.appointments.get({ id: own.id })
    await made.desk.appointments.setStatus({ id: own.id, version, status: 'no_show' })
    await billing.visitFees.charge({ id: own.id, idempotencyKey: randomUUID() })
    await until(async () => (await billing.visitFees.ofAppointment({ id: own.id }))!.fee!.state === 'refused')
    expect((await billing.visitFees.ofAppointment({ id: own.id }))!.fee).toMatchObject({ failureCode: 'no_card' })
  })

  it('makes a task and an email with a payment link when the saved card has expired, and can be tried again (issue 29)', async () => {
    const visit = await addVisit({ depositKind: 'card', depositCents: null })
    const { contactId, id, email } = await book(visit.id)
    const [card] = await clinic.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2026 } })
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'no_show' })
    const client = await cashier()
    await client.visitFees.charge({ id, idempotencyKey: randomUUID() })
    await until(async () => (await client.visitFees.ofAppointment({ id }))!.fee!.state === 'refused')
    expect(await client.visitFees.ofAppointment({ id })).toMatchObject({ fee: { failureCode: 'expired_card', openCents: 10_000 } })
    const tasks = await clinic.server.rows<{ title: string; description: string }>(
      'select title, description from tasks where contact_id = $1',
      [contactId],
    )
    expect(tasks).toContainEqual({
      title: 'Collect a fee whose card was refused',
      description:
        '$100.00 of a fee could not be charged: the card was refused (expired card). The patient got an email with a link to pay.',
    })
    const mail = await mailTo(email, 'was refused')
    expect(mail).toContain('$100.00 is still to be paid.')
    expect(mail).toContain('/pay/')
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2040 } })
    await client.visitFees.charge({ id, idempotencyKey: randomUUID() })
    await until(async () => (await accountOf(contactId)).balanceCents === 0)
    await until(async () => (await client.visitFees.ofAppointment({ id }))!.fee!.state === 'settled')
    const closed = await clinic.server.rows("select 1 from tasks where contact_id = $1 and status = 'completed'", [contactId])
    expect(closed).toHaveLength(1)
    // What is paid cannot be waived.
    expect(await codeOf(client.visitFees.waive({ id, reason: 'Snow' }))).toBe('NOT_DUE')
    expect(await mailTo(email, 'The fee for your appointment')).toContain('$100.00 was charged to your Visa ending in 4242.')
  })

  it('can be waived with a reason, which gives the deposit back (issue 29)', async () => {
    const visit = await addVisit()
    const { contactId, id, email } = await book(visit.id, { language: 'fr' })
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    await mailTo(email, 'Votre rendez-vous du')
    clock.now = new Date('2026-11-30T15:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'cancelled', reason: 'Is ill' })
    const client = await cashier()
    expect(await client.visitFees.ofAppointment({ id })).toMatchObject({ due: { kind: 'late_cancel', amountCents: 5_000 } })
    expect(await mailTo(email, 'est annulé')).toMatch(/des frais de 50,00\s\$ peuvent s’appliquer.*\nD’ici là, nous gardons l’acompte\./)
    const before = refunded()
    expect(await client.visitFees.waive({ id, reason: 'Is ill' })).toMatchObject({ fee: { state: 'waived', reason: 'Is ill' }, due: null })
    await until(() => refunded() === before + 7_500)
    expect((await accountOf(contactId)).balanceCents).toBe(0)
    expect(await mailTo(email, 'Aucuns frais')).toMatch(
      /acompte de 75,00\s\$ avec votre carte Visa se terminant par 4242\.\s+Aucuns frais ne vous sont demandés; vous ne devez rien\.\s+Il est remboursé en entier/,
    )
  })

  it('can be waived after its card was refused: the deposit goes back, the task is closed and nothing is owed (issue 29)', async () => {
    const visit = await addVisit()
    const { contactId, id, email } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    const [card] = await clinic.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2026 } })
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'no_show' })
    const client = await cashier()
    await client.visitFees.charge({ id, idempotencyKey: randomUUID() })
    await until(async () => (await client.visitFees.ofAppointment({ id }))!.fee!.state === 'refused')
    // Reading waits for no one who changes the ledger.
    const lock = await clinic.server.hold('select 1 from ledger_entries where contact_id = $1 for update', [contactId])
    expect(await client.visitFees.ofAppointment({ id })).toMatchObject({ fee: { openCents: 2_500 } })
    await lock.release()
    const token = /\/pay\/(\S+)/.exec(await mailTo(email, 'was refused'))![1]!
    expect(await clinic.visitor().payLinks.view({ token })).toMatchObject({ openCents: 2_500 })
    // A second refusal is added to the task of the first.
    await client.visitFees.charge({ id, idempotencyKey: randomUUID() })
    const tasks = () =>
      clinic.server.rows<{ status: string; description: string }>(
        "select status, description from tasks where contact_id = $1 and title like 'Collect a fee%'",
        [contactId],
      )
    await until(async () => (await tasks())[0]?.description.split('could not be charged').length === 3)
    expect(await tasks()).toMatchObject([{ status: 'pending' }])
    const before = refunded()
    const waived = await client.visitFees.waive({ id, reason: 'A child was ill' })
    expect(waived).toMatchObject({ due: null, fee: { state: 'waived', openCents: 0, reason: 'A child was ill' } })
    expect(await client.visitFees.waive({ id, reason: 'Again' })).toEqual(waived)
    expect(await tasks()).toMatchObject([{ status: 'cancelled' }])
    expect(await clinic.visitor().payLinks.view({ token })).toMatchObject({ openCents: 0, dueCents: 0 })
    await until(() => refunded() === before + 7_500)
    await until(async () => (await accountOf(contactId)).deposits.length === 0)
    expect((await accountOf(contactId)).balanceCents).toBe(0)
    expect(await mailTo(email, 'No fee')).toContain('The full amount goes back to that card.')
    expect(await codeOf(client.visitFees.charge({ id, idempotencyKey: randomUUID() }))).toBe('NOT_DUE')
  })

  it('is neither charged again nor waived while a payment by the emailed link waits for QuickBooks, and is paid by it (issue 29)', async () => {
    const visit = await addVisit({ depositKind: 'card', depositCents: null })
    const { contactId, id, email } = await book(visit.id)
    const [card] = await clinic.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2026 } })
    clock.now = new Date('2026-12-01T16:00:00Z')
    await made.desk.appointments.setStatus({ id, version: 1, status: 'no_show' })
    const client = await cashier()
    await client.visitFees.charge({ id, idempotencyKey: randomUUID() })
    const token = /\/pay\/(\S+)/.exec(await mailTo(email, 'was refused'))![1]!
    clinic.quickBooks.setOffline(true)
    const started = await clinic.visitor().payLinks.start({ token, amountCents: 10_000, idempotencyKey: randomUUID() })
    await confirmWith(stripe, started.clientSecret)
    const isPaid = "select 1 from card_payments where contact_id = $1 and purpose = 'balance' and status = 'paid'"
    await until(async () => (await clinic.server.rows(isPaid, [contactId])).length === 1)
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2040 } })
    expect(await codeOf(client.visitFees.charge({ id, idempotencyKey: randomUUID() }))).toBe('PAYING')
    expect(await codeOf(client.visitFees.waive({ id, reason: 'Snow' }))).toBe('PAYING')
    expect(await client.visitFees.ofAppointment({ id })).toMatchObject({ fee: { state: 'refused', openCents: 10_000 } })
    clinic.quickBooks.setOffline(false)
    await until(async () => (await client.visitFees.ofAppointment({ id }))!.fee!.state === 'settled')
    const completed = "select 1 from tasks where contact_id = $1 and title like 'Collect a fee%' and status = 'completed'"
    expect(await clinic.server.rows(completed, [contactId])).toHaveLength(1)
  })

  it('is not called charged in emails when it was waived after the visit was booked again (issue 29)', async () => {
    const visit = await addVisit({ depositKind: 'card', depositCents: null })
    const { client, token, contactId, id, email } = await book(visit.id)
    await confirmed(email)
    const [card] = await clinic.server.rows<{ method_id: string }>('select method_id from saved_cards where contact_id = $1', [contactId])
    stripe.change(card!.method_id, { card: { exp_month: 10, exp_year: 2026 } })
    clock.now = new Date('2026-11-30T15:00:00Z')
    await client.appointmentLinks.cancel({ token, feeCents: 5_000 })
    const billing = await cashier()
    await until(async () => (await billing.visitFees.ofAppointment({ id }))!.fee!.state === 'refused')
    clock.now = new Date('2026-11-30T16:00:00Z')
    await setStatus(id, 'booked')
    await billing.visitFees.waive({ id, reason: 'Was ill' })
    clock.now = new Date('2026-11-30T17:00:00Z')
    await client.appointmentLinks.cancel({ token })
    const mail = await newest(email, 'is cancelled', 2)
    expect(mail).toContain('We charge no fee, and nothing is due.')
    expect(mail).not.toContain('was charged')
  })

  it('has no fee to decide about once it is booked again, and a waiver no longer counts (issue 29)', async () => {
    const visit = await addVisit()
    const { client, token, id, contactId } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    clock.now = new Date('2026-11-30T15:00:00Z')
    await setStatus(id, 'cancelled')
    const billing = await cashier()
    expect(await billing.visitFees.ofAppointment({ id })).toMatchObject({ due: { amountCents: 5_000 } })
    await setStatus(id, 'booked')
    expect(await billing.visitFees.ofAppointment({ id })).toMatchObject({ due: null, fee: null })
    const terms = { depositCents: 7_500, lateFeeCents: 5_000, isFeeCharged: false }
    expect(await client.appointmentLinks.view({ token })).toMatchObject({ terms })
    await setStatus(id, 'cancelled')
    await billing.visitFees.waive({ id, reason: 'Is ill' })
    await setStatus(id, 'booked')
    expect(await billing.visitFees.ofAppointment({ id })).toMatchObject({ due: null, fee: null, deposit: 'returned' })
    // The deposit went back, so the card pays the fee.
    expect(await client.appointmentLinks.view({ token })).toMatchObject({ terms: { ...terms, depositCents: 0 } })
    await client.appointmentLinks.cancel({ token, feeCents: 5_000 })
    await until(async () => (await billing.visitFees.ofAppointment({ id }))!.fee?.state === 'settled')
  })

  it('keeps its charged fee when it is booked again, and costs no other one (issue 29)', async () => {
    const visit = await addVisit()
    const { client, token, id, contactId, email } = await book(visit.id)
    await until(async () => (await accountOf(contactId)).deposits.length === 1)
    await confirmed(email)
    clock.now = new Date('2026-11-30T15:00:00Z')
    await client.appointmentLinks.cancel({ token, feeCents: 5_000 })
    await mailTo(email, 'is cancelled')
    const billing = await cashier()
    await until(async () => (await billing.visitFees.ofAppointment({ id }))!.fee!.state === 'settled')
    const charges = (await accountOf(contactId)).charges.length
    clock.now = new Date('2026-11-30T16:00:00Z')
    await setStatus(id, 'booked')
    expect(await billing.visitFees.ofAppointment({ id })).toMatchObject({
      due: null,
      fee: { state: 'settled', amountCents: 5_000, isEarlier: true },
    })
    const lines = 'A fee of $50.00 was charged for this appointment before. There is no other fee.'
    expect(await newest(email, 'Your appointment on Tuesday', 3)).toContain(lines)
    expect(await client.appointmentLinks.view({ token })).toMatchObject({ terms: { depositCents: 0, lateFeeCents: 0, isFeeCharged: true } })
    expect(await refusal(client.appointmentLinks.cancel({ token, feeCents: 5_000 }))).toMatchObject({ code: 'FEE', data: { feeCents: 0 } })
    clock.now = new Date('2026-11-30T17:00:00Z')
    expect(await client.appointmentLinks.cancel({ token })).toMatchObject({ state: 'cancelled' })
    expect(await newest(email, 'is cancelled', 2)).toContain(lines)
    expect(await codeOf(billing.visitFees.charge({ id, idempotencyKey: randomUUID() }))).toBe('NOT_DUE')
    expect((await accountOf(contactId)).charges).toHaveLength(charges)
  })

  it('has nothing to charge without terms, before it is over, and for an unknown appointment (issue 29)', async () => {
    const visit = await addVisit()
    const { id } = await book(visit.id)
    const client = await cashier()
    expect(await codeOf(client.visitFees.charge({ id, idempotencyKey: randomUUID() }))).toBe('NOT_DUE')
    expect(await codeOf(client.visitFees.ofAppointment({ id: randomUUID() }))).toBe('NOT_FOUND')
  })
})
