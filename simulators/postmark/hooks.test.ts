import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Errors, type Models, ServerClient } from 'postmark'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PostmarkSimulator, startPostmarkSimulator } from './server.ts'

type Posted = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }

/** The application's side: records each post and responds with the configured statuses, then 200. */
class Receiver {
  readonly posted: Posted[] = []
  statuses: number[] = []
  readonly server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => this.take(request, response, Buffer.concat(parts).toString()))
  })

  private take(request: IncomingMessage, response: ServerResponse, text: string): void {
    this.posted.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as Posted['body'] })
    this.server.emit('posted')
    const status = this.statuses.shift() ?? 200
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(status === 200 ? 'taken' : 'not now')
  }

  address(path: string, credentials = ''): string {
    return `http://${credentials}127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`
  }
}

let simulator: PostmarkSimulator
let receiver: Receiver
let client: ServerClient
const mail = {
  From: 'Clinic <clinic@refyne.test>',
  To: 'Ann Lee <ann@patient.test>',
  Subject: 'Your consult',
  TextBody: 'Tuesday at nine?',
}

beforeEach(async () => {
  receiver = new Receiver()
  await once(receiver.server.listen(0, '127.0.0.1'), 'listening')
  simulator = await startPostmarkSimulator()
  simulator.setHooks({ inbound: receiver.address('/inbound', 'hook:p%40ss@'), events: receiver.address('/events') })
  client = new ServerClient('token', { requestHost: new URL(simulator.url).host, useHttps: false })
})
afterEach(async () => {
  await simulator.stop()
  receiver.server.close()
  receiver.server.closeAllConnections()
})

const control = (what: string, body?: unknown) =>
  fetch(`${simulator.url}/_control/${what}`, { method: 'POST', ...(body !== undefined && { body: JSON.stringify(body) }) })

describe('an inbound email', () => {
  test("is posted in Postmark's format, with the URL's user name and password as HTTP Basic", async () => {
    const answer = await control('inbound', {
      to: '"Clinic, Front" <team+c-81@refyne.test>, other@refyne.test',
      from: 'ann@patient.test',
      fromName: 'Ann Lee',
      subject: 'Re: Your consult',
      text: 'Yes, please.\n\nOn Tue, 3 Mar 2026 10:00:00 GMT, Clinic wrote:\n> Tuesday at nine?',
      html: '<p>Yes, please.</p>',
      headers: [{ name: 'In-Reply-To', value: '<a@b>' }],
      attachments: [{ name: 'a.txt', contentType: 'text/plain', contentBase64: 'aGVsbG8=', contentId: 'pic@1' }],
      messageId: 'a7b2',
    })
    expect(await answer.json()).toMatchObject({ kind: 'inbound', attempts: 1, status: 200, body: 'taken', retryInMs: null })
    const [posted] = receiver.posted
    expect(posted).toMatchObject({ path: '/inbound', headers: { 'content-type': 'application/json' } })
    expect(posted?.headers.authorization).toBe(`Basic ${Buffer.from('hook:p@ss').toString('base64')}`)
    // The vendor's own package names the fields.
    const body: Partial<Models.InboundWebhook> = posted!.body
    expect(body).toEqual({
      FromName: 'Ann Lee',
      MessageStream: 'inbound',
      From: 'ann@patient.test',
      FromFull: { Email: 'ann@patient.test', Name: 'Ann Lee', MailboxHash: '' },
      To: '"Clinic, Front" <team+c-81@refyne.test>, other@refyne.test',
      ToFull: [
        { Email: 'team+c-81@refyne.test', Name: 'Clinic, Front', MailboxHash: 'c-81' },
        { Email: 'other@refyne.test', Name: '', MailboxHash: '' },
      ],
      Cc: '',
      CcFull: [],
      Bcc: '',
      BccFull: [],
      OriginalRecipient: 'team+c-81@refyne.test',
      Subject: 'Re: Your consult',
      MessageID: 'a7b2',
      ReplyTo: '',
      MailboxHash: 'c-81',
      Date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000$/),
      TextBody: expect.stringContaining('> Tuesday at nine?'),
      HtmlBody: '<p>Yes, please.</p>',
      StrippedTextReply: 'Yes, please.',
      Tag: '',
      Headers: expect.arrayContaining([
        { Name: 'In-Reply-To', Value: '<a@b>' },
        { Name: 'X-Spam-Status', Value: 'No' },
      ]),
      Attachments: [{ Name: 'a.txt', Content: 'aGVsbG8=', ContentType: 'text/plain', ContentLength: 5, ContentID: 'pic@1' }],
    })
  })

  test('goes to the inbound address by default, and a given mailbox hash takes precedence', async () => {
    await simulator.inbound({ from: 'Ann Lee <ann@patient.test>', mailboxHash: 'c-9' })
    expect(receiver.posted[0]?.body).toMatchObject({
      To: expect.stringMatching(/^[0-9a-f]+\+c-9@inbound\.postmarkapp\.com$/),
      MailboxHash: 'c-9',
      FromName: 'Ann Lee',
      Subject: '',
      TextBody: '',
    })
    await simulator.inbound({ from: 'ann@patient.test', to: 'team+one@refyne.test', mailboxHash: 'two' })
    expect(receiver.posted[1]?.body).toMatchObject({ MailboxHash: 'two', ToFull: [{ MailboxHash: 'one' }] })
  })

  test.each([[403], [200]])('is not retried after %d', async (status) => {
    receiver.statuses = [status]
    expect(await simulator.inbound({ from: 'ann@patient.test' })).toMatchObject({ status, retryInMs: null })
    expect(await simulator.retryHooks()).toEqual([])
  })

  test.each([[500], [401], [302], [204]])(
    'is tried again after %d, which is no 200, first in a minute and then in five',
    async (status) => {
      receiver.statuses = [status, status]
      const call = await simulator.inbound({ from: 'ann@patient.test', messageId: 'same' })
      expect(call).toMatchObject({ status, retryInMs: 60_000, attempts: 1 })
      await control('retry')
      expect(call).toMatchObject({ status, retryInMs: 300_000, attempts: 2 })
      await control('retry')
      expect(simulator.hookCalls).toMatchObject([{ status: 200, retryInMs: null, attempts: 3 }])
      expect(receiver.posted.map(({ body }) => body['MessageID'])).toEqual(['same', 'same', 'same'])
    },
  )

  test('is retried on schedule until the last attempt', async () => {
    await simulator.stop()
    simulator = await startPostmarkSimulator({ hooks: { inbound: receiver.address('/') }, retryAfterMs: [1, 1] })
    receiver.statuses = [500, 500, 500]
    const third = new Promise<void>((resolve) => receiver.server.on('posted', () => receiver.posted.length === 3 && resolve()))
    await simulator.inbound({ from: 'ann@patient.test' })
    await third
    await expect.poll(() => simulator.hookCalls[0]).toMatchObject({ attempts: 3, status: 500, retryInMs: null })
  })

  test('records the reason when no hook responds', async () => {
    await new Promise((resolve) => receiver.server.close(resolve))
    expect(await simulator.inbound({ from: 'ann@patient.test' })).toMatchObject({
      status: null,
      body: expect.stringContaining('ECONNREFUSED'),
    })
    simulator.setHooks({ inbound: null })
    expect(await simulator.inbound({ from: 'ann@patient.test' })).toMatchObject({ status: null, body: 'No inbound hook is set.' })
  })

  test('is refused with the field name when the simulator cannot build it', async () => {
    const answer = await control('inbound', { form: 'ann@patient.test' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toMatch(/from/)
    expect((await control('hooks', { inbound: 'ftp://x' })).status).toBe(400)
    expect(receiver.posted).toEqual([])
  })
})

describe('delivery events', () => {
  test('a delivery', async () => {
    const sent = await client.sendEmail({ ...mail, Tag: 'consult', Metadata: { row: '7' } })
    await control('event', { type: 'Delivery', email: 'Ann@patient.test' })
    const body: Partial<Models.DeliveryWebhook> = receiver.posted[0]!.body
    expect(body).toEqual({
      RecordType: 'Delivery',
      ServerID: expect.any(Number),
      MessageStream: 'outbound',
      MessageID: sent.MessageID,
      Recipient: 'ann@patient.test',
      Tag: 'consult',
      DeliveredAt: expect.stringMatching(/Z$/),
      Details: expect.stringContaining('250'),
      Metadata: { row: '7' },
    })
    await expect(client.sendEmail(mail)).resolves.toMatchObject({ ErrorCode: 0 })
  })

  test.each([
    ['HardBounce', { RecordType: 'Bounce', TypeCode: 1, Name: 'Hard bounce', CanActivate: true }],
    ['SpamComplaint', { RecordType: 'SpamComplaint', TypeCode: 512, Name: 'Spam complaint', CanActivate: false }],
  ] as const)('%s: the address is inactive from now on, which is posted too', async (type, words) => {
    const sent = await client.sendEmail(mail)
    expect(await simulator.event({ type, messageId: sent.MessageID })).toMatchObject({ status: 200 })
    expect(receiver.posted.map(({ body }) => body)).toEqual([
      {
        ...words,
        ID: expect.any(Number),
        Type: type,
        Tag: '',
        MessageID: sent.MessageID,
        ServerID: expect.any(Number),
        MessageStream: 'outbound',
        Metadata: {},
        Description: expect.any(String),
        Details: expect.any(String),
        Email: 'ann@patient.test',
        From: mail.From,
        BouncedAt: expect.any(String),
        DumpAvailable: true,
        Inactive: true,
        Subject: 'Your consult',
      },
      expect.objectContaining({
        RecordType: 'SubscriptionChange',
        Recipient: 'ann@patient.test',
        SuppressSending: true,
        SuppressionReason: type,
      }),
    ])
    await expect(client.sendEmail(mail)).rejects.toBeInstanceOf(Errors.InactiveRecipientsError)
  })

  test('leaves the address active after a soft bounce or similar event', async () => {
    const codes = { SoftBounce: 4096, Transient: 2, AutoResponder: 64, Unsubscribe: 16 }
    for (const type of ['SoftBounce', 'Transient', 'AutoResponder', 'Unsubscribe'] as const) {
      await simulator.event({ type, email: 'ann@patient.test' })
      expect(receiver.posted.at(-1)?.body).toMatchObject({ RecordType: 'Bounce', Type: type, TypeCode: codes[type], Inactive: false })
    }
    expect(receiver.posted).toHaveLength(4)
    await expect(client.sendEmail(mail)).resolves.toMatchObject({ ErrorCode: 0 })
  })

  test('reports an unsubscribe and a resubscribe', async () => {
    const sent = await client.sendEmail(mail)
    await simulator.event({ type: 'SubscriptionChange', email: 'ann@patient.test' })
    await expect(client.sendEmail(mail)).rejects.toBeInstanceOf(Errors.InactiveRecipientsError)
    await simulator.event({ type: 'SubscriptionChange', email: 'ann@patient.test', suppressSending: false, origin: 'Customer' })
    await expect(client.sendEmail(mail)).resolves.toMatchObject({ ErrorCode: 0 })
    expect(receiver.posted.map(({ body }) => body)).toMatchObject([
      { MessageID: sent.MessageID, Origin: 'Recipient', SuppressSending: true, SuppressionReason: 'ManualSuppression' },
      { MessageID: null, Origin: 'Customer', SuppressSending: false, SuppressionReason: null, Tag: null, Metadata: {} },
    ])
  })

  test('retries a delivery event three times and a bounce ten times', async () => {
    receiver.statuses = Array<number>(20).fill(500)
    const delays: (number | null)[][] = []
    for (const type of ['Delivery', 'SoftBounce'] as const) {
      const call = await simulator.event({ type, email: 'ann@patient.test' })
      const minutes = []
      for (; call.retryInMs !== null; await simulator.retryHooks()) minutes.push(call.retryInMs / 60_000)
      delays.push(minutes)
    }
    expect(delays).toEqual([
      [1, 5, 15],
      [1, 5, 10, 10, 10, 15, 30, 60, 120, 360],
    ])
  })

  test('refuses an event without an email and an address', async () => {
    expect((await control('event', { type: 'Delivery' })).status).toBe(400)
    expect((await control('event', { type: 'Opened', email: 'ann@patient.test' })).status).toBe(400)
    expect((await control('event', { type: 'Delivery', messageId: 'none' })).status).toBe(404)
  })
})

describe("the outbox page's reply form", () => {
  const replyForm = (id: string, text: string) =>
    fetch(`${simulator.url}/_outbox/${id}/answer`, {
      method: 'POST',
      body: new URLSearchParams({ text, to: 'ann@patient.test' }),
      redirect: 'manual',
    })

  test('sends to the reply address with its hash and shows the reply with the email', async () => {
    const { MessageID } = await client.sendEmail({ ...mail, ReplyTo: 'team+c-81@refyne.test' })
    const form = await (await fetch(simulator.url)).text()
    expect(form).toContain(`action="/_outbox/${MessageID}/answer"`)

    const answer = await replyForm(MessageID, 'Yes <please>')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/?to=ann%40patient.test#${MessageID}`])
    expect(receiver.posted[0]?.body).toMatchObject({
      From: 'ann@patient.test',
      FromName: 'Ann Lee',
      MailboxHash: 'c-81',
      Subject: 'Re: Your consult',
      StrippedTextReply: 'Yes <please>',
      TextBody: expect.stringContaining('> Tuesday at nine?'),
      Headers: expect.arrayContaining([{ Name: 'In-Reply-To', Value: `<${MessageID}@mtasv.net>` }]),
    })
    const page = await (await fetch(`${simulator.url}/?to=ann@patient.test`)).text()
    expect(page).toContain('Yes &#60;please&#62;')
    expect(page).toContain('Received')
  })

  test('reports when the hook refuses it, and returns 404 for an unknown email', async () => {
    const { MessageID } = await client.sendEmail(mail)
    receiver.statuses = [401]
    await replyForm(MessageID, 'Hello')
    expect(receiver.posted[0]?.body).toMatchObject({ To: mail.From, MailboxHash: '' })
    expect(await (await fetch(simulator.url)).text()).toContain('Not received: 401 not now')
    expect((await replyForm('none', 'Hello')).status).toBe(404)
  })

  test('is not offered without a configured hook', async () => {
    simulator.setHooks({ inbound: null })
    await client.sendEmail(mail)
    expect(await (await fetch(simulator.url)).text()).not.toContain('<textarea')
  })
})
