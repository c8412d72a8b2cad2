import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../../test/factories.ts'
import { createPatient, useInbox } from '../../../../test/messages/inbox.ts'
import { until } from '../../../../test/until.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64')

describe('linking a conversation to a patient', () => {
  const server = useInbox()
  const sales = () => server.as('sales_rep')

  /** A mail of someone unknown, with a file; answers its conversation. */
  async function unknownSender(): Promise<{ id: string; address: string }> {
    const address = `${randomUUID()}@unknown-sender.example`
    const attachments = [{ name: 'letter.pdf', contentType: 'application/pdf', contentBase64: pdf }]
    await server.outbox.inbound({ from: address, subject: 'Hello', text: 'Do you do noses?', attachments })
    const [row] = (await (await sales()).inbox.conversations({ show: 'unknown', search: address })).data
    return { id: row!.id, address }
  }
  const mailsOf = async (contactId: string) =>
    (await (await sales()).interactions.list({ contactId })).data
      .filter(({ type }) => type === 'email')
      .map(({ description, metadata }) => [description, metadata?.['direction']])

  it('adds past messages to the timeline as if the patient had been known, and updates the last contact', async () => {
    const client = await sales()
    const { id, address } = await unknownSender()
    await client.inbox.reply({ id, text: 'We do.', idempotencyKey: randomUUID() })
    const { id: contactId } = await createPatient(server)
    await client.inbox.link({ id, contactId })
    expect(await mailsOf(contactId)).toEqual([
      ['We do.', 'outbound'],
      ['Do you do noses?', 'inbound'],
    ])
    const { messages } = await client.inbox.conversation({ id })
    const timeline = (await client.interactions.list({ contactId })).data
    expect(timeline.find(({ description }) => description === 'We do.')).toMatchObject({
      date: messages[1]!.createdAt,
      createdBy: messages[1]!.createdBy,
    })
    expect((await client.contacts.get({ id: contactId })).lastContactDate).toBe(messages[1]!.createdAt)
    // Their address is not added to the record by itself.
    expect((await client.contacts.get({ id: contactId })).otherEmails).not.toContain(address)
  })

  it('refuses to relink to another patient and keeps the files, but accepts the same patient again', async () => {
    const client = await sales()
    const { id } = await unknownSender()
    const [one, other] = [await createPatient(server), await createPatient(server)]
    await client.inbox.link({ id, contactId: one.id })
    const refused = { status: 409, code: 'LINKED_ALREADY', message: 'Someone has linked this conversation since you opened it.' }
    await expect(client.inbox.link({ id, contactId: other.id })).rejects.toMatchObject(refused)
    await expect(client.inbox.link({ id, lastName: 'Roy' })).rejects.toMatchObject(refused)
    expect((await client.inbox.link({ id, contactId: one.id })).contact?.id).toBe(one.id)
    expect([(await client.documents.list({ contactId: one.id })).length, await mailsOf(one.id)]).toEqual([
      1,
      [['Do you do noses?', 'inbound']],
    ])
    expect([await client.documents.list({ contactId: other.id }), await mailsOf(other.id)]).toEqual([[], []])
  })

  it('creates one patient when two users create one from the same sender at once, and answers both', async () => {
    const client = await sales()
    const { id, address } = await unknownSender()
    const linked = await Promise.all([1, 2].map(() => client.inbox.link({ id, lastName: 'Roy' })))
    expect(linked[0]!.contact).toEqual(linked[1]!.contact)
    expect(await server.rows('select 1 from contacts where email = $1', [address])).toHaveLength(1)
  })

  it('links the conversation when a patient who has since added the address writes again', async () => {
    const client = await sales()
    const { id, address } = await unknownSender()
    const contactId = await insertContact(server, { email: address.toUpperCase() })
    await server.outbox.inbound({ from: address, subject: 'Re: Hello', text: 'Are you there?' })
    expect((await client.inbox.conversation({ id })).contact?.id).toBe(contactId)
    expect(await mailsOf(contactId)).toEqual([
      ['Are you there?', 'inbound'],
      ['Do you do noses?', 'inbound'],
    ])
    expect((await client.documents.list({ contactId })).map(({ name }) => name)).toEqual(['letter.pdf'])
    expect((await client.inbox.unreadOfContact({ contactId })).data).toHaveLength(2)
  })

  it('links it when the reply carries the hash in the conversation’s address', async () => {
    const client = await sales()
    const { id, address } = await unknownSender()
    await client.inbox.reply({ id, text: 'We do.', idempotencyKey: randomUUID() })
    const sent = await until(() => server.outbox.messages.find(({ To }) => To === address))
    const contactId = await insertContact(server, { email: address })
    await server.outbox.inbound({ from: 'husband@elsewhere.example', to: sent.ReplyTo!, subject: 'From another desk', text: 'Good.' })
    expect((await client.inbox.conversation({ id })).contact?.id).toBe(contactId)
    expect(await mailsOf(contactId)).toHaveLength(3)
  })

  it('chooses the first of two patients with the address', async () => {
    const client = await sales()
    const { id, address } = await unknownSender()
    await insertContact(server, { email: `${randomUUID()}@work.example`, otherEmails: [address] })
    const contactId = await insertContact(server, { email: address })
    await server.outbox.inbound({ from: address, subject: 'Hello', text: 'Again' })
    await server.outbox.inbound({ from: address, subject: 'Something new', text: 'Parking?' })
    expect((await client.inbox.conversation({ id })).contact?.id).toBe(contactId)
    expect((await client.inbox.conversations({ contactId, show: 'all' })).data).toMatchObject([
      { subject: 'Something new', unreadCount: 3 },
    ])
  })
})
