import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { openStream } from '../../../test/network/stream.ts'
import { refusal } from '../../../test/refusal.ts'

describe('two colleagues in one conversation', () => {
  const server = useInbox()

  async function conversation() {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    await server.outbox.inbound({ from: email, subject: 'Parking', text: 'Where can I park?' })
    const [row] = (await client.inbox.conversations({ contactId })).data
    const { messages } = await client.inbox.conversation({ id: row!.id })
    return { client, admin: await server.as('admin'), id: row!.id, contactId, email, seenUntil: messages.at(-1)!.createdAt }
  }
  const words = (text: string) => ({ text, idempotencyKey: randomUUID() })

  it('tells those who may open the inbox that someone is replying, and stores nothing (issue 28)', async () => {
    const { client, id, email } = await conversation()
    await server.outbox.inbound({ from: email, subject: 'Something else', text: 'And the price?' })
    const streams = await Promise.all(
      (['admin', 'provider'] as const).map(async (role) => openStream(server.url, await server.signIn(role))),
    )
    const [hears, deaf] = streams as [(typeof streams)[0], (typeof streams)[0]]
    const me = (await client.people.list()).find(({ role }) => role === 'sales_rep')!.id
    await client.inbox.replying({ id })
    const event = await hears.next(({ topic }) => topic === 'replying')
    // By the thread by which the conversation is listed, whichever thread was opened.
    const { id: listed } = await client.inbox.conversation({ id })
    expect(listed).not.toBe(id)
    expect(event.id).toBe(`${listed} ${me}`)
    // The provider's stream works, and does not mention it.
    await (await server.as('admin')).tags.create({ name: randomUUID() })
    await deaf.next(({ topic }) => topic === 'vocabulary')
    for (const stream of streams) stream.close()
    expect(deaf.received.filter(({ topic }) => topic === 'replying')).toEqual([])
    expect((await refusal(client.inbox.replying({ id: randomUUID() }))).code).toBe('NOT_FOUND')
  })

  it('sends nothing after a colleague has answered on any channel, unless the author has seen it (issue 28)', async () => {
    const { client, admin, id, contactId, email, seenUntil } = await conversation()
    await admin.inbox.start({ contactId, email, subject: 'Your visit', ...words('Behind the house.') })
    const mine = words('In front of it.')
    for (const send of [
      () => client.inbox.reply({ id, seenUntil, ...mine }),
      () => client.inbox.start({ contactId, email, subject: 'Parking lot', seenUntil, ...mine }),
    ])
      expect(await refusal(send())).toMatchObject({ status: 409, code: 'ANSWERED' })
    expect(await server.rows(`select 1 from conversations where contact_id = $1`, [contactId])).toHaveLength(2)
    const { messages } = await client.inbox.conversation({ id })
    expect(messages).toHaveLength(2)
    const sent = await client.inbox.reply({ id, seenUntil: messages.at(-1)!.createdAt, ...mine })
    // The same message again is the same, and one's own are no colleague's.
    expect(await client.inbox.reply({ id, seenUntil, ...mine })).toEqual(sent)
    await expect(admin.inbox.reply({ id, ...words('Without asking') })).resolves.toBeDefined()
  })

  it('lets one of two answers through that are sent at the same moment (issue 28)', async () => {
    const { client, admin, id, seenUntil } = await conversation()
    const sent = await Promise.allSettled([client, admin].map((one, n) => one.inbox.reply({ id, seenUntil, ...words(`Answer ${n}`) })))
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await client.inbox.conversation({ id })).messages).toHaveLength(2)
  })
})
