import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { useInbox } from '../../test/messages/inbox.ts'
import { portalOf } from '../../test/portal.ts'
import { refusal } from '../../test/refusal.ts'
import { until } from '../../test/until.ts'
import { asPatient } from '../kernel/as-patient.ts'
import type { VerifiedContactId } from '../kernel/scope.ts'
import { ownLimits } from '../messages/inbox/rules.ts'

const server = useInbox({ PRACTICE_NAME: 'Harbourview', TRUST_PROXY: 'true' })
const portal = portalOf(server)

async function signedIn() {
  const { id: contactId, token: sessionToken, email } = await portal.signIn()
  return { own: { contactId, sessionToken }, contactId, email }
}
type Message = { id: string; isOwn: boolean; text: string; isNew: boolean }
const write = (own: object, text: string, key: string = randomUUID()) => portal.call('patient-message-write', { ...own, text, key })
const read = async (own: object) => (await portal.call('patient-messages-fetch', own)).body!.data as Message[]
const conversationOf = async (contactId: string) => {
  const client = await server.as('sales_rep')
  const [row] = (await client.inbox.conversations({ contactId, show: 'all' })).data
  return { client, row: row! }
}
const noticesTo = (email: string) => portal.emailsTo(email).filter(({ Subject }) => /message/i.test(Subject ?? ''))

describe('messages in the portal', () => {
  it('are one conversation of the inbox, unread and on the timeline, however often the button is pressed', async () => {
    const { own, contactId } = await signedIn()
    const client = await server.as('sales_rep')
    const before = (await client.inbox.unreadCount()).count
    const key = randomUUID()
    for (let i = 0; i < 2; i++) expect(await write(own, ' May I shower?\n<b>Really</b> ', key)).toMatchObject({ status: 200 })
    const both = await Promise.all(['And swim?', 'And run?'].map((text) => write(own, text)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await client.inbox.unreadCount()).count).toBe(before + 3)
    const { data } = await client.inbox.conversations({ contactId, show: 'all' })
    expect(data).toMatchObject([{ channel: 'portal', subject: 'Portal messages', status: 'active', unreadCount: 3 }])
    const { messages } = await client.inbox.conversation({ id: data[0]!.id })
    expect(messages[0]).toMatchObject({
      direction: 'inbound',
      body: 'May I shower?\n<b>Really</b>',
      htmlBody: null,
      isFromElsewhere: false,
    })
    const timeline = await client.interactions.list({ contactId })
    expect(timeline.data.at(-1)).toMatchObject({ type: 'email', description: 'May I shower? <b>Really</b>' })
    expect(await write(own, 'Other words', key)).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } })
  })

  it('shows an answer in the portal, counts it until it is read, and tells the patient by email without its words', async () => {
    const { own, contactId, email } = await signedIn()
    await server.rows("update contacts set preferred_language = 'fr' where id = $1", [contactId])
    await write(own, 'Puis-je prendre une douche?')
    const { client, row } = await conversationOf(contactId)
    const answer = { id: row.id, text: 'Oui, dès demain.', idempotencyKey: randomUUID() }
    await client.inbox.reply(answer)
    await client.inbox.reply(answer)
    await client.inbox.reply({ ...answer, text: 'Sans frotter.', idempotencyKey: randomUUID() })
    await until(() => noticesTo(email).length > 0)
    const [notice] = noticesTo(email)
    expect(notice).toMatchObject({ Subject: 'Nouveau message de Harbourview', TextBody: expect.stringContaining('/portal?email=') })
    expect(JSON.stringify(notice)).not.toContain('demain')
    const home = async () => (await portal.call('patient-home-fetch', own)).body!.messages
    expect(await home()).toMatchObject({ unread: 2, last: { isOwn: false } })
    const shown = await read(own)
    expect(shown.map(({ text, isOwn, isNew }) => [text, isOwn, isNew])).toEqual([
      ['Puis-je prendre une douche?', true, false],
      ['Oui, dès demain.', false, true],
      ['Sans frotter.', false, true],
    ])
    expect(await home()).toMatchObject({ unread: 0 })
    expect((await read(own)).some(({ isNew }) => isNew)).toBe(false)
    const { messages } = await client.inbox.conversation({ id: row.id })
    expect(messages[1]).toMatchObject({ status: 'sent', problem: null, readAt: expect.any(String), readBy: null })
    // Read in between, so the next answer is announced again.
    await client.inbox.reply({ ...answer, text: 'À mardi.', idempotencyKey: randomUUID() })
    await until(() => noticesTo(email).length === 2)
  })

  it('lets a patient write who may not be emailed, and says to staff that they were not told', async () => {
    const { own, contactId, email } = await signedIn()
    await server.outbox.event({ type: 'SpamComplaint', email })
    expect((await write(own, 'Where do I park?')).status).toBe(200)
    const { client, row } = await conversationOf(contactId)
    await client.inbox.reply({ id: row.id, text: 'Behind the house.', idempotencyKey: randomUUID() })
    const problem = await until(async () => {
      const { messages } = await client.inbox.conversation({ id: row.id })
      return messages[1]!.problem
    })
    expect(problem).toBe('The patient was not told by email: the owner of this address has marked an email as spam.')
    expect(noticesTo(email)).toEqual([])
    expect((await read(own)).at(-1)).toMatchObject({ text: 'Behind the house.' })
  })

  it('never continues in an email thread of the same subject, and takes no attachments and no marketing', async () => {
    const { own, contactId, email } = await signedIn()
    await write(own, 'Hello')
    await server.outbox.inbound({ from: email, subject: 'Re: Portal messages', text: 'By email' })
    const { client, row } = await conversationOf(contactId)
    const { messages } = await client.inbox.conversation({ id: row.id })
    expect(messages.map(({ channel }) => channel)).toEqual(['portal', 'email'])
    expect(messages[0]!.conversationId).not.toBe(messages[1]!.conversationId)
    expect((await read(own)).map(({ text }) => text)).toEqual(['Hello'])
    const answer = { id: messages[0]!.conversationId, text: 'Hi', idempotencyKey: randomUUID() }
    for (const wrong of [{ documentIds: [randomUUID()] }, { isCommercial: true }])
      expect(await refusal(client.inbox.reply({ ...answer, ...wrong }))).toMatchObject({ status: 409, code: 'TEXT_ONLY' })
    expect(await read(own)).toHaveLength(1)
  })

  it('keeps patients from the messages of others, and writes nothing for them', async () => {
    const mine = await signedIn()
    const other = await signedIn()
    const key = randomUUID()
    await write(other.own, 'Private', key)
    expect(await read(mine.own)).toEqual([])
    for (const [name, body] of [
      ['patient-messages-fetch', {}],
      ['patient-message-write', { key: randomUUID(), text: 'As them' }],
    ] as const)
      expect(await portal.call(name, { ...mine.own, ...body, contactId: other.contactId })).toMatchObject({ status: 404 })
    expect(await write(mine.own, 'Private', key)).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } })
    expect(await write({ ...mine.own, sessionToken: 'made-up' }, 'x')).toMatchObject({ status: 401 })
    expect((await read(other.own)).map(({ text }) => text)).toEqual(['Private'])
    const denials = await server.rows(
      "select 1 from audit_log where action = 'denied' and kind = 'conversation' and contact_ids = array[$1::uuid]",
      [mine.contactId],
    )
    expect(denials).toHaveLength(2)
    const { db, env } = server.running.runtime
    const readAs = (query: string) =>
      db.transaction((tx) => asPatient(tx, env, mine.contactId as VerifiedContactId, (own) => own.execute(sql.raw(query))))
    expect((await readAs('select * from own_messages')).rows).toEqual([])
    await expect(readAs('select * from messages')).rejects.toThrow('Failed query')
    await expect(readAs('select * from conversations')).rejects.toThrow('Failed query')
  })

  it('refuses empty, too long and too many messages', async () => {
    const { own, contactId } = await signedIn()
    for (const text of ['  ', 'x'.repeat(ownLimits.text + 1), '\0', undefined])
      expect(await portal.call('patient-message-write', { ...own, key: randomUUID(), text })).toMatchObject({
        status: 422,
        body: { code: 'INVALID_INPUT', data: { fields: { text: expect.any(String) } } },
      })
    for (const wrong of [{ cursor: 'x' }, { limit: 101 }])
      expect(await portal.call('patient-messages-fetch', { ...own, ...wrong })).toMatchObject({ status: 422 })
    expect((await server.rows('select 1 from conversations where contact_id = $1', [contactId])).length).toBe(0)
    for (let i = 0; i < ownLimits.perInterval; i++) await write(own, `Message ${i}`)
    expect(await write(own, 'One more')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
    expect(await read(own)).toHaveLength(ownLimits.perInterval)
    const first = await portal.call('patient-messages-fetch', { ...own, limit: 15 })
    const rest = await portal.call('patient-messages-fetch', { ...own, limit: 15, cursor: first.body!.nextCursor })
    expect((rest.body!.data as Message[]).map(({ text }) => text)).toEqual([
      'Message 0',
      'Message 1',
      'Message 2',
      'Message 3',
      'Message 4',
    ])
    expect(rest.body!.nextCursor).toBe(null)
  })
})
