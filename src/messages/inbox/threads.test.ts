import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { createPatient, useInbox } from '../../../test/messages/inbox.ts'
import { newNumber, useTexts } from '../../../test/messages/texts.ts'
import { until } from '../../../test/until.ts'

const inHours = (hours: number) => new Date(Date.UTC(2026, 0, 1) + hours * 3600_000).toISOString()

describe('one conversation per patient', () => {
  const server = useInbox()
  const sales = () => server.as('sales_rep')
  const ofPatient = async (contactId: string) => (await (await sales()).inbox.conversations({ contactId, show: 'all' })).data
  const arrive = (from: string, subject: string, text = 'Hello') => server.outbox.inbound({ from, subject, text })

  /** A thread as an earlier version left it, with one message. */
  async function thread(given: {
    contactId?: string | null
    address?: string
    channel?: string
    status?: string
    assignedTo?: string | null
    hours: number
    isUnread?: boolean
  }): Promise<string> {
    const { contactId = null, address = 'old@fastmail.example', channel = 'email', status = 'active', assignedTo = null, hours } = given
    const [row] = await server.rows<{ id: string }>(
      `with thread as (
         insert into conversations (contact_id, subject, channel, status, thread_id, address, subject_key, assigned_to, last_message_at, created_at)
         values ($1, 'Subject ' || $6, $3, $4, $7, $2, 'subject', $5, $8, $8) returning id)
       insert into messages (conversation_id, direction, from_email, to_email, subject, body, status, created_at, read_at)
       select id, 'inbound', $2, 'team@inbound.example', 'Subject', 'Message of ' || $6, 'received', $8, case when $9 then null else now() end from thread
       returning conversation_id as id`,
      [contactId, address, channel, status, assignedTo, String(hours), randomUUID(), inHours(hours), given.isUnread ?? false],
    )
    return row!.id
  }

  it('shows what earlier versions kept apart as one thread, without losing a message (issue 28)', async () => {
    const contactId = await insertContact(server)
    const ids = [
      await thread({ contactId, hours: 1, status: 'active', isUnread: true }),
      await thread({ contactId, hours: 2, channel: 'sms', address: '+14165550100', status: 'archived' }),
      await thread({ contactId, hours: 3, channel: 'portal', status: 'archived' }),
      await thread({ contactId, hours: 4, address: 'other@fastmail.example', status: 'archived', isUnread: true }),
    ]
    const client = await sales()
    const [row, ...others] = await ofPatient(contactId)
    expect(others).toEqual([])
    // One of its threads is open: so is the conversation.
    expect(row).toMatchObject({ status: 'active', unreadCount: 2 })
    for (const id of ids) {
      const found = await client.inbox.conversation({ id })
      expect(found.messages.map(({ body, channel }) => [body, channel])).toEqual([
        ['Message of 1', 'email'],
        ['Message of 2', 'sms'],
        ['Message of 3', 'portal'],
        ['Message of 4', 'email'],
      ])
      expect(found.id).toBe(row!.id)
    }
    const pages = [await client.inbox.conversation({ id: ids[0]!, limit: 3 })]
    pages.push(await client.inbox.conversation({ id: ids[0]!, limit: 3, cursor: pages[0]!.nextCursor! }))
    expect(pages.map(({ messages }) => messages.map(({ body }) => body.at(-1)))).toEqual([['2', '3', '4'], ['1']])
    expect(pages[1]!.nextCursor).toBeNull()
    expect((await client.inbox.markConversationRead({ id: ids[1]! })).count).toBe(2)
  })

  it('keeps replies by an old hash and emails about something new in the same conversation (issue 28)', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const old = await client.inbox.start({ contactId, email, subject: 'Your quote', text: 'Here it is.', idempotencyKey: randomUUID() })
    const sent = await until(() => server.outbox.messages.find(({ To }) => To === email))
    await arrive(email, 'Parking', 'Where can I park?')
    await server.outbox.inbound({ from: 'husband@elsewhere.example', to: sent.ReplyTo!, subject: 'Re: Your quote', text: 'We take it.' })
    const [row, ...others] = await ofPatient(contactId)
    expect([row!.unreadCount, others]).toEqual([2, []])
    const { messages, ways } = await client.inbox.conversation({ id: row!.id })
    expect(messages.map(({ body, isFromElsewhere }) => [body, isFromElsewhere])).toEqual([
      ['Here it is.', false],
      ['Where can I park?', false],
      ['We take it.', true],
    ])
    // The answer continues the thread in which the patient wrote last.
    expect(ways).toMatchObject([{ channel: 'email', address: email, threadId: old.id, subject: 'Your quote', problem: null }])
  })

  it('archives, assigns and reopens all threads at once, and a new message opens the conversation again (issue 28)', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    for (const subject of ['One', 'Two', 'Three']) await arrive(email, subject)
    const [row] = await ofPatient(contactId)
    const me = (await client.people.list()).find(({ role }) => role === 'sales_rep')!.id
    expect(await client.inbox.change({ id: row!.id, status: 'archived', assignedTo: me })).toMatchObject({
      status: 'archived',
      assignedTo: me,
    })
    const listed = async (show: 'active' | 'archived') =>
      (await client.inbox.conversations({ contactId, show })).data.map(({ subject }) => subject)
    expect([await listed('active'), await listed('archived')]).toEqual([[], ['Three']])
    // A reply does not open it; the patient does, in whichever thread.
    await client.inbox.reply({ id: row!.id, text: 'Done.', idempotencyKey: randomUUID() })
    expect(await listed('active')).toEqual([])
    await arrive(email, 'Re: One')
    expect([await listed('active'), await listed('archived')]).toEqual([['One'], []])
    await arrive(email, 'Four')
    expect(await ofPatient(contactId)).toMatchObject([{ subject: 'Four', assignedTo: me, status: 'active', unreadCount: 5 }])
  })

  it('is one for all emails of an unknown address, which are linked together (issue 28)', async () => {
    const client = await sales()
    const address = `${randomUUID()}@unknown-sender.example`
    for (const subject of ['One', 'Two']) await arrive(address, subject)
    const unknown = (await client.inbox.conversations({ show: 'unknown', search: address })).data
    expect(unknown).toMatchObject([{ subject: 'Two', unreadCount: 2, contact: null }])
    const { id: contactId } = await createPatient(server)
    await client.inbox.addNote({ id: unknown[0]!.id, text: 'Called back' })
    await client.inbox.link({ id: unknown[0]!.id, contactId })
    expect(await ofPatient(contactId)).toMatchObject([{ unreadCount: 2 }])
    expect(await client.inbox.conversation({ id: unknown[0]!.id })).toMatchObject({ notes: [{ text: 'Called back' }] })
    expect((await client.interactions.list({ contactId })).data.filter(({ type }) => type === 'email')).toHaveLength(2)
    expect((await client.inbox.conversations({ show: 'unknown', search: address })).data).toEqual([])
  })

  it('never joins a sender whose address is a patient’s id to the patient (issue 28)', async () => {
    const contactId = await insertContact(server)
    await thread({ contactId, hours: 1 })
    await thread({ address: contactId, hours: 2 })
    expect((await ofPatient(contactId)).map(({ unreadCount, snippet }) => [unreadCount, snippet])).toEqual([[0, 'Message of 1']])
  })

  it('joins two patients’ threads with a merge, and parts them again with its undo (issue 28)', async () => {
    const admin = await server.as('admin')
    const [target, source] = [await createPatient(server), await createPatient(server)]
    await arrive(target.email, 'From the target')
    await arrive(source.email, 'From the source')
    const [ofSource] = await ofPatient(source.id)
    await admin.inbox.change({ id: ofSource!.id, status: 'archived' })
    const seen = await admin.contacts.mergePreview({ id: target.id, sourceId: source.id })
    const { mergeId } = await admin.contacts.merge({
      id: target.id,
      version: seen.target.version,
      sourceId: source.id,
      sourceVersion: seen.source.version,
      choices: {},
    })
    expect(await ofPatient(target.id)).toMatchObject([{ status: 'active', unreadCount: 2 }])
    await admin.contacts.undoMerge({ id: mergeId })
    expect(await ofPatient(target.id)).toMatchObject([{ status: 'active', subject: 'From the target', unreadCount: 1 }])
    expect(await ofPatient(source.id)).toMatchObject([{ status: 'archived', subject: 'From the source', unreadCount: 1 }])
  })

  it('stays one when emails about two subjects and an answer of staff come at the same moment (issue 28)', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    await arrive(email, 'First')
    const [row] = await ofPatient(contactId)
    await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => arrive(email, `Subject ${n % 3}`)),
      client.inbox.reply({ id: row!.id, text: 'Yes', idempotencyKey: randomUUID() }),
      client.inbox.change({ id: row!.id, status: 'archived' }),
      client.inbox.change({ id: row!.id, status: 'active' }),
    ])
    expect(await ofPatient(contactId)).toMatchObject([{ unreadCount: 7 }])
    expect((await client.inbox.conversation({ id: row!.id })).messages).toHaveLength(8)
  })

  it('snoozes a conversation until a time or until the patient writes, but not until staff do (issue 28)', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    for (const subject of ['One', 'Two']) await arrive(email, subject)
    const [row] = await ofPatient(contactId)
    const snoozedUntil = new Date(Date.now() + 3600_000).toISOString()
    const lists = async () => {
      const of = async (show: 'active' | 'snoozed') => (await client.inbox.conversations({ contactId, show })).data.length
      return [await of('active'), await of('snoozed')]
    }
    expect(await client.inbox.change({ id: row!.id, snoozedUntil })).toMatchObject({ snoozedUntil, status: 'active' })
    expect(await lists()).toEqual([0, 1])
    await client.inbox.reply({ id: row!.id, text: 'We will see.', idempotencyKey: randomUUID() })
    await client.inbox.start({ contactId, email, subject: 'Three', text: 'And this.', idempotencyKey: randomUUID() })
    expect(await lists()).toEqual([0, 1])
    await arrive(email, 'Re: One')
    expect(await lists()).toEqual([1, 0])
    expect((await client.inbox.conversation({ id: row!.id })).snoozedUntil).toBeNull()

    await client.inbox.change({ id: row!.id, snoozedUntil })
    expect(await lists()).toEqual([0, 1])
    // Assigning does not end it.
    await client.inbox.change({ id: row!.id, assignedTo: null })
    expect(await lists()).toEqual([0, 1])
    const runs = await server.rows<{ run_at: Date }>(`select run_at from graphile_worker.jobs where key = 'snooze ' || $1`, [contactId])
    expect(runs.map(({ run_at }) => run_at.toISOString())).toEqual([snoozedUntil])
    await server.rows(`update conversations set snoozed_until = now() - interval '1 second' where contact_id = $1`, [contactId])
    expect(await lists()).toEqual([1, 0])

    await client.inbox.change({ id: row!.id, snoozedUntil })
    await client.inbox.change({ id: row!.id, status: 'archived' })
    await client.inbox.change({ id: row!.id, status: 'active' })
    expect(await lists()).toEqual([1, 0])
    const past = new Date(Date.now() - 1_000).toISOString()
    await expect(client.inbox.change({ id: row!.id, snoozedUntil: past })).rejects.toMatchObject({
      status: 422,
      data: { fields: { snoozedUntil: 'Choose a time to come' } },
    })
  })

  it('lists the same as a plain model, for each filter and page by page (issue 28)', async () => {
    const client = await sales()
    await server.rows('truncate message_attachments, conversation_notes, messages, conversations cascade')
    const me = (await client.people.list()).find(({ role }) => role === 'sales_rep')!.id
    const patients = await Promise.all(Array.from({ length: 6 }, () => insertContact(server)))
    let seed = 7
    const random = (most: number) => (seed = (seed * 16_807) % 2_147_483_647) % most
    const made: { id: string; party: string; hours: number; isOpen: boolean; isMine: boolean; isUnread: boolean }[] = []
    for (let n = 0; n < 60; n++) {
      const party = random(9)
      const given = { hours: random(40), isOpen: random(3) === 0 && party % 2 === 0, isMine: random(5) === 0, isUnread: random(8) === 0 }
      const contactId = patients[party] ?? null
      const address = `party-${party}@fastmail.example`
      const status = given.isOpen ? 'active' : 'archived'
      const id = await thread({
        contactId,
        address,
        status,
        assignedTo: given.isMine ? me : null,
        hours: given.hours,
        isUnread: given.isUnread,
      })
      made.push({ id, party: contactId ?? address, ...given })
    }
    const newestFirst = (a: (typeof made)[number], b: (typeof made)[number]) => b.hours - a.hours || (a.id < b.id ? 1 : -1)
    const conversations = [...Map.groupBy(made, ({ party }) => party).values()].map((threads) => {
      const sorted = threads.toSorted(newestFirst)
      const isOpen = sorted.some((one) => one.isOpen)
      const listed = isOpen ? sorted.find((one) => one.isOpen)! : sorted[0]!
      return { ...listed, isOpen, isMine: sorted.some((one) => one.isMine), unread: sorted.filter((one) => one.isUnread).length }
    })
    const isUnknown = ({ party }: { party: string }) => party.includes('@')
    const filters: Record<string, (one: (typeof conversations)[number]) => boolean> = {
      active: ({ isOpen }) => isOpen,
      unread: ({ unread }) => unread > 0,
      mine: ({ isOpen, isMine }) => isOpen && isMine,
      unassigned: ({ isOpen, isMine }) => isOpen && !isMine,
      unknown: (one) => one.isOpen && isUnknown(one),
      archived: ({ isOpen }) => !isOpen,
      all: () => true,
    }
    for (const [show, fits] of Object.entries(filters)) {
      const expected = conversations.filter(fits).toSorted(newestFirst)
      const found = []
      for (let cursor: string | undefined; ;) {
        const page = await client.inbox.conversations({ show: show as 'all', limit: 2, ...(cursor && { cursor }) })
        found.push(...page.data)
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      expect([show, found.map(({ id, unreadCount }) => [id, unreadCount])]).toEqual([show, expected.map(({ id, unread }) => [id, unread])])
    }
    expect(new Set(conversations.map(({ isOpen }) => isOpen))).toEqual(new Set([true, false]))
  })
})

describe('one conversation over text and email', () => {
  const texts = useTexts()

  it('names every way to reach the patient, first the one by which they wrote last (issue 28)', async () => {
    const number = newNumber()
    const email = `${randomUUID()}@fastmail.example`
    const contactId = await insertContact(texts.server, { phone: number, otherPhones: ['905 555 0123', '+33 1 42 68 53 00'], email })
    const client = await texts.server.as('sales_rep')
    const mail = { contactId, email, subject: 'Your visit', text: 'See you.', idempotencyKey: randomUUID() }
    const { id } = await client.inbox.start(mail)
    await texts.twilio.receive({ from: number, body: 'Thank you' })
    const found = await client.inbox.conversation({ id })
    expect(found).toMatchObject({ channel: 'sms', messages: [{ channel: 'email' }, { channel: 'sms' }] })
    expect(found.ways).toMatchObject([
      { channel: 'sms', address: number, threadId: found.id, problem: null },
      { channel: 'email', address: email, threadId: id, problem: null },
      { channel: 'sms', address: '905 555 0123', threadId: null, problem: null },
      { channel: 'sms', address: '+33 1 42 68 53 00', threadId: null, problem: 'landline' },
    ])
    await texts.twilio.receive({ from: number, body: 'STOP' })
    expect((await client.inbox.conversation({ id })).ways[0]).toMatchObject({ channel: 'sms', problem: 'stopped' })
    expect((await client.inbox.conversations({ contactId, show: 'all' })).data).toHaveLength(1)
  })
})
