import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Errors, ServerClient } from 'postmark'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type PostmarkSimulator, startPostmarkSimulator } from './server.ts'

const mail = {
  From: 'Clinic <clinic@refyne.test>',
  To: 'ann@patient.test',
  Subject: 'Your code',
  TextBody: 'Your code is 493817.',
}

let simulator: PostmarkSimulator
let client: ServerClient

beforeEach(async () => {
  simulator = await startPostmarkSimulator({ token: 'server-token' })
  client = clientFor(simulator)
})
afterEach(() => simulator.stop())

function clientFor({ url }: PostmarkSimulator, token = 'server-token', timeout = 5) {
  return new ServerClient(token, { requestHost: new URL(url).host, useHttps: false, timeout })
}

const control = (what: 'faults' | 'inactive', body: object) =>
  fetch(`${simulator.url}/_control/${what}`, { method: 'POST', body: JSON.stringify(body) })

describe("Postmark's published client, unchanged", () => {
  test('sends an email and reads the response', async () => {
    const answer = await client.sendEmail(mail)
    expect(answer).toEqual({
      To: 'ann@patient.test',
      SubmittedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      MessageID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ErrorCode: 0,
      Message: 'OK',
    })
    expect(simulator.messages).toMatchObject([{ ...mail, MessageID: answer.MessageID, MessageStream: 'outbound' }])
  })

  test('sends attachments, headers and copies as they are', async () => {
    const rich = {
      ...mail,
      Cc: '"Lee, Bo" <bo@patient.test>',
      ReplyTo: 'team@refyne.test',
      Headers: [{ Name: 'X-Task', Value: '7' }],
      Attachments: [{ Name: 'a.txt', Content: 'aGVsbG8=', ContentType: 'text/plain', ContentID: null }],
    }
    await client.sendEmail(rich)
    expect(simulator.messages[0]).toMatchObject(rich)
  })

  test('returns one result per message of a batch', async () => {
    const answers = await client.sendEmailBatch([mail, { ...mail, To: 'nobody' }, { ...mail, To: 'bo@patient.test' }])
    expect(answers.map((answer) => answer.ErrorCode)).toEqual([0, 300, 0])
    expect(simulator.messages.map((message) => message.To)).toEqual(['bo@patient.test', 'ann@patient.test'])
  })

  test.each([
    ['an illegal recipient', { To: 'ann@' }, "Error parsing 'To': Illegal email address 'ann@'."],
    ['no recipient', { To: '' }, 'Zero recipients specified'],
    ['an illegal sender', { From: 'clinic' }, "Invalid 'From' address: 'clinic'."],
    ['no body', { TextBody: '' }, 'Provide either email TextBody or HtmlBody or both.'],
  ])('%s is an InvalidEmailRequestError (422, code 300)', async (_, change, message) => {
    const error = await failure(client.sendEmail({ ...mail, ...change }))
    expect(error).toBeInstanceOf(Errors.InvalidEmailRequestError)
    expect(error).toMatchObject({ statusCode: 422, code: 300, message })
    expect(simulator.messages).toEqual([])
  })

  test('throws an ApiInputError for an unknown message stream (422, code 1235)', async () => {
    const error = await failure(client.sendEmail({ ...mail, MessageStream: 'no-such' }))
    expect(error).toBeInstanceOf(Errors.ApiInputError)
    expect(error).toMatchObject({ statusCode: 422, code: 1235 })
  })

  test('throws an InactiveRecipientsError that names the inactive recipients (422, code 406)', async () => {
    await control('inactive', { addresses: ['Ann@patient.test', 'bo@patient.test'] })
    const error = await failure(client.sendEmail({ ...mail, Cc: 'bo@patient.test' }))
    expect(error).toBeInstanceOf(Errors.InactiveRecipientsError)
    expect(error).toMatchObject({ statusCode: 422, code: 406, recipients: ['ann@patient.test', 'bo@patient.test'] })
  })

  test('sends to the active recipients when some are inactive', async () => {
    await control('inactive', { addresses: ['bo@patient.test'] })
    const answer = await client.sendEmail({ ...mail, Cc: 'bo@patient.test' })
    expect(answer).toMatchObject({ ErrorCode: 0, Message: expect.stringContaining('bo@patient.test') })
  })

  test('throws an InvalidAPIKeyError for a wrong token (401, code 10)', async () => {
    const error = await failure(clientFor(simulator, 'other').sendEmail(mail))
    expect(error).toBeInstanceOf(Errors.InvalidAPIKeyError)
    expect(error).toMatchObject({ statusCode: 401, code: 10 })
  })

  test.each([
    [429, Errors.RateLimitExceededError],
    [500, Errors.InternalServerError],
    [503, Errors.ServiceUnavailablerError],
    [502, Errors.UnknownError],
    [404, Errors.PostmarkError],
  ])('status %i on demand has its own class, as often as asked', async (status, type) => {
    await control('faults', { status, times: 2 })
    for (const _ of [1, 2]) {
      const error = await failure(client.sendEmail(mail))
      expect(error.constructor).toBe(type)
      expect(error).toMatchObject({ statusCode: status })
    }
    await expect(client.sendEmail(mail)).resolves.toMatchObject({ ErrorCode: 0 })
    expect(simulator.messages).toHaveLength(1)
  })

  test('accepts no email when a timeout is injected', async () => {
    await control('faults', { timeout: true })
    const error = await failure(clientFor(simulator, 'server-token', 0.1).sendEmail(mail))
    expect(error).toMatchObject({ statusCode: 0, code: 0, message: expect.stringContaining('timeout') })
    expect(simulator.messages).toEqual([])
  })

  test('accepts the email before a dropped connection', async () => {
    await control('faults', { drop: true })
    await expect(client.sendEmail(mail)).rejects.toThrow('fetch failed')
    expect(simulator.messages).toHaveLength(1)
  })

  test('accepts the email before malformed JSON', async () => {
    await control('faults', { badJson: true })
    await expect(client.sendEmail(mail)).resolves.toEqual(expect.stringContaining('"To":"ann@patient.test"'))
    expect(simulator.messages).toHaveLength(1)
  })
})

describe('the outbox', () => {
  test('lists emails newest first, filters by recipient ignoring case, and can be cleared', async () => {
    await client.sendEmail(mail)
    await client.sendEmail({ ...mail, To: 'Bo <BO@patient.test>', Subject: 'Second' })
    const subjects = async (query: string) => {
      const mails = (await (await fetch(`${simulator.url}/_outbox${query}`)).json()) as { Subject: string }[]
      return mails.map(({ Subject }) => Subject)
    }
    expect(await subjects('')).toEqual(['Second', 'Your code'])
    expect(await subjects('?to=bo@patient.TEST')).toEqual(['Second'])
    expect(await subjects('?to=cy@patient.test')).toEqual([])

    await fetch(`${simulator.url}/_outbox`, { method: 'DELETE' })
    expect(simulator.messages).toEqual([])
  })

  test('escapes text on the page and links URLs', async () => {
    await client.sendEmail({ ...mail, Subject: '<b>Hi</b>', TextBody: 'Open http://127.0.0.1:4100/verify?a=1&b=2. <script src=x>' })
    const page = await (await fetch(simulator.url)).text()
    expect(page).toContain('&#60;b&#62;Hi&#60;/b&#62;')
    expect(page).toContain('<a href="http://127.0.0.1:4100/verify?a=1&#38;b=2" target="_blank" rel="noopener">')
    expect(page).toContain('</a>. &#60;script src=x&#62;')
    expect(page).not.toContain('<script src=x>')
  })

  test('prevents scripts in the HTML version', async () => {
    const { MessageID } = await client.sendEmail({ ...mail, HtmlBody: '<p>Hello</p>' })
    const answer = await fetch(`${simulator.url}/_outbox/${MessageID}/html`)
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox(?!.*allow-scripts)/)
    expect(await answer.text()).toContain('<p>Hello</p>')
  })
})

describe('requests that the published client would not make', () => {
  const post = (headers: Record<string, string>, body: string) => fetch(`${simulator.url}/email`, { method: 'POST', headers, body })
  const json = { 'content-type': 'application/json' }
  const token = { 'x-postmark-server-token': 'server-token' }

  test.each([
    ['without a token', json, JSON.stringify(mail), 401, 10],
    ['without a content type', token, JSON.stringify(mail), 422, 409],
    ['with broken JSON', { ...json, ...token }, '{', 422, 402],
    ['larger than 10 MB', { ...json, ...token }, JSON.stringify({ ...mail, TextBody: 'x'.repeat(10 * 1024 * 1024) }), 413, 0],
  ])('%s', async (_, headers, body, status, ErrorCode) => {
    const answer = await post(headers, body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ ErrorCode })
  })

  test('refuses an unknown fault with the reason', async () => {
    expect((await control('faults', { stauts: 500 })).status).toBe(400)
  })
})

test('runs standalone and keeps its outbox across a restart', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'postmark-simulator-'))
  const file = path.join(folder, 'outbox.jsonl')
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'server.ts'), '--port', '0', '--file', file], { stdio: 'pipe' })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url = /http:\S+/.exec(line.toString())?.[0] ?? ''
    await clientFor({ ...simulator, url }).sendEmail(mail)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(readFileSync(file, 'utf8')).toMatch(/^\{.*\}\n$/)

    const restarted = await startPostmarkSimulator({ file })
    expect(restarted.messages).toMatchObject([mail])
    await restarted.stop()
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
})

async function failure(sending: Promise<unknown>): Promise<Errors.PostmarkError> {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Errors.PostmarkError) return error
  throw new Error(`Expected a PostmarkError, not ${String(error)}`)
}
