import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
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
