import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { startStripeSimulator } from '../../../../simulators/stripe/server.ts'
import { hookAt } from '../../../../test/billing/cards.ts'
import { usePaidBooking } from '../../../../test/billing/paid-booking.ts'
import { until } from '../../../../test/until.ts'

const clock = { now: new Date('2026-11-21T16:00:00Z') }
const stripe = await startStripeSimulator({ now: () => clock.now.getTime() })
const clinic = usePaidBooking(stripe, clock)
const { made, addVisit, book, visitor } = clinic

beforeEach(async () => {
  stripe.setWebhook(hookAt(clinic.server))
  await clinic.server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
  await clinic.server.rows('delete from booking_holds')
})

/** The email to this address whose subject begins like this. */
async function emailTo(email: string, subject: string) {
  const found = () => clinic.server.outbox.messages.find(({ To, Subject = '' }) => To === email && Subject.startsWith(subject))
  await until(() => found() !== undefined)
  return found()!
}
/** Less than the 48 hours of its terms ahead. */
const soon = '2026-11-23T15:00:00.000Z'
const over = 'It is soon, so it can no longer be moved online.\nIf you cancel it, there is a fee of $50.00.'

describe('the emails about a visit that was booked online with a deposit', () => {
  it('confirm its name, minutes, deposit, terms and until when it is free to change, with a link (issue 29)', async () => {
    const visit = await addVisit({ name: `Skin check ${randomUUID()}` })
    const { email, token } = await book(visit.id)
    const { TextBody, HtmlBody } = await emailTo(email, 'Your appointment on')
    expect(TextBody).toMatch(
      new RegExp(
        `\n\nYour appointment\n${visit.name}, 45 minutes\nYou paid a deposit of \\$75\\.00 with [^\n]+\\. It counts towards your visit\\.\n` +
          'You can move or cancel it at no charge until Nov 29, 2026, 10:00 a\\.m\\.\nIf you cancel it later, there is a fee of \\$50\\.00\\.\nMove or cancel your appointment\n\\S+\n\n' +
          'You agreed to this when you booked:\nYou can move or cancel the visit until 48 hours before it at no charge\\.\n',
      ),
    )
    expect(TextBody).not.toContain('You pay a deposit')
    expect(HtmlBody).toMatch(new RegExp(`/appointment/${token}\\?language=en" style="[^"]+">Move or cancel your appointment</a></p>`))
    expect(HtmlBody).toMatch(new RegExp(`>Your appointment</p><p[^>]*>${visit.name}, 45 minutes</p>`))
    expect((await visitor().appointmentLinks.view({ token })).visit).toEqual({ name: visit.name, nameFr: visit.nameFr, minutes: 45 })
    const [terms] = await clinic.server.rows<{ text: string }>('select text from visit_terms order by accepted_at desc limit 1')
    expect(terms!.text).toMatch(/^You pay a deposit of \$75\.00 now\./)
  })

  it('say after a move by link that the new time is no longer free to cancel, and what it costs (issue 29)', async () => {
    const visit = await addVisit()
    const { email, token } = await book(visit.id)
    await emailTo(email, 'Your appointment on')
    const moved = await visitor().appointmentLinks.move({ token, startsAt: soon })
    const { TextBody } = await emailTo(email, 'Your appointment has changed')
    expect(TextBody).toContain(over)
    expect(TextBody).toContain('You paid a deposit of $75.00')

    // Cancelled all the same: the page says what the email does, and where to book again.
    const cancelled = await visitor().appointmentLinks.cancel({ token: moved.token, feeCents: 5_000 })
    expect(cancelled).toMatchObject({ state: 'cancelled', bookAgainId: visit.id })
    expect(cancelled.moneyLines.en.join(' ')).toMatch(/^You paid a deposit of \$75\.00 .*there is a fee of \$50\.00 for cancelling late/)
    expect(cancelled.moneyLines.fr.join(' ')).toMatch(/acompte de 75,00\s\$/)
    const { TextBody: last, HtmlBody } = await emailTo(email, 'Your appointment on Monday, November 23, 2026 is cancelled')
    expect(last).toContain(`\n\nPayment\nYou paid a deposit of $75.00`)
    expect(HtmlBody).toMatch(new RegExp(`/book\\?visit=${visit.id}&amp;language=en" style="[^"]+">Book another time</a>`))
  })

  it('say after a move by the practice that it is free to change until it begins (issue 29)', async () => {
    const visit = await addVisit()
    const { email, id } = await book(visit.id)
    await emailTo(email, 'Your appointment on')
    const { version } = await made.desk.appointments.get({ id })
    await made.desk.appointments.change({ id, version, startsAt: soon })
    const { TextBody } = await emailTo(email, 'Your appointment has changed')
    expect(TextBody).toContain('You can move or cancel it at no charge until it begins.')
    expect(TextBody).not.toMatch(/\bfee\b/)
  })

  it('name a booked visit only if patients see it on the booking page (issue 29)', async () => {
    const visit = await addVisit({ name: `Skin check ${randomUUID()}` })
    const { email, id } = await book(visit.id)
    await emailTo(email, 'Your appointment on')
    await clinic.server.rows('update visit_types set is_online = false where id = $1', [visit.id])
    const { version } = await made.desk.appointments.get({ id })
    await made.desk.appointments.change({ id, version, startsAt: '2026-12-02T15:00:00.000Z' })
    const { TextBody } = await emailTo(email, 'Your appointment has changed')
    expect(TextBody).not.toContain(visit.name)
  })
})
