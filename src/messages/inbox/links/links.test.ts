import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { startTwilioSimulator, type TwilioSimulator } from '../../../../simulators/twilio/server.ts'
import { publishForm } from '../../../../test/chart/sent-forms.ts'
import { insertContact } from '../../../../test/factories.ts'
import { newNumber } from '../../../../test/messages/texts.ts'
import { type Client, startTestServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

const appUrl = 'https://clinic.example'
const start = new Date('2026-11-23T16:00:00Z')
let now = start
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
beforeEach(() => {
  now = start
})

let addresses = 0
const from = () => `10.3.${Math.floor(++addresses / 250)}.${addresses % 250}`
/** The calls of the page, each from a network address of its own; what is refused is returned with its status. */
function visitor(address?: string) {
  const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const headers = { 'x-forwarded-for': address ?? from(), ...(body && { 'content-type': 'application/json' }) }
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
    const response = await server.request(`/api/text-links/${path}`, init)
    const answer = (await response.json()) as Record<string, unknown>
    return response.ok ? answer : { status: response.status, code: answer.code }
  }
  return {
    view: ({ code }: { code: string }) => call(code),
    open: ({ code }: { code: string }) => call(`${code}/opening`, {}),
    renew: ({ code, key }: { code: string; key: string }) => call(`${code}/renewal`, { key }),
  }
}
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000)
}

async function patient(language: string | null = null) {
  const [number, email] = [newNumber(), `${randomUUID()}@mail.example`]
  const contactId = await insertContact(server, { firstName: 'Éloïse', phone: number, email })
  await server.rows("update contacts set preferred_channel = 'text', preferred_language = $2 where id = $1", [contactId, language])
  return { contactId, number, email }
}
const textsTo = (number: string) => twilio.messages.filter(({ to, direction }) => to === number && direction === 'outbound-api')
const pathOf = async ({ code }: { code: string }) => String((await visitor().open({ code })).path)
const codeIn = (body: string) => /https:\/\/clinic\.example\/s\/(\w{14})\b/.exec(body)![1]!
const codeTo = async (number: string, count = 1) =>
  codeIn((await until(() => textsTo(number).length >= count && textsTo(number).at(-1))).body)
let hour = 14
async function booked(language: string | null = null) {
  const who = await patient(language)
  const startsAt = `2026-12-01T${hour++}:00:00.000Z`
  await desk.appointments.book({
    contactId: who.contactId,
    type: 'consult',
    startsAt,
    minutes: 30,
    notifiesPatient: true,
    idempotencyKey: randomUUID(),
  })
  return { ...who, startsAt, code: await codeTo(who.number) }
}

describe('a link in a text message (issue 28)', () => {
  it('is not used up by programs that show previews, opens the appointment once, and records that', async () => {
    const { code, contactId } = await booked()
    for (const method of ['GET', 'HEAD', 'GET']) {
      // The test server may have no built pages.
      const page = await server.request(`/s/${code}`, { method })
      expect([200, 503]).toContain(page.status)
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(await visitor().view({ code })).toEqual({ state: 'ready', purpose: 'appointment', canRenew: true, language: null })
    }
    expect(await server.rows('select 1 from text_links where opened_at is not null')).toEqual([])
    const path = await pathOf({ code })
    expect(path).toMatch(/^\/appointment\/[\w-]{43}$/)
    const { state } = await server.client().appointmentLinks.view({ token: path.split('/')[2]! })
    expect(state).toBe('booked')
    // A response may be lost: the same link opens for some minutes more.
    later(14)
    expect(await visitor().open({ code })).toEqual({ path })
    later(1)
    expect(await visitor().view({ code })).toMatchObject({ state: 'used', canRenew: true })
    expect(await visitor().open({ code })).toMatchObject({ status: 409, code: 'USED' })
    const log = await server.rows(
      "select actor_role, after->>'purpose' as purpose from audit_log where kind = 'text link' and contact_ids @> array[$1::uuid]",
      [contactId],
    )
    expect(log).toEqual([{ actor_role: 'visitor', purpose: 'appointment' }])
    // The page behind it works as before: the patient has it open.
    expect(await server.client().appointmentLinks.view({ token: path.split('/')[2]! })).toMatchObject({ state: 'booked' })
  })

  it('is stored as a hash, and what it opens is sealed', async () => {
    const { code } = await booked()
    const path = await pathOf({ code })
    const rows = await server.rows('select * from text_links')
    expect(JSON.stringify(rows)).not.toContain(code)
    expect(JSON.stringify(rows)).not.toContain(path)
  })

  it('expires when the appointment begins, and then says so without offering a new one', async () => {
    const { code, startsAt } = await booked()
    now = new Date(startsAt)
    expect(await visitor().view({ code })).toMatchObject({ state: 'expired', canRenew: false })
    expect(await visitor().open({ code })).toMatchObject({ status: 409, code: 'EXPIRED' })
    expect(await visitor().renew({ code, key: randomUUID() })).toMatchObject({ status: 409, code: 'NOT_POSSIBLE' })
  })

  it('is replaced by a new one that goes to the patient only, once per key', async () => {
    const { code, number } = await booked('fr')
    expect(await visitor().renew({ code, key: randomUUID() })).toMatchObject({ status: 409, code: 'NOT_POSSIBLE' })
    const path = await pathOf({ code })
    later(20)
    const key = randomUUID()
    expect(await visitor().renew({ code, key })).toEqual({ isSent: true })
    expect(await visitor().renew({ code, key })).toEqual({ isSent: true })
    const newer = await codeTo(number, 2)
    expect(textsTo(number).map(({ body }) => body)[1]).toMatch(/^Harbourview : voici votre nouveau lien\./)
    expect(textsTo(number)).toHaveLength(2)
    expect(newer).not.toBe(code)
    expect(await visitor().open({ code: newer })).toEqual({ path })
    expect(await visitor().view({ code })).toMatchObject({ state: 'used', language: 'fr' })
  })

  it('is replaced at most five times a day, and not once the patient has answered STOP', async () => {
    const { code, number } = await booked()
    await visitor().open({ code })
    later(20)
    for (let i = 0; i < 4; i++) await visitor().renew({ code, key: randomUUID() })
    await twilio.receive({ from: number, body: 'STOP' })
    expect(await visitor().renew({ code, key: randomUUID() })).toMatchObject({ status: 409, code: 'NOT_POSSIBLE' })
    expect(await visitor().renew({ code, key: randomUUID() })).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
  })

  it('answers unknown codes, and those of a deleted patient, with 404, and limits how many an address may try', async () => {
    const { code, contactId } = await booked()
    await (await server.as('sales_rep')).contacts.delete({ id: contactId })
    const client = visitor('10.4.0.1')
    expect(await client.view({ code })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await client.open({ code: 'wrong' })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await client.renew({ code: 'wrong', key: randomUUID() })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    for (let i = 3; i < 60; i++) await client.view({ code: `wrong ${i}` })
    expect(await client.view({ code })).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' })
    expect(await visitor().view({ code: 'x'.repeat(101) })).toMatchObject({ status: 422 })
  })

  it('stands for the links of forms, and for those that staff type, but not for other addresses', async () => {
    const { contactId, number, email } = await patient()
    const { id: templateId } = await publishForm(await server.as('admin'))
    await (await server.as('provider')).forms.send({ contactId, templateId, email })
    const path = await pathOf({ code: await codeTo(number) })
    expect(path).toMatch(/^\/forms\/[0-9a-f-]{36}$/)
    const sales = await server.as('sales_rep')
    const text = `Your portal: ${appUrl}/portal. Our site: ${appUrl}/ and https://harbourview.example/portal`
    const sent = await sales.inbox.text({ contactId, phone: number, text, idempotencyKey: randomUUID() })
    const code = await codeTo(number, 2)
    const { body } = textsTo(number).at(-1)!
    expect(body).toBe(`Your portal: ${appUrl}/s/${code}. Our site: ${appUrl}/ and https://harbourview.example/portal`)
    expect((await sales.inbox.conversation({ id: sent.id })).messages.at(-1)!.body).toBe(text)
    expect(await visitor().open({ code })).toEqual({ path: '/portal' })
  })
})
