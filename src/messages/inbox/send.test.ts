import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeDue } from '../../../test/jobs.ts'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { emailsTo } from '../../../test/messages/emails.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendMessage } from './send.ts'

const server = useInbox()
const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n`)

/** A mail with a document that Postmark has not taken. */
async function refused() {
  const [client, provider] = [await server.as('sales_rep'), await server.as('provider')]
  const { id: contactId, email } = await createPatient(server)
  const answer = await server.request(`/api/contacts/${contactId}/documents?name=consent.pdf`, {
    method: 'POST',
    headers: { cookie: await server.signIn('provider') },
    body: new Uint8Array(pdf(randomUUID())),
  })
  const { id: documentId } = (await answer.json()) as { id: string }
  await fetch(`${server.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify({ status: 422, errorCode: 300 }) })
  const mail = { contactId, email, subject: 'Your papers', text: 'Here they are.', documentIds: [documentId], idempotencyKey: randomUUID() }
  const { id, messageId } = await client.inbox.start(mail)
  const message = async () => (await client.inbox.conversation({ id })).messages[0]!
  const failed = () =>
    until(async () => {
      const now = await message()
      return now.status === 'failed' && now
    })
  await failed()
  return { client, provider, email, documentId, messageId, message, failed }
}

it('does not resend an email with a deleted document, and says so', async () => {
  const { client, provider, email, documentId, messageId, failed } = await refused()
  await provider.documents.delete({ id: documentId })
  await client.inbox.resend({ id: messageId })
  expect((await failed()).problem).toBe('It was not sent: consent.pdf was deleted.')
  await provider.documents.restore({ id: documentId })
  await client.inbox.resend({ id: messageId })
  const [sent] = await emailsTo(server, email)
  expect(sent!.Attachments).toMatchObject([{ Name: 'consent.pdf' }])
})

it('does not resend an email with a purged document either', async () => {
  const { client, email, documentId, messageId, failed } = await refused()
  await server.rows('delete from documents where id = $1', [documentId])
  await client.inbox.resend({ id: messageId })
  expect((await failed()).problem).toBe('It was not sent: consent.pdf was deleted.')
  expect(server.outbox.messages.filter(({ To }) => To === email)).toEqual([])
})

it('marks an email as not sent after repeated failures, and allows a resend', async () => {
  const { client, documentId, messageId, message } = await refused()
  await server.rows(`update documents set storage_key = 'No key' where id = $1`, [documentId])
  await client.inbox.resend({ id: messageId })
  const tryToSend = (last: boolean) => sendMessage.run(server.running.runtime as unknown as Scope, { id: messageId }, { last })
  await expect(tryToSend(false)).rejects.toThrow('Invalid file key')
  expect(await message()).toMatchObject({ status: 'queued' })
  await expect(tryToSend(true)).rejects.toThrow('Invalid file key')
  expect(await message()).toMatchObject({
    status: 'failed',
    problem: 'It was not sent: something went wrong each time it was tried.',
  })
  expect(await client.inbox.resend({ id: messageId })).toEqual({ status: 'queued' })
})

describe('a commercial email', () => {
  /** Written while Postmark fails as given, and run to its end. */
  async function sentWhile(fault: object) {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    await client.consent.record({ id: contactId, wording: 'News and offers by email', way: 'paper' })
    await fetch(`${server.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify(fault) })
    const mail = { contactId, email, subject: 'Spring', text: 'Hello', isCommercial: true, idempotencyKey: randomUUID() }
    const { id, messageId } = await client.inbox.start(mail)
    const message = async () => (await client.inbox.conversation({ id })).messages[0]!
    await until(async () => {
      await makeDue(server, `key = 'message ${messageId}'`)
      return !['queued', 'sending'].includes((await message()).status)
    })
    const job = `select from graphile_worker.jobs where key = 'message ' || $1`
    await until(async () => (await server.rows(job, [messageId])).length === 0)
    return { client, messageId, message, received: () => server.outbox.messages.filter(({ To }) => To === email).length }
  }

  it.each([
    [{ drop: true }, 1],
    [{ badJson: true }, 1],
    [{ status: 502 }, 0],
  ])('is uncertain after %j, never sent again, and cannot be resent (issue 28)', async (fault, taken) => {
    const { client, messageId, message, received } = await sentWhile(fault)
    expect(await message()).toMatchObject({
      status: 'uncertain',
      problem: 'Postmark did not confirm that it took the email.',
      canResend: false,
    })
    expect(received()).toBe(taken)
    expect(await refusal(client.inbox.resend({ id: messageId }))).toMatchObject({ status: 409, code: 'NOT_FAILED' })
  })

  it.each([[{ status: 503 }], [{ status: 429 }]])('is sent again after %j, which Postmark did not take (issue 28)', async (fault) => {
    const { message, received } = await sentWhile(fault)
    expect((await message()).status).toBe('sent')
    expect(received()).toBe(1)
  })
})

it('sends no further email to an address that complained, including queued email', async () => {
  const { client, email, messageId, failed } = await refused()
  await fetch(`${server.outbox.url}/_control/faults`, { method: 'POST', body: JSON.stringify({ status: 503 }) })
  await client.inbox.resend({ id: messageId })
  await server.outbox.event({ type: 'SpamComplaint', email })
  // Postmark would take it.
  await fetch(`${server.outbox.url}/_control/inactive`, { method: 'DELETE' })
  await sendMessage.run(server.running.runtime as unknown as Scope, { id: messageId }, { last: false })
  expect((await failed()).problem).toBe('It was not sent: the owner of this address has marked an email as spam.')
  expect(await refusal(client.inbox.resend({ id: messageId }))).toMatchObject({ status: 409, code: 'SUPPRESSED' })
  expect(server.outbox.messages.filter(({ To }) => To === email)).toEqual([])
})
