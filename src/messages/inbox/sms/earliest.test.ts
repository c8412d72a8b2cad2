import { randomUUID } from 'node:crypto'
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { startTwilioSimulator } from '../../../../simulators/twilio/server.ts'
import { insertContact } from '../../../../test/factories.ts'
import { sendTemplate } from '../../../../test/messages/texts.ts'
import { refusal } from '../../../../test/refusal.ts'
import { type Client, startTestServer, type TestServer } from '../../../../test/server.ts'
import { isRefusal } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { earliestSending } from './earliest.ts'

let now = new Date('2026-11-28T15:00:00Z')
let server: TestServer
let admin: Client
beforeAll(async () => {
  const twilio = await startTwilioSimulator()
  const { accountSid: TWILIO_ACCOUNT_SID, authToken: TWILIO_AUTH_TOKEN, number: TWILIO_NUMBER, url: TWILIO_URL } = twilio
  const settings = { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_NUMBER, TWILIO_URL, APP_URL: 'https://clinic.example' }
  server = await startTestServer(inject('postgres'), settings, { now: () => now })
  admin = await server.as('admin')
  return async () => {
    await server.stop()
    await twilio.stop()
  }
})

const scope = (): Scope => ({
  ...(server.running.runtime as unknown as Scope),
  actor: null,
  origin: { requestId: 'test', address: null },
})
const patientIn = async (phone: string | null, address: { state?: string; zip?: string } = {}) => {
  const id = await insertContact(server, { phone })
  await server.rows('update contacts set state = $2, zip_code = $3 where id = $1', [id, address.state ?? null, address.zip ?? null])
  return id
}
const earliest = async (contactId: string, at: string, channel: 'email' | 'text' = 'text') =>
  (await earliestSending(scope(), { contactId, channel, at: new Date(at) })).toISOString()

it.each([
  ['the province', '+14165550142', { state: 'California', zip: 'A1C 5M2' }, '2026-11-28T17:00:00.000Z'],
  ['the postal code', '+14165550142', { zip: 'A1C 5M2' }, '2026-11-28T12:30:00.000Z'],
  ['the area code of the phone', '(415) 555-0142', {}, '2026-11-28T17:00:00.000Z'],
  ['the practice', null, {}, '2026-11-28T14:00:00.000Z'],
  ['the practice for a place that is not known', '+33612345678', { state: 'Bavaria' }, '2026-11-28T14:00:00.000Z'],
])('waits for nine in the morning on the clock of %s (issue 28)', async (_whose, phone, address, expected) => {
  expect(await earliest(await patientIn(phone, address), '2026-11-28T05:00:00Z')).toBe(expected)
})

it('follows the settings at once, and holds back no email (issue 28)', async () => {
  const contactId = await patientIn(null)
  expect(await earliest(contactId, '2026-11-28T05:00:00Z', 'email')).toBe('2026-11-28T05:00:00.000Z')
  onTestFinished(async () => {
    await admin.practice.changeSettings({ textQuietFrom: null, textQuietTo: null })
  })
  await admin.practice.changeSettings({ textQuietFrom: '20:00', textQuietTo: '10:30' })
  expect(await earliest(contactId, '2026-11-28T01:00:00Z')).toBe('2026-11-28T15:30:00.000Z')
  const invalid = { textQuietFrom: '9 pm', textsPerPatient: 0, textSegmentPrice: 1.5 }
  expect(await refusal(admin.practice.changeSettings(invalid))).toMatchObject({
    status: 422,
    data: {
      fields: {
        textQuietFrom: 'Enter a time as HH:MM',
        textsPerPatient: 'Enter a whole number from 1 to 100',
        textSegmentPrice: 'Enter a price in cents up to 100, with at most two decimals',
      },
    },
  })
})

it('says that it is night for the patient and what a segment costs, and lets staff text nevertheless (issue 28)', async () => {
  const contactId = await patientIn('+14155550142')
  now = new Date('2026-11-28T16:30:00Z')
  expect(await admin.inbox.phones({ contactId })).toMatchObject({
    night: { time: '08:30', endsAt: '2026-11-28T17:00:00.000Z', endTime: '09:00' },
    segmentPrice: 79,
    marketingEnd: 'Refyne, 1 Lakeshore Road, Oakville, ON L6J 1H5. Reply STOP to end texts.',
  })
  now = new Date('2026-11-28T17:00:00Z')
  expect(await admin.inbox.phones({ contactId })).toMatchObject({ night: null })
})

it('limits automatic texts in a day, to one patient and to all, also of simultaneous ones, and none of the staff’s (issue 28)', async () => {
  const { id: templateId } = await admin.emailTemplates.create({ channel: 'text', name: randomUUID(), subject: '', body: 'Hello' })
  const [one, other] = [await patientIn('+14165550160'), await patientIn('+14165550161')]
  const send = async (contactId: string) => {
    const sent = await scope().db.transaction((tx) => sendTemplate(tx, scope(), { contactId, templateId, idempotencyKey: randomUUID() }))
    return isRefusal(sent) ? [sent.refusal, sent.data] : ['sent']
  }
  const refused = ['DAILY_LIMIT', { next: new Date('2026-11-29T05:00:00Z') }]
  const results = await Promise.all(Array.from({ length: 5 }, () => send(one)))
  expect(results.filter(([result]) => result === 'sent')).toHaveLength(3)
  expect(results.filter(([result]) => result !== 'sent')).toEqual([refused, refused])
  for (let i = 0; i < 4; i++)
    await admin.inbox.text({ contactId: other, phone: '+14165550161', text: 'Hello', idempotencyKey: randomUUID() })
  onTestFinished(async () => {
    await admin.practice.changeSettings({ textsPerDay: null })
  })
  await admin.practice.changeSettings({ textsPerDay: 4 })
  expect([await send(other), await send(other)]).toEqual([['sent'], refused])
  now = new Date('2026-11-29T15:00:00Z')
  expect(await send(one)).toEqual(['sent'])
})
