import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PostmarkSimulator, startPostmarkSimulator } from '../../../simulators/postmark/server.ts'
import { createPostmark, type OutgoingMail } from './client.ts'

const mail: OutgoingMail = {
  from: 'Refyne <no-reply@refyne.test>',
  to: 'ann@patient.test',
  subject: 'Your code',
  textBody: 'Your code is 493817.',
}

let simulator: PostmarkSimulator
beforeAll(async () => {
  simulator = await startPostmarkSimulator({ token: 'server-token' })
})
afterAll(() => simulator.stop())
beforeEach(async () => {
  for (const path of ['_outbox', '_control/faults', '_control/inactive']) await fetch(`${simulator.url}/${path}`, { method: 'DELETE' })
})

const postmark = (options: { token?: string; timeoutSeconds?: number } = {}) =>
  createPostmark({ token: 'server-token', baseUrl: simulator.url, timeoutSeconds: 5, ...options })

const order = (what: 'faults' | 'inactive', body: object) =>
  fetch(`${simulator.url}/_control/${what}`, { method: 'POST', body: JSON.stringify(body) })

describe('an accepted mail', () => {
  test('returns the provider’s message id', async () => {
    const sent = await postmark().send(mail)
    expect(sent).toEqual({ ok: true, messageId: simulator.messages[0]?.MessageID })
  })

  test("sends every part in Postmark’s format, on the stream 'outbound'", async () => {
    await postmark().send({
      ...mail,
      htmlBody: '<p>Your code is 493817.</p>',
      replyTo: 'team@refyne.test',
      attachments: [
        { name: 'plan.pdf', contentBase64: 'JVBERg==', contentType: 'application/pdf' },
        { name: 'logo.png', contentBase64: 'iVBORw==', contentType: 'image/png', contentId: 'cid:logo' },
      ],
      headers: [{ name: 'X-Refyne-Mail', value: '7' }],
    })
    expect(simulator.messages).toEqual([
      {
        From: 'Refyne <no-reply@refyne.test>',
        To: 'ann@patient.test',
        Subject: 'Your code',
        TextBody: 'Your code is 493817.',
        HtmlBody: '<p>Your code is 493817.</p>',
        ReplyTo: 'team@refyne.test',
        MessageStream: 'outbound',
        Attachments: [
          { Name: 'plan.pdf', Content: 'JVBERg==', ContentType: 'application/pdf', ContentID: null },
          { Name: 'logo.png', Content: 'iVBORw==', ContentType: 'image/png', ContentID: 'cid:logo' },
        ],
        Headers: [{ Name: 'X-Refyne-Mail', Value: '7' }],
        MessageID: expect.any(String),
        SubmittedAt: expect.any(String),
      },
    ])
  })

  test('accepts a base URL with a path and a trailing slash', async () => {
    const sent = await createPostmark({ token: 'server-token', baseUrl: `${simulator.url}/` }).send(mail)
    expect(sent).toMatchObject({ ok: true })
  })
})

describe('permanent refusals', () => {
  test.each([undefined, '', '  '])('refuses to send without a token (%j), and makes no call', async (token) => {
    const sent = await createPostmark({ token, baseUrl: 'http://127.0.0.1:1' }).send(mail)
    expect(sent).toEqual({
      ok: false,
      retryable: false,
      isUncertain: false,
      kind: 'invalid-key',
      message: 'A valid API token must be provided.',
    })
  })

  test('401: a token that Postmark does not know', async () => {
    expect(await postmark({ token: 'other' }).send(mail)).toMatchObject({ ok: false, retryable: false, kind: 'invalid-key' })
  })

  test('422, code 406: an inactive recipient, by name', async () => {
    await order('inactive', { addresses: ['ann@patient.test'] })
    const sent = await postmark().send(mail)
    expect(sent).toMatchObject({ ok: false, retryable: false, kind: 'inactive-recipient', recipients: ['ann@patient.test'] })
  })

  test('422, code 300: an illegal address', async () => {
    const message = "Error parsing 'To': Illegal email address 'ann@'."
    expect(await postmark().send({ ...mail, to: 'ann@' })).toEqual({
      ok: false,
      retryable: false,
      isUncertain: false,
      kind: 'invalid-request',
      message,
    })
  })

  test('422, another code: an unknown message stream', async () => {
    const sent = await postmark().send({ ...mail, messageStream: 'no-such' })
    expect(sent).toMatchObject({ ok: false, retryable: false, kind: 'invalid-request' })
  })

  test.each([404, 413])('%i: unknown', async (status) => {
    await order('faults', { status })
    expect(await postmark().send(mail)).toMatchObject({ ok: false, retryable: false, kind: 'unknown' })
  })

  test('treats an unreadable 200 as sent, because a retry would send it twice', async () => {
    await order('faults', { badJson: true })
    expect(await postmark().send(mail)).toMatchObject({ ok: false, retryable: false, isUncertain: true, kind: 'unknown' })
    expect(simulator.messages).toHaveLength(1)
  })
})

describe('temporary failures', () => {
  test.each([
    [{ status: 429 }, 'rate-limit', false],
    [{ status: 500 }, 'server', true],
    [{ status: 503 }, 'unavailable', false],
    [{ status: 502 }, 'unknown', true],
    [{ timeout: true }, 'network', true],
    [{ drop: true }, 'network', true],
  ])('%j is retryable: %s, uncertain: %s', async (fault, kind, isUncertain) => {
    await order('faults', fault)
    const client = postmark({ timeoutSeconds: 0.5 })
    expect(await client.send(mail)).toMatchObject({ ok: false, retryable: true, isUncertain, kind, message: expect.stringMatching(/./) })
    expect(await client.send(mail)).toMatchObject({ ok: true })
  })

  test('reports a refused connection as a network failure, after which nothing can have been accepted', async () => {
    const gone = await startPostmarkSimulator()
    await gone.stop()
    const sent = await createPostmark({ token: 'server-token', baseUrl: gone.url }).send(mail)
    expect(sent).toMatchObject({ ok: false, retryable: true, isUncertain: false, kind: 'network' })
  })
})

test('refuses an invalid base URL at start', () => {
  expect(() => createPostmark({ token: 'server-token', baseUrl: 'ftp://mail.test' })).toThrow('must be http or https')
})
