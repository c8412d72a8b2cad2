import { randomUUID } from 'node:crypto'
import { beforeAll, expect, inject, it } from 'vitest'
import { startTwilioSimulator, type TwilioSimulator } from '../../../simulators/twilio/server.ts'
import { publishForm } from '../../../test/chart/sent-forms.ts'
import { insertContact } from '../../../test/factories.ts'
import { newNumber } from '../../../test/messages/texts.ts'
import { portalOf } from '../../../test/portal.ts'
import { type Client, startTestServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'

const appUrl = 'https://clinic.example'
let now = new Date('2026-11-23T16:00:00Z')
let server: TestServer
let twilio: TwilioSimulator
let desk: Client
beforeAll(async () => {
  twilio = await startTwilioSimulator()
  const settings = {
    APP_URL: appUrl,
    PRACTICE_NAME: 'Harbourview',
    APPOINTMENT_MAIL_SECONDS: '0',
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_NUMBER: twilio.number,
    TWILIO_URL: twilio.url,
    TRUST_PROXY: 'true',
  }
  server = await startTestServer(inject('postgres'), settings, { now: () => now })
  twilio.setHooks({ inbound: `${appUrl}/api/hooks/twilio/inbound`, via: server.url })
  desk = await server.as('front_desk')
  return async () => {
    await server.stop()
    await twilio.stop()
  }
})

async function patient(given: { language?: string; channel?: string | null } = {}) {
  const [number, email] = [newNumber(), `${randomUUID()}@mail.example`]
  const contactId = await insertContact(server, { firstName: 'Éloïse', phone: number, email })
  const { channel = 'text', language = null } = given
  await server.rows('update contacts set preferred_channel = $2, preferred_language = $3 where id = $1', [contactId, channel, language])
  return { contactId, number, email }
}
const textTo = (number: string) => until(() => twilio.messages.find(({ to, direction }) => to === number && direction === 'outbound-api'))
const storedOf = async (contactId: string) => {
  const sales = await server.as('sales_rep')
  const { data } = await sales.inbox.conversations({ contactId, show: 'all' })
  return (await sales.inbox.conversation({ id: data[0]!.id })).messages.at(-1)!
}
const emailsTo = (email: string) => server.outbox.messages.filter(({ To }) => To === email)
let hour = 14
const book = (contactId: string) =>
  desk.appointments.book({
    contactId,
    type: 'consult',
    startsAt: `2026-12-01T${hour++}:00:00.000Z`,
    minutes: 30,
    notifiesPatient: true,
    idempotencyKey: randomUUID(),
  })

it('texts the confirmation of an appointment to a patient who prefers it, with a link that works and that staff cannot read (issue 28)', async () => {
  const { contactId, number, email } = await patient()
  await book(contactId)
  const { body } = await textTo(number)
  const link = /https:\/\/\S+$/.exec(body)![0]
  expect(body).toBe(
    `Harbourview: your appointment is booked.\nTuesday, December 1, 2026, 9:00 a.m.\nConfirm it or ask for another time: ${link}`,
  )
  expect((await storedOf(contactId)).body).toContain(`${appUrl}/appointment/your-link`)
  expect(link).toMatch(/^https:\/\/clinic\.example\/s\/[1-9A-Za-z]{14}$/)
  expect((await server.request(new URL(link).pathname)).status).not.toBe(404)
  expect(emailsTo(email)).toEqual([])
})

it('texts in the patient’s language, and emails a patient who answered STOP or prefers nothing (issue 28)', async () => {
  const french = await patient({ language: 'fr' })
  await book(french.contactId)
  expect((await textTo(french.number)).body).toMatch(/^Harbourview : votre rendez-vous est pris\.\nmardi 1er décembre 2026 à/)
  const stopped = await patient()
  await twilio.receive({ from: stopped.number, body: 'STOP' })
  await book(stopped.contactId)
  await until(() => emailsTo(stopped.email).length > 0)
  const plain = await patient({ channel: null })
  await book(plain.contactId)
  await until(() => emailsTo(plain.email).length > 0)
  expect(twilio.messages.filter(({ to }) => to === plain.number)).toEqual([])
})

it('waits for the morning on the patient’s clock (issue 28)', async () => {
  const { contactId } = await patient()
  now = new Date('2026-11-24T03:00:00Z')
  await book(contactId)
  const waiting = "select 1 from graphile_worker.jobs where task_identifier = 'appointments.notify-patient' and run_at = $1"
  await until(async () => (await server.rows(waiting, ['2026-11-24T14:00:00.000Z'])).length > 0)
  now = new Date('2026-11-23T16:00:00Z')
})

it('texts a portal code that works once and that the conversation does not show (issue 28)', async () => {
  const { contactId, number, email } = await patient()
  const { call } = portalOf(server)
  expect(await call('request-document-access', { email })).toEqual({ status: 200, body: { success: true } })
  const { body } = await textTo(number)
  const code = /^(\d{6}) is your code for Harbourview\. It works once and expires in 15 minutes\./.exec(body)![1]!
  expect((await storedOf(contactId)).body).toMatch(/^\*{6} is your code/)
  await until(
    async () => (await server.rows('select 1 from messages where sealed_secret is not null and to_email = $1', [number])).length === 0,
  )
  expect(await server.rows('select 1 from messages where to_email = $1 and body like $2', [number, `%${code}%`])).toEqual([])
  expect((await call('verify-document-access', { email, otp: code })).status).toBe(200)
  expect((await call('verify-document-access', { email, otp: code })).status).toBe(401)
  expect(emailsTo(email)).toEqual([])
})

it('texts the link of a form, without the patient’s address in it (issue 28)', async () => {
  const { contactId, number, email } = await patient({ language: 'fr' })
  const { id: templateId } = await publishForm(await server.as('admin'))
  await (await server.as('provider')).forms.send({ contactId, templateId, email })
  const { body } = await textTo(number)
  expect(body).toMatch(
    /^Harbourview : veuillez remplir un formulaire avant votre rendez-vous : https:\/\/clinic\.example\/s\/[1-9A-Za-z]{14}$/,
  )
  expect((await storedOf(contactId)).body).toMatch(/https:\/\/clinic\.example\/forms\/[0-9a-f-]{36}\?language=fr$/)
  expect(emailsTo(email)).toEqual([])
})
