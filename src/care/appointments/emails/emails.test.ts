import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { insertContact } from '../../../../test/factories.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { until } from '../../../../test/until.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { remindPatients, notifyPatient } from './notify.ts'

const practice = usePractice({ PRACTICE_NAME: 'Harbourview', PRACTICE_PHONE: '(905) 555-0118', MAIL_REPLY_TO: 'team@inbound.example' })
const { clock } = practice
const at = (instant: string) => {
  clock.now = new Date(instant)
}
beforeEach(() => at('2026-11-21T15:00:00Z'))

const scope = (): Scope => {
  const runtime = practice.server.running.runtime
  const attempts = runtime.countAttempts(() => {})
  const { db } = runtime
  return {
    ...runtime,
    recentDb: db,
    latestDb: db,
    attempts,
    actor: null,
    origin: { requestId: 'test', address: null },
    recordView: () => Promise.resolve(),
  }
}
const remind = () => remindPatients.run(scope(), {}, { last: true })
const newPatient = async (given: object = {}) => {
  const email = `${randomUUID()}@patient.example`
  return { email, contactId: await insertContact(practice.server, { firstName: 'Ana', lastName: 'Bélanger-Roy', email, ...given }) }
}
/** A booked appointment with its confirmation sent. Each test picks its own time, because a provider has one patient at a time. */
async function notified(given: object = {}, patient: object = {}) {
  const { email, contactId } = await newPatient(patient)
  const booked = await practice.book({ contactId, notifiesPatient: true, ...given })
  await emailsTo(practice.server, email)
  return { email, contactId, ...booked }
}
const correspondence = (id: string) => practice.desk.appointments.correspondence({ id })
const kindsOf = async (id: string) => (await correspondence(id)).emails.map(({ kind }) => kind).toReversed()
/** Waits until all notifications are sent. */
const settled = () =>
  until(
    async () =>
      (
        await practice.server.rows(
          "select 1 from graphile_worker.jobs where task_identifier in ('appointments.notify-patient', 'inbox.send')",
        )
      ).length === 0,
  )
type Mail = Awaited<ReturnType<typeof emailsTo>>[number]
function fileIn(mail: Mail | undefined) {
  const [file] = mail!.Attachments ?? []
  const text = Buffer.from(file!.Content, 'base64').toString('utf8')
  const calendar = new ICAL.Component(ICAL.parse(text))
  ICAL.TimezoneService.register(calendar.getFirstSubcomponent('vtimezone')!)
  return {
    file: file!,
    text,
    method: calendar.getFirstPropertyValue('method'),
    event: new ICAL.Event(calendar.getFirstSubcomponent('vevent')!),
  }
}

describe('appointment emails', () => {
  it('sends a confirmation with day, time, provider, place, link and invitation, but not the purpose', async () => {
    const { email, id, startsAt, endsAt } = await notified({ providerId: practice.provider.id, notes: 'Breast augmentation' })
    const [mail] = await emailsTo(practice.server, email)
    expect(mail).toMatchObject({ Subject: 'Your appointment on Tuesday, December 1, 2026', To: email })
    expect(mail!.TextBody).toContain(
      'Hello Ana,\n\nYour appointment at Harbourview is booked:\n\nTuesday, December 1, 2026 at 10:00 a.m.\nWith Dr. Okafor\n1 Lakeshore Road, Oakville, ON L6J 1H5',
    )
    const link = /^https?:\/\/\S+\/appointment\/([\w-]{43})$/m.exec(mail!.TextBody!)
    expect(link).not.toBeNull()
    expect(mail!.HtmlBody).toContain(`<a href="${link![0]}">`)
    expect(JSON.stringify(mail).toLowerCase()).not.toMatch(/breast|consult|your-link/)
    const { file, text, method, event } = fileIn(mail)
    expect(file).toMatchObject({ Name: 'appointment.ics', ContentType: 'text/calendar; charset=utf-8; method=REQUEST' })
    expect([method, event.summary, event.location]).toEqual([
      'REQUEST',
      'Appointment at Harbourview',
      '1 Lakeshore Road, Oakville, ON L6J 1H5',
    ])
    expect([event.startDate.toJSDate().toISOString(), event.endDate.toJSDate().toISOString()]).toEqual([startsAt, endsAt])
    expect(event.uid).toContain(id)
    expect(text.toLowerCase()).not.toMatch(/breast|consult|bélanger/)
  })

  it('writes in French to a patient who prefers French, from a template that the practice edits', async () => {
    const { email, contactId } = await newPatient()
    await practice.server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    const booked = await practice.book({ contactId, notifiesPatient: true, startsAt: '2026-12-01T20:30:00Z' })
    const [mail] = await emailsTo(practice.server, email)
    expect(mail!.Subject).toBe('Votre rendez-vous du mardi 1er décembre 2026')
    expect(mail!.TextBody).toContain('Bonjour Ana,')
    expect(mail!.TextBody).toMatch(/mardi 1er décembre 2026 à 15\sh\s30\nAvec notre équipe\n/)
    expect(mail!.HtmlBody).toMatch(/<a href="[^"]+\/appointment\/[\w-]{43}\?language=fr">votre rendez-vous<\/a>/)
    const { event } = fileIn(mail)
    expect([event.summary, event.description]).toEqual(['Rendez-vous chez Harbourview', 'Des questions? Appelez-nous au (905) 555-0118.'])

    const admin = await practice.server.as('admin')
    const templates = await admin.emailTemplates.list({ category: 'transactional' })
    const { id } = templates.find(({ name }) => name === 'appointment_cancelled_fr')!
    const { version } = await admin.emailTemplates.get({ id })
    await admin.emailTemplates.update({ id, version, subject: 'Annulé : {{appointment_day}}' })
    const cancelled = { id: booked.id, version: booked.version, status: 'cancelled', reason: 'Is ill' } as const
    await practice.desk.appointments.setStatus(cancelled)
    const [last] = await emailsTo(practice.server, email, 2)
    expect(last!.Subject).toBe('Annulé : mardi 1er décembre 2026')
  })

  it('keeps the email in a conversation and on the timeline without its secret, and leaves the last contact date alone', async () => {
    const { email, contactId, id } = await notified()
    const token = /appointment\/([\w-]{43})/.exec((await emailsTo(practice.server, email))[0]!.TextBody!)![1]!
    await until(async () => (await correspondence(id)).emails[0]?.message?.status === 'sent')
    expect((await correspondence(id)).emails).toMatchObject([
      { kind: 'confirmation', refusal: null, message: { to: email, status: 'sent' } },
    ])
    const [row] = await practice.server.rows<{ body: string; html_body: string; sealed_secret: null }>(
      'select * from messages where to_email = $1',
      [email],
    )
    expect(row!.sealed_secret).toBeNull()
    expect(row!.body).toContain('/appointment/your-link')
    for (const table of ['messages', 'message_attachments', 'appointment_links', 'interactions', 'audit_log']) {
      expect(await practice.server.rows(`select 1 from ${table} as t where t::text like '%' || $1 || '%'`, [token])).toEqual([])
    }
    expect((await practice.timelineOf(contactId))[0]).toContain('Your appointment at Harbourview is booked')
    expect((await practice.desk.contacts.get({ id: contactId })).lastContactDate).toBeNull()
    const admin = await practice.server.as('admin')
    const { data } = await admin.inbox.conversations({ contactId, show: 'all' })
    const [message] = (await admin.inbox.conversation({ id: data[0]!.id })).messages
    expect(message).toMatchObject({ createdBy: null, attachments: [{ name: 'appointment.ics', refusal: null }] })
    const file = await practice.server.request(`/api/inbox/attachments/${message!.attachments[0]!.id}/file`, {
      headers: { cookie: await practice.server.signIn('admin') },
    })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8; method=REQUEST'])
    expect(await file.text()).toContain('BEGIN:VCALENDAR')
  })

  it('announces a move and a cancellation in the same conversation, for the same event with increasing sequence numbers', async () => {
    const { email, contactId, id, version } = await notified()
    const moved = await practice.desk.appointments.change({ id, version, startsAt: '2026-12-02T19:30:00Z' })
    const [change] = await emailsTo(practice.server, email, 2)
    expect(change!.Subject).toBe('Your appointment has changed: Wednesday, December 2, 2026')
    expect(change!.TextBody).toContain('It is now:\n\nWednesday, December 2, 2026 at 2:30 p.m.')
    await practice.desk.appointments.setStatus({ id, version: moved.version, status: 'cancelled', reason: 'Is ill with the flu' })
    const emails = await emailsTo(practice.server, email, 3)
    expect(emails[0]!.Subject).toBe('Your appointment on Wednesday, December 2, 2026 is cancelled')
    expect(JSON.stringify(emails[0])).not.toMatch(/flu|appointment\/[\w-]{43}/)
    const files = emails.toReversed().map(fileIn)
    expect(files.map(({ method }) => method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL'])
    expect(new Set(files.map(({ event }) => event.uid)).size).toBe(1)
    const numbers = files.map(({ event }) => event.sequence)
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(3)
    expect(await practice.server.rows('select 1 from conversations where contact_id = $1', [contactId])).toHaveLength(1)
    expect(await kindsOf(id)).toEqual(['confirmation', 'changed', 'cancelled'])
  })

  it('names the address and phone of the room’s location; announces another location, but not its renaming', async () => {
    const admin = await practice.server.as('admin')
    const given = { name: 'Burlington', address: '12 Plains Road, Burlington', phone: '(289) 555-0177' }
    const burlington = await admin.practice.addLocation(given)
    const room = await admin.practice.addRoom({ name: 'Burlington 1', kind: 'consult', locationId: burlington.id })
    const { email, id, version } = await notified({ roomId: room.id })
    const [mail] = await emailsTo(practice.server, email)
    expect(mail!.TextBody).toContain(given.address)
    for (const part of [mail!.TextBody, mail!.HtmlBody]) {
      expect(part).not.toContain('1 Lakeshore Road')
      expect(part).not.toContain('(905) 555-0118')
    }
    const { event } = fileIn(mail)
    expect([event.location, event.description]).toEqual([given.address, `Questions? Call ${given.phone}.`])

    await admin.practice.changeLocation({ ...burlington, name: 'Brant Street' })
    const moved = await practice.desk.appointments.change({ id, version, notes: 'Second floor' })
    await settled()
    expect(await kindsOf(id)).toEqual(['confirmation'])
    await practice.desk.appointments.change({ id, version: moved.version, roomId: practice.rooms[1]!.id })
    await until(async () => (await kindsOf(id)).length === 2)
    expect(await kindsOf(id)).toEqual(['confirmation', 'changed'])
    const [changed] = await emailsTo(practice.server, email, 2)
    expect(changed!.TextBody).toContain('1 Lakeshore Road')
  })

  it('uses the practice’s address for a location without one', async () => {
    const admin = await practice.server.as('admin')
    const [first] = await admin.practice.locations()
    const room = await admin.practice.addRoom({ name: 'Consult room 9', kind: 'consult', locationId: first!.id })
    const { email } = await notified({ roomId: room.id })
    const [mail] = await emailsTo(practice.server, email)
    expect(fileIn(mail).event.location).toBe('1 Lakeshore Road, Oakville, ON L6J 1H5')
  })

  it('sends nothing for changed notes, duration, room or status, and nothing twice when the job runs again', async () => {
    const { email, id, version } = await notified()
    const { version: next } = await practice.desk.appointments.change({
      id,
      version,
      notes: 'Is deaf',
      minutes: 60,
      roomId: practice.rooms[0]!.id,
    })
    await practice.desk.appointments.setStatus({ id, version: next, status: 'confirmed' })
    await settled()
    await Promise.all([1, 2, 3].map(() => notifyPatient.run(scope(), { id }, { last: true })))
    await settled()
    expect(await emailsTo(practice.server, email)).toHaveLength(1)
  })

  it('notifies only if asked to, also when asked later, and never about a past appointment', async () => {
    const { email, contactId } = await newPatient()
    const { id, version } = await practice.book({ contactId })
    await settled()
    expect(await kindsOf(id)).toEqual([])
    await practice.desk.appointments.change({ id, version, notifiesPatient: true })
    await emailsTo(practice.server, email)
    const past = await newPatient()
    const over = await practice.book({ contactId: past.contactId, notifiesPatient: true, startsAt: '2026-11-20T15:00:00Z' })
    await settled()
    expect(await kindsOf(over.id)).toEqual([])
  })

  it('sends no cancellation email when staff opt out', async () => {
    const { email, id, version } = await notified()
    await practice.desk.appointments.setStatus({ id, version, status: 'cancelled', reason: 'Called us', notifiesPatient: false })
    await settled()
    expect(await emailsTo(practice.server, email)).toHaveLength(1)
  })

  it('needs no consent, and records why nothing was sent to a bounced or missing address', async () => {
    const { email, id } = await notified({}, { consentToCommunicate: false })
    expect(await emailsTo(practice.server, email)).toHaveLength(1)
    expect((await correspondence(id)).emails[0]!.refusal).toBeNull()

    const bounced = await newPatient()
    await practice.server.rows(`insert into suppressed_addresses (address, reason, since) values ($1, 'bounce', now())`, [bounced.email])
    const onBounced = await practice.book({ contactId: bounced.contactId, notifiesPatient: true })
    await until(async () => (await correspondence(onBounced.id)).emails.length === 1)
    expect((await correspondence(onBounced.id)).emails).toMatchObject([{ kind: 'confirmation', refusal: 'suppressed', message: null }])
    expect(await practice.server.rows('select 1 from conversations where contact_id = $1', [bounced.contactId])).toEqual([])

    const onMissing = await practice.book({ contactId: await insertContact(practice.server, { email: null }), notifiesPatient: true })
    await until(async () => (await correspondence(onMissing.id)).emails.length === 1)
    expect((await correspondence(onMissing.id)).emails).toMatchObject([{ refusal: 'no-address', message: null }])
  })

  it('escapes values in HTML, and falls back to the starter template when it was deleted', async () => {
    await practice.server.rows("update email_templates set name = 'set_aside' where name = 'appointment_confirmation'")
    const { email } = await notified({}, { firstName: '<b>$&' })
    await practice.server.rows("update email_templates set name = 'appointment_confirmation' where name = 'set_aside'")
    const [mail] = await emailsTo(practice.server, email)
    expect(mail!.HtmlBody).toContain('Hello &lt;b&gt;$&amp;,')
    expect(mail!.TextBody).toContain('Your appointment at Harbourview is booked')
  })
})

describe('appointment reminders', () => {
  const countOf = async (email: string) => {
    await settled()
    return practice.server.outbox.messages.filter(({ To }) => To === email).length
  }

  it('sends each reminder once, two days and one day before at the time of day, even if jobs overlap', async () => {
    const { email, id } = await notified()
    at('2026-11-29T14:59:59.999Z')
    await remind()
    expect(await kindsOf(id)).toEqual(['confirmation'])
    at('2026-11-29T15:00:00Z')
    await Promise.all([remind(), remind(), remind()])
    await remind()
    expect(await kindsOf(id)).toEqual(['confirmation', 'reminder_48h'])
    const [mail] = await emailsTo(practice.server, email, 2)
    expect(mail!.Subject).toBe('A reminder of your appointment on Tuesday, December 1, 2026')
    expect(mail!.Attachments ?? []).toEqual([])
    expect(mail!.TextBody).toMatch(/\/appointment\/[\w-]{43}$/m)
    at('2026-11-30T14:59:59.999Z')
    await remind()
    at('2026-11-30T15:00:00Z')
    await Promise.all([remind(), remind()])
    expect(await kindsOf(id)).toEqual(['confirmation', 'reminder_48h', 'reminder_24h'])
    at('2026-12-01T14:59:00Z')
    await remind()
    expect(await countOf(email)).toBe(3)
  })

  it.each([
    ['back', '2026-10-20T15:00:00Z', '2026-11-02T15:00:00Z', '2026-10-31T14:00:00Z', '2026-11-01T15:00:00Z'],
    ['forward', '2027-03-01T15:00:00Z', '2027-03-15T14:00:00Z', '2027-03-13T15:00:00Z', '2027-03-14T14:00:00Z'],
  ])('keeps the time of day when the clocks go %s', async (_, now, startsAt, first, second) => {
    at(now)
    const { id } = await notified({ startsAt })
    for (const [moment, kind] of [
      [first, 'reminder_48h'],
      [second, 'reminder_24h'],
    ] as const) {
      at(new Date(Date.parse(moment) - 1).toISOString())
      await remind()
      expect(await kindsOf(id)).not.toContain(kind)
      at(moment)
      await remind()
      expect(await kindsOf(id)).toContain(kind)
    }
  })

  it('reminds of the new time after a move, and not of cancelled, past or just-booked appointments', async () => {
    const moved = await notified({ startsAt: '2026-12-03T15:00:00Z' })
    await practice.desk.appointments.change({ id: moved.id, version: moved.version, startsAt: '2026-12-10T15:00:00Z' })
    await emailsTo(practice.server, moved.email, 2)
    const cancelled = await notified({ startsAt: '2026-12-03T16:00:00Z' })
    await practice.desk.appointments.setStatus({ id: cancelled.id, version: cancelled.version, status: 'cancelled', reason: 'Is ill' })
    await emailsTo(practice.server, cancelled.email, 2)
    at('2026-12-02T16:30:00Z')
    const late = await notified({ startsAt: '2026-12-03T17:00:00Z' })
    await remind()
    at('2026-12-02T17:30:00Z')
    await remind()
    expect(await kindsOf(moved.id)).toEqual(['confirmation', 'changed'])
    expect(await kindsOf(cancelled.id)).toEqual(['confirmation', 'cancelled'])
    // Booked between the two reminder times: only the later reminder is still due.
    expect(await kindsOf(late.id)).toEqual(['confirmation', 'reminder_24h'])
    at('2026-12-08T15:00:00Z')
    await remind()
    expect(await kindsOf(moved.id)).toEqual(['confirmation', 'changed', 'reminder_48h'])
  })

  it('reminds the other patients when one reminder fails, and retries it', async () => {
    const [first, second] = [await notified({ startsAt: '2026-12-17T15:00:00Z' }), await notified({ startsAt: '2026-12-17T16:00:00Z' })]
    await practice.server.rows(
      `create function refuse_reminder() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`,
    )
    await practice.server.rows(
      `create trigger refuse_reminder before insert on appointment_mails for each row when (new.appointment_id = '${first.id}') execute function refuse_reminder()`,
    )
    at('2026-12-16T18:00:00Z')
    await remind()
    await practice.server.rows('drop trigger refuse_reminder on appointment_mails')
    expect(await kindsOf(first.id)).toEqual(['confirmation'])
    expect(await kindsOf(second.id)).toEqual(['confirmation', 'reminder_24h'])
    await remind()
    expect(await kindsOf(first.id)).toEqual(['confirmation', 'reminder_24h'])
  })
})

describe.each([
  ['without consent', '1 Lakeshore Road, Oakville', 'no-consent'],
  ['while the practice has no postal address', '', 'no-postal-address'],
])('a confirmation with a marketing template, %s', (_, PRACTICE_ADDRESS, refusal) => {
  const other = usePractice({ PRACTICE_ADDRESS })

  it('is not sent, and the appointment says why', async () => {
    await other.server.rows("update email_templates set category = 'marketing' where name = 'appointment_confirmation'")
    const contactId = await insertContact(other.server, { email: `${randomUUID()}@patient.example` })
    const { id } = await other.book({ contactId, notifiesPatient: true })
    const mail = await until(async () => (await other.desk.appointments.correspondence({ id })).emails[0])
    expect(mail).toMatchObject({ kind: 'confirmation', refusal, message: null })
  })
})
