import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signatureOf } from '../../../../simulators/twilio/hooks.ts'
import { insertContact } from '../../../../test/factories.ts'
import { makeDue, untilNoneLeft } from '../../../../test/jobs.ts'
import { hooksOf, newNumber, practiceUrl, textedPatient, untilStatus, useTexts } from '../../../../test/messages/texts.ts'
import { refusal } from '../../../../test/refusal.ts'
import { useServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { sendText } from './send.ts'

const texts = useTexts()
beforeEach(() => {
  texts.twilio.clearFaults()
  texts.twilio.setDeliveries({})
})
const sentTo = (number: string) => texts.twilio.messages.filter(({ to, direction }) => to === number && direction === 'outbound-api')
const conversationsOf = async (contactId: string) =>
  (await (await texts.server.as('sales_rep')).inbox.conversations({ contactId, show: 'all' })).data
/** Runs the sending again, as after a server was killed. */
const sendAgain = (id: string, last = false) => sendText.run(texts.server.running.runtime as unknown as Scope, { id }, { last })

describe('sending a text', () => {
  it('hands it to Twilio once and shows that it was delivered (issue 28)', async () => {
    const { number, contactId, client, send } = await textedPatient(texts.server)
    const key = randomUUID()
    const sent = await send('Hello', key)
    expect(await send('Hello', key)).toEqual(sent)
    expect((await refusal(send('Other', key))).code).toBe('KEY_REUSED')
    const other = await textedPatient(texts.server)
    expect((await refusal(other.send('Hello', key))).code).toBe('KEY_REUSED')
    const message = await untilStatus(client, sent, 'delivered')
    expect(message).toMatchObject({ fromEmail: texts.twilio.number, toEmail: number, segments: 1, problem: null, canResend: false })
    expect(sentTo(number).map(({ body }) => body)).toEqual(['Hello'])
    expect(await conversationsOf(contactId)).toMatchObject([{ id: sent.id, channel: 'sms', address: number, snippet: 'Hello' }])
    const second = await send('Second')
    expect(second.id).toBe(sent.id)
    await untilStatus(client, second, 'delivered')
  })

  it('keeps the furthest state when reports come twice and in the opposite order (issue 28)', async () => {
    texts.twilio.setDeliveries({ isDoubled: true, isReversed: true })
    const { client, send } = await textedPatient(texts.server)
    const sent = await send()
    await untilStatus(client, sent, 'delivered')
    await texts.twilio.settled()
    expect((await untilStatus(client, sent, 'delivered')).status).toBe('delivered')
    expect(texts.twilio.hookCalls.slice(0, 6).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })

  it.each([
    ['undelivered', 30003, 'The phone is off or out of reach.'],
    ['failed', 30007, 'The carrier filtered it as unwanted.'],
  ] as const)('says why a text was %s, and does not send it again (issue 28)', async (outcome, errorCode, problem) => {
    texts.twilio.setDeliveries({ outcome, errorCode })
    const { number, client, send } = await textedPatient(texts.server)
    const sent = await send()
    expect(await untilStatus(client, sent, 'failed')).toMatchObject({ problem, canResend: false })
    expect((await refusal(client.inbox.resend({ id: sent.messageId }))).code).toBe('NOT_FAILED')
    expect(sentTo(number)).toHaveLength(1)
  })

  it('tries again after a rate limit, with the same text once (issue 28)', async () => {
    texts.twilio.fault({ kind: 'status', status: 429 })
    const { number, client, send } = await textedPatient(texts.server)
    const sent = await send()
    const waiting = await until(async () => {
      const { messages } = await client.inbox.conversation({ id: sent.id })
      return messages[0]!.problem !== null && messages[0]
    })
    expect(waiting).toMatchObject({ status: 'queued', problem: 'Twilio does not answer. Refyne will try again.' })
    await until(async () => (await makeDue(texts.server, `task_id is not null and key = $1`, [`message ${sent.messageId}`])) > 0)
    await untilStatus(client, sent, 'delivered')
    expect(sentTo(number)).toHaveLength(1)
  })

  it('never sends a text again whose response was lost, and a report settles it (issue 28)', async () => {
    texts.twilio.setDeliveries({ outcome: 'none' })
    texts.twilio.fault({ kind: 'dropAfter' })
    const { number, client, send } = await textedPatient(texts.server)
    const sent = await send()
    const message = await untilStatus(client, sent, 'uncertain')
    expect(message).toMatchObject({ problem: 'Twilio did not confirm that it took the text.', canResend: false })
    expect((await refusal(client.inbox.resend({ id: sent.messageId }))).code).toBe('NOT_FAILED')
    await sendAgain(sent.messageId)
    expect(sentTo(number)).toHaveLength(1)
    await texts.twilio.report(sentTo(number)[0]!.sid, 'delivered')
    await untilStatus(client, sent, 'delivered')
  })

  it('is uncertain after the server was killed while it was sent, and is not sent (issue 28)', async () => {
    const { number, client, send } = await textedPatient(texts.server)
    const sent = await send()
    await untilStatus(client, sent, 'delivered')
    await texts.server.rows(`update messages set status = 'sending', message_id = null where id = $1`, [sent.messageId])
    await sendAgain(sent.messageId)
    expect(await untilStatus(client, sent, 'uncertain')).toMatchObject({ problem: 'The server stopped while it was sent.' })
    await sendAgain(sent.messageId)
    expect(sentTo(number)).toHaveLength(1)
  })

  it('allows a resend of a text that Twilio refused, which never left (issue 28)', async () => {
    texts.twilio.fault({ kind: 'status', status: 401 })
    const { number, client, send } = await textedPatient(texts.server)
    const sent = await send()
    expect(await untilStatus(client, sent, 'failed')).toMatchObject({ canResend: true })
    await client.inbox.resend({ id: sent.messageId })
    await untilStatus(client, sent, 'delivered')
    expect(sentTo(number)).toHaveLength(1)
  })

  it('refuses numbers that cannot be texted, naming the field, and leaves nothing (issue 28)', async () => {
    const contactId = await insertContact(texts.server, {
      phone: '555 0142',
      otherPhones: ['800 555 0100', '+33 1 42 68 53 00', '+33 6 12 34 56 78', '905 555 0123'],
    })
    const client = await texts.server.as('sales_rep')
    const { phones, isSetUp } = await client.inbox.phones({ contactId })
    expect([isSetUp, phones.map(({ problem }) => problem)]).toEqual([true, ['incomplete', 'other', 'landline', 'country', null]])
    const send = (phone: string, text = 'Hello') => client.inbox.text({ contactId, phone, text, idempotencyKey: randomUUID() })
    for (const phone of ['555 0142', '800 555 0100', '+33142685300', '+33612345678', '+19055550199'])
      expect(await refusal(send(phone))).toMatchObject({
        status: 422,
        code: 'INVALID_REFERENCE',
        data: { fields: { phone: expect.any(String) as string } },
      })
    expect((await refusal(send('905 555 0123', 'a'.repeat(1_601)))).status).toBe(422)
    expect(await conversationsOf(contactId)).toEqual([])
  })

  it('refuses an answer to a number of a country that gets no texts (issue 28)', async () => {
    const [number, phone] = ['+33698765432', '+33 6 98 76 54 32']
    const contactId = await insertContact(texts.server, { phone })
    expect((await texts.twilio.receive({ from: number, body: 'Hello from France' })).status).toBe(200)
    const [conversation] = await conversationsOf(contactId)
    const client = await texts.server.as('sales_rep')
    const answer = client.inbox.reply({ id: conversation!.id, text: 'Hello', idempotencyKey: randomUUID() })
    expect(await refusal(answer)).toMatchObject({ status: 409, code: 'FOREIGN_NUMBER' })
    expect((await client.inbox.conversation({ id: conversation!.id })).messages).toHaveLength(1)
    expect(sentTo(number)).toEqual([])
  })

  it('takes text only in a reply (issue 28)', async () => {
    const { client, send } = await textedPatient(texts.server)
    const { id } = await send()
    const reply = (more: object) => client.inbox.reply({ id, text: 'Hello', idempotencyKey: randomUUID(), ...more })
    expect((await refusal(reply({ documentIds: [randomUUID()] }))).code).toBe('TEXT_ONLY')
    expect(await refusal(reply({ text: 'a'.repeat(1_601) }))).toMatchObject({
      code: 'TOO_LARGE',
      message: 'A text message has 1,600 characters at most',
    })
    const { messageId } = await reply({})
    await untilStatus(client, { id, messageId }, 'delivered')
  })
})

describe('receiving a text', () => {
  it('stores it once in the conversation of the number, on the patient’s timeline (issue 28)', async () => {
    const { number, contactId, client, send } = await textedPatient(texts.server)
    const sent = await send()
    const sid = `SM${randomUUID().replaceAll('-', '')}`
    const posted = await Promise.all(Array.from({ length: 5 }, () => texts.twilio.receive({ from: number, body: 'Yes, thank you', sid })))
    expect(posted.map(({ status, body }) => [status, body])).toEqual(Array.from({ length: 5 }, () => [200, '<Response/>']))
    const { messages, contact } = await client.inbox.conversation({ id: sent.id })
    expect(contact?.id).toBe(contactId)
    expect(messages.filter(({ direction }) => direction === 'inbound')).toMatchObject([
      { body: 'Yes, thank you', fromEmail: number, segments: null, isFromElsewhere: false },
    ])
    const { data } = await client.interactions.list({ contactId })
    expect(data.map(({ description }) => description)).toContain('Yes, thank you')
  })

  it('keeps the text of an unknown number until staff link it, and creates a patient with the number (issue 28)', async () => {
    const number = newNumber()
    await texts.twilio.receive({ from: number, body: 'Do you have time this week?' })
    const client = await texts.server.as('sales_rep')
    const unknown = (await client.inbox.conversations({ show: 'unknown' })).data.find(({ address }) => address === number)
    expect(unknown).toMatchObject({ contact: null, channel: 'sms', unreadCount: 1 })
    const { contact } = await client.inbox.link({ id: unknown!.id, firstName: 'Ana', lastName: 'Test' })
    expect(await client.contacts.get({ id: contact!.id })).toMatchObject({ phone: number, email: null })
    await texts.twilio.receive({ from: number, body: 'Hello?' })
    expect(await conversationsOf(contact!.id)).toMatchObject([{ id: unknown!.id, unreadCount: 2 }])
  })

  it('does not guess between several patients with one number, and names them (issue 28)', async () => {
    const { number, contactId: mother, client } = await textedPatient(texts.server, { firstName: 'Mother' })
    const daughter = await insertContact(texts.server, { firstName: 'Daughter', otherPhones: [number] })
    await texts.twilio.receive({ from: number, body: 'Hello' })
    const unknown = (await client.inbox.conversations({ show: 'unknown' })).data.find(({ address }) => address === number)!
    const sharedWith = async () => (await client.inbox.conversation({ id: unknown.id })).ways[0]!.sharedWith
    expect((await sharedWith()).map(({ id }) => id).toSorted()).toEqual([mother, daughter].toSorted())
    expect((await refusal(client.inbox.link({ id: unknown.id, lastName: 'New' }))).code).toBe('INVALID_REFERENCE')
    const { contact } = await client.inbox.link({ id: unknown.id, contactId: daughter })
    expect(contact?.id).toBe(daughter)
    expect((await sharedWith()).map(({ id }) => id)).toEqual([mother])
  })

  it('makes documents to review of media, and names what was refused (issue 28)', async () => {
    const { number, contactId, client } = await textedPatient(texts.server)
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64')
    const media = [
      { contentType: 'application/pdf', contentBase64: pdf },
      { contentType: 'image/png', contentBase64: Buffer.from('no picture').toString('base64') },
    ]
    await texts.twilio.receive({ from: number, body: 'My form', media })
    await untilNoneLeft(texts.server, 'inbox.text-media')
    const [conversation] = await conversationsOf(contactId)
    const { messages } = await client.inbox.conversation({ id: conversation!.id })
    expect(messages[0]!.attachments).toMatchObject([
      { name: 'Text message 1.pdf', mimeType: 'application/pdf', refusal: null, documentId: expect.any(String) as string },
      { name: 'Text message 2.png', refusal: expect.any(String) as string, documentId: null },
    ])
    const provider = await texts.server.as('provider')
    expect(await provider.documents.list({ contactId })).toMatchObject([
      { description: 'Attached to a text message', reviewState: 'pending' },
    ])
  })
})

describe('STOP, START and HELP', () => {
  const received = async (number: string, body: string) => {
    await texts.twilio.receive({ from: number, body })
    return () => sentTo(number).map((one) => one.body)
  }

  it('ends texts at once, those that wait included, confirms in French, and opens them again with START (issue 28)', async () => {
    const { number, contactId, client, send } = await textedPatient(texts.server, {})
    await texts.server.rows(`update contacts set preferred_language = 'fr' where id = $1`, [contactId])
    texts.twilio.fault({ kind: 'status', status: 429 })
    const waiting = await send('It waits')
    await until(async () => (await client.inbox.conversation({ id: waiting.id })).messages[0]!.problem !== null)
    const bodies = await received(number, 'Arrêt')
    expect(await untilStatus(client, waiting, 'failed')).toMatchObject({ problem: 'It was not sent: this number answered STOP.' })
    await until(() => bodies().length === 1)
    expect(bodies()[0]).toBe(
      'Harbourview : vous ne recevrez plus de messages texte de notre part. Répondez START pour en recevoir de nouveau.',
    )
    expect(await refusal(send())).toMatchObject({ status: 409, code: 'STOPPED' })
    expect((await refusal(client.inbox.resend({ id: waiting.messageId }))).code).toBe('STOPPED')
    expect((await client.inbox.phones({ contactId })).phones).toMatchObject([{ problem: 'stopped' }])
    expect(await client.inbox.conversation({ id: waiting.id })).toMatchObject({ ways: [{ problem: 'stopped' }] })
    const { data } = await client.interactions.list({ contactId })
    expect(data.map(({ description }) => description)).toContain(`${number} stopped text messages`)
    await received(number, 'arret')
    await received(number, 'Oui')
    await until(() => bodies().length === 2)
    expect(bodies()[1]).toMatch(/^Harbourview : vous recevrez de nouveau/)
    const again = await send('Again')
    await untilStatus(client, again, 'delivered')
    expect(bodies()).toHaveLength(3)
  })

  it('does not answer what Twilio has answered, and says so of a stop that it confirmed itself (issue 28)', async () => {
    const { number, contactId } = await textedPatient(texts.server)
    await texts.twilio.receive({ from: number, body: 'STOP', optOutType: 'STOP' })
    expect((await (await texts.server.as('sales_rep')).inbox.phones({ contactId })).phones).toMatchObject([{ problem: 'stopped' }])
    await untilNoneLeft(texts.server, 'inbox.text')
    expect(sentTo(number)).toEqual([])
  })

  it('learns of a stop from Twilio’s refusal, and says of its own confirmation that Twilio gave it (issue 28)', async () => {
    const { number, contactId, client, send } = await textedPatient(texts.server)
    texts.twilio.setHooks({ inbound: null })
    await texts.twilio.receive({ from: number, body: 'STOP' })
    texts.twilio.setHooks(hooksOf(texts.server))
    const sent = await send()
    expect(await untilStatus(client, sent, 'failed')).toMatchObject({ problem: 'The number has answered STOP.' })
    await until(async () => (await client.inbox.phones({ contactId })).phones[0]!.problem === 'stopped')
    await texts.twilio.receive({ from: number, body: 'START' })
    await texts.twilio.receive({ from: number, body: 'STOP' })
    const confirmation = await until(async () => {
      const { messages } = await client.inbox.conversation({ id: sent.id })
      return messages.find(({ problem }) => problem === 'Twilio has confirmed the stop itself.')
    })
    expect(confirmation).toMatchObject({ status: 'failed', canResend: false })
  })

  it('answers HELP with the practice’s phone, and one number at most five times an hour (issue 28)', async () => {
    const number = newNumber()
    for (let i = 0; i < 7; i++) await texts.twilio.receive({ from: number, body: 'help' })
    await untilNoneLeft(texts.server, 'inbox.text')
    expect(sentTo(number).map(({ body }) => body)).toEqual(
      Array.from({ length: 5 }, () => 'Harbourview: for help, call us at (905) 555-0118. Reply STOP to end text messages.'),
    )
  })

  it('reads a word inside a sentence as a message (issue 28)', async () => {
    const { number, send, client } = await textedPatient(texts.server)
    const bodies = await received(number, 'Please stop by later, yes')
    await untilStatus(client, await send(), 'delivered')
    expect(bodies()).toHaveLength(1)
  })

  it('sends nothing to a number that stops while a text is handed over (issue 28)', async () => {
    for (let round = 0; round < 10; round++) {
      const { number, client, send } = await textedPatient(texts.server)
      const [sent] = await Promise.all([send(), texts.twilio.receive({ from: number, body: 'QUIT', optOutType: 'STOP' })]).catch(() => [
        null,
      ])
      if (!sent) continue
      const message = await until(async () => {
        const { messages } = await client.inbox.conversation({ id: sent.id })
        const one = messages.find(({ id }) => id === sent.messageId)!
        return one.status !== 'queued' && one.status !== 'sending' && one
      })
      expect(sentTo(number).length).toBe(message.status === 'failed' ? 0 : 1)
    }
  })
})

describe('the hooks', () => {
  const post = (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) =>
    texts.server.request(path, { method: 'POST', body, headers })
  const signed = (path: string, params: Record<string, string>) =>
    post(path, new URLSearchParams(params), { 'x-twilio-signature': signatureOf(texts.twilio.authToken, practiceUrl + path, params) })
  const inbound = '/api/hooks/twilio/inbound'
  const sid = `SM${'a'.repeat(32)}`

  it('refuse posts that Twilio did not sign for this address, and store nothing (issue 28)', async () => {
    const params = { MessageSid: sid, From: newNumber(), To: texts.twilio.number, Body: 'Hello' }
    const signature = signatureOf(texts.twilio.authToken, practiceUrl + inbound, params)
    const tried = [
      post(inbound, new URLSearchParams(params)),
      post(inbound, new URLSearchParams({ ...params, Body: 'Other' }), { 'x-twilio-signature': signature }),
      post(`/api/hooks/twilio/status?message=${randomUUID()}`, new URLSearchParams(params), { 'x-twilio-signature': signature }),
      post(`${inbound}?x=1`, new URLSearchParams(params), { 'x-twilio-signature': signature }),
    ]
    for (const response of await Promise.all(tried))
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'INVALID_SIGNATURE' }])
    expect(await texts.server.rows('select from messages where message_id = $1', [sid])).toEqual([])
  })

  it('refuse what is too large, not a form, or not in Twilio’s format (issue 28)', async () => {
    const statusOf = async (response: Promise<Response>) => (await response).status
    expect(await statusOf(post(inbound, 'Body='.padEnd(70_000, 'a'), { 'content-type': 'application/x-www-form-urlencoded' }))).toBe(413)
    expect(await statusOf(post(inbound, '{}', { 'content-type': 'application/json' }))).toBe(415)
    expect(await statusOf(post(inbound, new URLSearchParams(Array.from({ length: 201 }, (_, at) => [`a${at}`, '']))))).toBe(422)
    expect(await statusOf(signed(inbound, { MessageSid: 'x', From: 'y z', To: '', Body: '' }))).toBe(422)
    expect(await statusOf(signed(inbound, { MessageSid: sid, From: '+1', To: '', Body: '', NumMedia: '1000000' }))).toBe(422)
    expect(await statusOf(signed('/api/hooks/twilio/status?message=x', { MessageSid: sid, MessageStatus: 'sent' }))).toBe(422)
  })

  it('ignore reports about messages that are none of theirs (issue 28)', async () => {
    const { client, send } = await textedPatient(texts.server)
    const sent = await send()
    await untilStatus(client, sent, 'delivered')
    const path = `/api/hooks/twilio/status?message=${sent.messageId}`
    expect((await signed(path, { MessageSid: sid, MessageStatus: 'failed', ErrorCode: '30003' })).status).toBe(200)
    expect((await signed(`/api/hooks/twilio/status?message=${randomUUID()}`, { MessageSid: sid, MessageStatus: 'sent' })).status).toBe(200)
    expect((await untilStatus(client, sent, 'delivered')).problem).toBeNull()
  })
})

describe('a server without Twilio', () => {
  const server = useServer()

  it('says that text messages are not set up, and has no hooks (issue 28)', async () => {
    const { client, contactId, send } = await textedPatient(server)
    expect((await client.inbox.phones({ contactId })).isSetUp).toBe(false)
    expect(await refusal(send())).toMatchObject({ status: 409, code: 'NO_TEXTING' })
    expect((await server.request('/api/hooks/twilio/inbound', { method: 'POST', body: new URLSearchParams() })).status).toBe(404)
  })
})

describe('marketing by text', () => {
  const offer = (contactId: string, phone: string, text = 'Half the price', more: object = {}) => ({
    contactId,
    phone,
    text,
    isCommercial: true,
    idempotencyKey: randomUUID(),
    ...more,
  })
  const consent = { wording: 'Offers by text', way: 'paper' as const, channels: ['text' as const] }

  it('is refused without consent to texts, also with consent to email, and leaves nothing (issue 28)', async () => {
    const { number, contactId, client } = await textedPatient(texts.server)
    await client.consent.record({ id: contactId, ...consent, channels: ['email'] })
    expect(await refusal(client.inbox.text(offer(contactId, number)))).toMatchObject({
      status: 409,
      code: 'NO_CONSENT',
      message: 'This patient has not consented to marketing by text message. Record their consent first.',
    })
    expect(await conversationsOf(contactId)).toEqual([])
  })

  it.each([
    ['en', 'Harbourview, 1 Lakeshore Road, Oakville, ON L6J 1H5, (905) 555-0118. Reply STOP to end texts.'],
    ['fr', 'Harbourview, 1 Lakeshore Road, Oakville, ON L6J 1H5, (905) 555-0118. Répondez ARRET pour ne plus recevoir de textos.'],
  ])('ends with the sender and how to stop in the language %s, within the length of a text (issue 28)', async (language, end) => {
    const { number, contactId, client } = await textedPatient(texts.server)
    await texts.server.rows('update contacts set preferred_language = $2 where id = $1', [contactId, language])
    await client.consent.record({ id: contactId, ...consent })
    await untilStatus(client, await client.inbox.text(offer(contactId, number)), 'delivered')
    expect(sentTo(number).map(({ body }) => body)).toEqual([`Half the price\n${end}`])
    expect((await refusal(client.inbox.text(offer(contactId, number, 'a'.repeat(1_600))))).status).toBe(422)
  })

  it('is not sent once consent was withdrawn while it was queued, and says why (issue 28)', async () => {
    const { number, contactId, client } = await textedPatient(texts.server)
    await client.consent.record({ id: contactId, ...consent })
    texts.twilio.fault({ kind: 'status', status: 429 })
    const sent = await client.inbox.text(offer(contactId, number))
    await until(async () => (await client.inbox.conversation({ id: sent.id })).messages[0]!.problem !== null)
    await client.consent.withdraw({ id: contactId, channels: ['text'] })
    await until(async () => (await makeDue(texts.server, `key = $1`, [`message ${sent.messageId}`])) > 0)
    expect(await untilStatus(client, sent, 'failed')).toMatchObject({
      problem: 'It was not sent: the patient no longer consents to marketing by text message.',
    })
    expect(sentTo(number)).toEqual([])
  })

  it('ends by STOP in the ledger of every patient with the number, and START opens it to other texts only (issue 28)', async () => {
    const { number, contactId, client } = await textedPatient(texts.server)
    const relative = await insertContact(texts.server, { phone: number })
    for (const id of [contactId, relative]) await client.consent.record({ id, ...consent, channels: ['email', 'text'] })
    await texts.twilio.receive({ from: number, body: 'STOP' })
    for (const id of [contactId, relative]) {
      const state = await client.consent.get({ id })
      expect(state).toMatchObject({ live: { channel: 'email' }, text: { live: null, stopped: [number], unsubscribed: [number] } })
      expect(state.entries.find(({ channel }) => channel === 'text')).toMatchObject({ withdrawalSource: 'stop', withdrawnBy: null })
    }
    await texts.twilio.receive({ from: number, body: 'START' })
    expect((await client.consent.get({ id: contactId })).text).toEqual({ live: null, stopped: [], unsubscribed: [number] })
    expect((await refusal(client.inbox.text(offer(contactId, number)))).code).toBe('NO_CONSENT')
    await client.inbox.text(offer(contactId, number, 'See you at 10', { isCommercial: false }))
    await client.consent.record({ id: contactId, ...consent, wording: 'Offers again' })
    await untilStatus(client, await client.inbox.text(offer(contactId, number)), 'delivered')
  })
})

describe('a missed call', () => {
  // Someone who can be given the task.
  beforeAll(async () => void (await texts.server.as('admin')))
  const tasksOf = async (contactId: string) =>
    (await (await texts.server.as('admin')).tasks.list({ contactId })).data.filter(({ title }) => title.startsWith('Call back'))

  it('is answered by one text a day in the patient’s language, and gives a task to call back (issue 28)', async () => {
    const { number, contactId } = await textedPatient(texts.server)
    await texts.server.rows(`update contacts set preferred_language = 'fr' where id = $1`, [contactId])
    const sid = `CA${randomUUID().replaceAll('-', '')}`
    const calls = await Promise.all(Array.from({ length: 3 }, () => texts.twilio.call({ from: number, sid })))
    expect(calls.map(({ status, body }) => `${status} ${body}`)).toEqual(Array(3).fill('200 <Response/>'))
    await texts.twilio.call({ from: number, status: 'completed', dialStatus: 'busy' })
    const [sent] = await until(() => sentTo(number).length > 0 && sentTo(number))
    expect(sent!.body).toMatch(/^Harbourview : désolés d'avoir manqué votre appel\./)
    const [conversation] = await conversationsOf(contactId)
    const { messages } = await (await texts.server.as('sales_rep')).inbox.conversation({ id: conversation!.id })
    expect(messages.map(({ direction, body }) => (direction === 'inbound' ? body : 'text')).toSorted()).toEqual([
      'Missed call',
      'Missed call',
      'text',
    ])
    expect(await tasksOf(contactId)).toHaveLength(1)
    expect(sentTo(number)).toHaveLength(1)
  })

  it('is only a task for a number that stopped or receives no texts, and nothing if it was answered or withheld (issue 28)', async () => {
    const { number, contactId } = await textedPatient(texts.server)
    await texts.twilio.receive({ from: number, body: 'Stop.' })
    await untilNoneLeft(texts.server, 'inbox.text')
    const before = sentTo(number).length
    await texts.twilio.call({ from: number })
    expect((await tasksOf(contactId))[0]!.description).toBe('Missed call. No text message was sent.')
    expect(sentTo(number)).toHaveLength(before)
    await texts.twilio.call({ from: '+33612345678' })
    expect(sentTo('+33612345678')).toEqual([])
    const other = await textedPatient(texts.server)
    await texts.twilio.call({ from: other.number, status: 'completed' })
    expect((await texts.twilio.call({ from: 'anonymous' })).status).toBe(200)
    expect(await conversationsOf(other.contactId)).toEqual([])
    expect(await tasksOf(other.contactId)).toEqual([])
  })

  it('is refused without Twilio’s signature (issue 28)', async () => {
    const body = new URLSearchParams({
      CallSid: `CA${'0'.repeat(32)}`,
      From: newNumber(),
      To: texts.twilio.number,
      CallStatus: 'no-answer',
    })
    const response = await texts.server.request('/api/hooks/twilio/call', { method: 'POST', body, headers: { 'x-twilio-signature': 'x' } })
    expect(response.status).toBe(401)
  })
})

it('remembers that a number is a landline once its carrier says so, until a text comes from it (issue 28)', async () => {
  texts.twilio.setDeliveries({ outcome: 'undelivered', errorCode: 30006 })
  const { number, contactId, client, send } = await textedPatient(texts.server)
  await untilStatus(client, await send(), 'failed')
  expect((await client.inbox.phones({ contactId })).phones).toMatchObject([{ problem: 'landline' }])
  expect((await refusal(send('Again'))).code).toBe('LANDLINE')
  const [conversation] = await conversationsOf(contactId)
  expect(await client.inbox.conversation({ id: conversation!.id })).toMatchObject({ ways: [{ channel: 'sms', problem: 'landline' }] })
  texts.twilio.setDeliveries({})
  await texts.twilio.receive({ from: number, body: 'I can text' })
  await untilStatus(client, await send('Again'), 'delivered')
  // Its carrier could not be reached for a while.
  texts.twilio.setDeliveries({ outcome: 'undelivered', errorCode: 30006 })
  await untilStatus(client, await send('At ten'), 'failed')
  texts.twilio.setDeliveries({})
  await untilStatus(client, await send('At eleven'), 'delivered')
})
