import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { usePractice } from '../../../../test/care/appointments.ts'
import { databaseFingerprint } from '../../../../test/database-fingerprint.ts'
import { insertContact } from '../../../../test/factories.ts'
import { emailsTo } from '../../../../test/messages/emails.ts'
import { refusal } from '../../../../test/refusal.ts'
import { until } from '../../../../test/until.ts'

const practice = usePractice({ PRACTICE_NAME: 'Harbourview', TRUST_PROXY: 'true' })
const { clock } = practice
beforeEach(() => {
  clock.now = new Date('2026-11-21T15:00:00Z')
})
const visitor = () => practice.server.client().appointmentLinks
const tokenIn = (text: string | undefined) => /\/appointment\/([\w-]{43})/.exec(text ?? '')![1]!
let requestCount = 0
const from = () => `10.1.${Math.floor(++requestCount / 250)}.${requestCount % 250}`
const get = (token: string) => practice.server.request(`/api/appointment-links/${token}`, { headers: { 'x-forwarded-for': from() } })

async function invited() {
  const email = `${randomUUID()}@patient.example`
  const contactId = await insertContact(practice.server, { firstName: 'Ana', lastName: 'Bélanger-Roy', email })
  const booked = await practice.book({ contactId, notifiesPatient: true, notes: 'Breast augmentation' })
  const [mail] = await emailsTo(practice.server, email)
  return { ...booked, contactId, email, token: tokenIn(mail!.TextBody) }
}
const statusOf = async (id: string) => (await practice.desk.appointments.get({ id })).status

describe('the link in an appointment email', () => {
  it('shows only first name, day, time, provider and place, and logs the view', async () => {
    const { token, contactId } = await invited()
    const answer = await get(token)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(await answer.json()).toEqual({
      state: 'booked',
      firstName: 'Ana',
      startsAt: '2026-12-01T15:00:00.000Z',
      terms: null,
      provider: null,
      place: '1 Lakeshore Road, Oakville, ON L6J 1H5',
      visit: null,
      askedAt: null,
      openDays: [1, 2, 3, 4, 5],
      changeableUntil: null,
      moneyLines: { en: [], fr: [] },
      bookAgainId: null,
    })
    const seen = await practice.server.rows(
      "select 1 from audit_log where kind = 'appointment' and action = 'viewed' and actor_role = 'visitor' and contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(seen).toHaveLength(1)
  })

  it('serves a page that is not cached, sends no referrer and changes nothing, however often a program opens it', async () => {
    const { token, id } = await invited()
    const before = await practice.server.rows('select * from appointments where id = $1', [id])
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await practice.server.request(`/appointment/${token}`, { method })
      // The test server may have no built pages.
      expect([200, 503]).toContain(page.status)
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      await get(token)
    }
    expect(await practice.server.rows('select * from appointments where id = $1', [id])).toEqual(before)
  })

  it('gives the file that adds the appointment to a calendar, without what the visit is for, until it is moved or cancelled', async () => {
    const { token, id, email, contactId } = await invited()
    const getFile = (of: string) =>
      practice.server.request(`/api/appointment-links/${of}/appointment.ics`, { headers: { 'x-forwarded-for': from() } })
    const answer = await getFile(token)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const file = (await answer.text()).replaceAll('\r\n ', '')
    const [mail] = await emailsTo(practice.server, email)
    const attached = Buffer.from(mail!.Attachments![0]!.Content, 'base64').toString().replaceAll('\r\n ', '')
    const linesOf = (text: string) => text.split('\r\n').filter((line) => /^(UID|DTSTART;|DTEND;|SUMMARY|LOCATION)/.test(line))
    expect(linesOf(file)).toHaveLength(5)
    expect(linesOf(file)).toEqual(linesOf(attached))
    expect(file).not.toMatch(/Breast|Bélanger|patient\.example/)
    const seen = await practice.server.rows("select 1 from audit_log where action = 'viewed' and contact_ids @> array[$1::uuid]", [
      contactId,
    ])
    expect(seen).not.toHaveLength(0)

    expect(await (await getFile('x'.repeat(43))).json()).toEqual({ code: 'NOT_FOUND', message: 'This link no longer works' })
    await visitor().confirm({ token })
    expect((await getFile(token)).status).toBe(200)
    const { version } = await practice.desk.appointments.get({ id })
    await practice.desk.appointments.setStatus({ id, version, status: 'cancelled', reason: 'Is ill' })
    expect((await getFile(token)).status).toBe(404)
  })

  it('confirms once, however often it is pressed, and records the patient on the timeline and in the audit log', async () => {
    const { token, id, contactId } = await invited()
    expect(await visitor().confirm({ token })).toMatchObject({ state: 'confirmed', firstName: 'Ana' })
    await Promise.all([visitor().confirm({ token }), visitor().confirm({ token })])
    expect(await statusOf(id)).toBe('confirmed')
    const lines = (await practice.timelineOf(contactId)).filter((line) => line.includes('confirmed'))
    expect(lines).toEqual(['Consultation on Tue, Dec 1, 2026 at 10:00 a.m. confirmed by the patient'])
    const [change] = await practice.server.rows(
      "select actor_id, actor_role, after->>'status' as status from audit_log where kind = 'appointment' and action = 'changed' and contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(change).toEqual({ actor_id: null, actor_role: 'visitor', status: 'confirmed' })
  })

  it('reports a move or a cancellation and confirms nothing; the newer link confirms', async () => {
    const { token, id, version, email } = await invited()
    const moved = await practice.desk.appointments.change({ id, version, startsAt: '2026-12-02T15:00:00Z' })
    const [mail] = await emailsTo(practice.server, email, 2)
    expect(await visitor().view({ token })).toMatchObject({ state: 'moved', startsAt: '2026-12-02T15:00:00.000Z' })
    expect(await refusal(visitor().confirm({ token }))).toMatchObject({ status: 409, code: 'NOT_POSSIBLE' })
    expect(await statusOf(id)).toBe('booked')
    const newer = tokenIn(mail!.TextBody)
    expect(await visitor().view({ token: newer })).toMatchObject({ state: 'booked' })
    await practice.desk.appointments.setStatus({ id, version: moved.version, status: 'cancelled', reason: 'Is ill' })
    expect(await visitor().view({ token: newer })).toMatchObject({ state: 'cancelled', startsAt: '2026-12-02T15:00:00.000Z' })
    expect(await refusal(visitor().askForAnother({ token: newer, key: randomUUID() }))).toMatchObject({ status: 409, code: 'NOT_POSSIBLE' })
  })

  it('asks for a new confirmation after a move of a confirmed appointment', async () => {
    const { token, id, email } = await invited()
    await visitor().confirm({ token })
    const { version } = await practice.desk.appointments.get({ id })
    expect((await practice.desk.appointments.change({ id, version, minutes: 60 })).status).toBe('confirmed')
    const moved = await practice.desk.appointments.change({ id, version: version + 1, startsAt: '2026-12-02T15:00:00Z' })
    expect(moved.status).toBe('booked')
    const [mail] = await emailsTo(practice.server, email, 2)
    const newer = tokenIn(mail!.TextBody)
    expect(await visitor().view({ token: newer })).toMatchObject({ state: 'booked' })
    expect(await visitor().confirm({ token: newer })).toMatchObject({ state: 'confirmed', startsAt: '2026-12-02T15:00:00.000Z' })
  })

  it('expires when the appointment begins or the patient is deleted, with the same answer as an unknown link', async () => {
    const { token, contactId } = await invited()
    const answers = async (given: string) => {
      const answer = await get(given)
      return [answer.status, await answer.text()]
    }
    const wrong = await answers('x'.repeat(43))
    expect(wrong[0]).toBe(404)
    clock.now = new Date('2026-12-01T14:59:59.999Z')
    expect((await answers(token))[0]).toBe(200)
    clock.now = new Date('2026-12-01T15:00:00Z')
    expect(await answers(token)).toEqual(wrong)
    expect(await refusal(visitor().confirm({ token }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    clock.now = new Date('2026-11-21T15:00:00Z')
    const sales = await practice.server.as('sales_rep')
    await sales.contacts.delete({ id: contactId })
    expect(await answers(token)).toEqual(wrong)
  })

  it('shows nothing once the patient has arrived', async () => {
    const { token, id, version } = await invited()
    await practice.desk.appointments.setStatus({ id, version, status: 'arrived' })
    expect((await get(token)).status).toBe(404)
  })

  it('creates a task for the sales rep, due today at the next full hour, and keeps the appointment', async () => {
    const sales = await practice.server.account({ role: 'sales_rep' })
    const { token, id, contactId } = await invited()
    await practice.server.rows('update contacts set assigned_sales_rep_id = $2 where id = $1', [contactId, sales.id])
    const request = { key: randomUUID(), weekdays: [2, 5], dayParts: ['afternoon' as const], words: '  After three,\nif you can. ' }
    const answer = await visitor().askForAnother({ token, ...request })
    expect(answer).toMatchObject({ state: 'booked', askedAt: '2026-11-21T15:00:00.000Z' })
    await visitor().askForAnother({ token, ...request })
    const { data } = await practice.server.client(sales.cookie).tasks.list({ contactId })
    expect(data).toMatchObject([
      {
        title: 'Reschedule request: consultation on Tue, Dec 1, 2026',
        dueDate: '2026-11-21',
        dueTimeConstraint: '11:00',
        assignedTo: sales.id,
        createdBy: null,
      },
    ])
    expect(data[0]!.description).toContain('Tuesday, Friday. Afternoons.\nAfter three,\nif you can.')
    expect(await statusOf(id)).toBe('booked')
    expect((await practice.desk.appointments.correspondence({ id })).rescheduleRequests).toMatchObject([
      { weekdays: [2, 5], dayParts: ['afternoon'], words: 'After three,\nif you can.' },
    ])
    expect((await practice.timelineOf(contactId))[0]).toContain('The patient asked to reschedule from Tue, Dec 1, 2026 at 10:00 a.m.')
  })

  it('adds another request to the open task, and creates a new one once it is completed', async () => {
    const { token, id, contactId } = await invited()
    const ask = (words: string) => visitor().askForAnother({ token, key: randomUUID(), words })
    await ask('A morning')
    await ask('Or an evening')
    const tasks = async () =>
      (await practice.desk.tasks.ofContact({ contactId })).filter(({ title }) => title.startsWith('Reschedule request'))
    const [task, ...more] = await tasks()
    expect(more).toEqual([])
    expect(task!.description).toMatch(/^A morning\n\n.*\n\nAsked again on Sat, Nov 21, 2026 at 10:00 a\.m\.:\nOr an evening$/)
    expect((await practice.timelineOf(contactId)).filter((line) => line.startsWith('The patient asked to reschedule from'))).toHaveLength(2)
    expect((await practice.desk.appointments.correspondence({ id })).rescheduleRequests).toHaveLength(2)
    await practice.desk.tasks.update({ id: task!.id, version: task!.version, status: 'completed' })
    await ask('A Friday')
    expect((await tasks()).map(({ status }) => status).toSorted()).toEqual(['completed', 'pending'])
    expect((await tasks()).find(({ status }) => status === 'pending')!.description).toContain('A Friday')
  })

  it('assigns the task to the person who booked if there is no sales rep, and reminds them', async () => {
    const { token, contactId } = await invited()
    await visitor().askForAnother({ token, key: randomUUID() })
    const { data } = await practice.desk.tasks.list({ contactId })
    expect(data).toMatchObject([{ assignedTo: practice.deskId }])
    expect(data[0]!.description).toContain('Any other time.')
    const at = practice.clock.now.toISOString()
    await practice.server.rows('update tasks set due_at = $2, remind_at = $2 where id = $1', [data[0]!.id, at])
    await until(async () => {
      await practice.server.rows("select graphile_worker.add_job('notifications.remind')")
      return (await practice.desk.notifications.unread({})).data.some(({ taskId }) => taskId === data[0]!.id)
    })
  })

  it('limits text, days, requests (5 a day per appointment) and attempts (60 in 15 minutes per address)', async () => {
    const { token } = await invited()
    const request = (given: object) => refusal(visitor().askForAnother({ token, key: randomUUID(), ...given }))
    const before = await databaseFingerprint(practice.server)
    for (const given of [{ words: 'x'.repeat(1_001) }, { weekdays: [0] }, { weekdays: [8] }, { words: 'a\0' }]) {
      expect(await request(given)).toMatchObject({ status: 422 })
    }
    expect(await databaseFingerprint(practice.server)).toEqual(before)
    const send = () =>
      practice.server.request(`/api/appointment-links/${token}/requests`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from() },
        body: JSON.stringify({ key: randomUUID() }),
      })
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await send()).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    const attempts = await Promise.all(
      Array.from({ length: 61 }, async () => {
        const answer = await practice.server.request(`/api/appointment-links/${'y'.repeat(43)}`, {
          headers: { 'x-forwarded-for': '10.9.9.9' },
        })
        return answer.status
      }),
    )
    expect(attempts.filter((status) => status === 429)).toHaveLength(1)
  })

  it('refuses a request from another site’s page', async () => {
    const { token, id } = await invited()
    const answer = await practice.server.request(`/api/appointment-links/${token}/confirmation`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
    })
    expect(answer.status).toBe(403)
    expect(await statusOf(id)).toBe('booked')
  })
})

describe('a visit that patients may book themselves', () => {
  /** A visit with Dr. Okafor on Tuesday, December 1, 2026 at 10:00 in Toronto, changeable until 24 hours before. */
  async function invitedVisit(given: { isOnline?: boolean } = {}) {
    const admin = await practice.server.as('admin')
    const visit = await admin.availability.addVisitType({
      name: randomUUID(),
      nameFr: null,
      description: null,
      descriptionFr: null,
      type: 'consult',
      minutes: 45,
      bufferBefore: 0,
      bufferAfter: 15,
      noticeHours: 2,
      horizonDays: 60,
      changeHours: 24,
      maxPerDay: null,
      patients: 'all',
      isOnline: true,
      providerIds: [practice.provider.id],
      secondIds: [],
      roomIds: [],
      ...given,
    })
    await practice.server.rows("update appointments set status = 'cancelled', cancel_reason = 'over' where status <> 'cancelled'")
    const email = `${randomUUID()}@patient.example`
    const contactId = await insertContact(practice.server, { email })
    const booked = await practice.book({ contactId, notifiesPatient: true, visitTypeId: visit.id, providerId: practice.provider.id })
    const [mail] = await emailsTo(practice.server, email)
    return { ...booked, contactId, email, token: tokenIn(mail!.TextBody) }
  }
  const codeOf = async (call: Promise<unknown>) => (await refusal(call)).code

  it('is cancelled by link within its notice, with a task to rebook it and an email (issue 29)', async () => {
    const { token, id, contactId, email } = await invitedVisit()
    expect(await visitor().view({ token })).toMatchObject({ state: 'booked', changeableUntil: '2026-11-30T15:00:00.000Z' })
    expect(await visitor().cancel({ token, reason: 'A cold' })).toMatchObject({ state: 'cancelled' })
    expect(await practice.desk.appointments.get({ id })).toMatchObject({ status: 'cancelled', cancelReason: 'A cold' })
    expect((await practice.timelineOf(contactId))[0]).toBe(
      'Consultation on Tue, Dec 1, 2026 at 10:00 a.m. cancelled by the patient: A cold',
    )
    const tasks = await practice.server.rows('select title from tasks where contact_id = $1', [contactId])
    expect(tasks).toEqual([{ title: 'Rebook: cancelled consultation on Tue, Dec 1, 2026' }])
    expect(await codeOf(visitor().cancel({ token }))).toBe('NOT_POSSIBLE')
    await until(async () => (await emailsTo(practice.server, email)).length === 2)
    expect(await practice.server.rows('select 1 from time_holds where appointment_id = $1', [id])).toEqual([])
  })

  it('is moved by link to an opening with its provider, also one that overlaps it, and gets a new link (issue 29)', async () => {
    const { token, id, contactId } = await invitedVisit()
    const { days } = await visitor().openings({ token, from: '2026-12-01', days: 1 })
    expect(days[0]!.starts).toContain('2026-12-01T15:15:00.000Z')
    const moved = await visitor().move({ token, startsAt: '2026-12-01T15:15:00Z' })
    expect(await practice.desk.appointments.get({ id })).toMatchObject({
      startsAt: '2026-12-01T15:15:00.000Z',
      endsAt: '2026-12-01T16:00:00.000Z',
      providerId: practice.provider.id,
      bufferAfter: 15,
    })
    expect((await practice.timelineOf(contactId))[0]).toMatch(/ moved from .* at 10:00 a\.m\. to .* at 10:15 a\.m\..*, by the patient$/)
    expect(await visitor().view({ token: moved.token })).toMatchObject({ state: 'booked', startsAt: '2026-12-01T15:15:00.000Z' })
    expect(await visitor().view({ token })).toMatchObject({ state: 'moved' })
    expect(await codeOf(visitor().move({ token, startsAt: '2026-12-02T15:00:00Z' }))).toBe('NOT_POSSIBLE')
  })

  it('stays where it is if the chosen time is taken, closed or off the grid (issue 29)', async () => {
    const { token, id } = await invitedVisit()
    await practice.book({ providerId: practice.provider.id, startsAt: '2026-12-01T17:00:00Z' })
    for (const startsAt of ['2026-12-01T17:00:00Z', '2026-12-01T23:00:00Z', '2026-12-02T15:05:00Z'])
      expect(await codeOf(visitor().move({ token, startsAt }))).toBe('TAKEN')
    expect(await practice.desk.appointments.get({ id })).toMatchObject({ version: 1, startsAt: '2026-12-01T15:00:00.000Z' })
  })

  it('is neither moved nor cancelled by link once its notice has begun, or if the practice books it (issue 29)', async () => {
    const late = await invitedVisit()
    clock.now = new Date('2026-11-30T15:00:01Z')
    const startsAt = '2026-12-03T15:00:00Z'
    expect(await codeOf(visitor().cancel({ token: late.token }))).toBe('TOO_LATE')
    expect(await codeOf(visitor().move({ token: late.token, startsAt }))).toBe('TOO_LATE')
    expect(await codeOf(visitor().openings({ token: late.token, from: '2026-12-01', days: 7 }))).toBe('TOO_LATE')
    clock.now = new Date('2026-11-21T15:00:00Z')
    const byPractice = await invitedVisit({ isOnline: false })
    expect(await visitor().view({ token: byPractice.token })).toMatchObject({ changeableUntil: null })
    expect(await codeOf(visitor().cancel({ token: byPractice.token }))).toBe('TOO_LATE')
    expect(await statusOf(byPractice.id)).toBe('booked')
  })
})
