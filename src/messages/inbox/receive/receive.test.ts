import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { databaseFingerprint } from '../../../../test/database-fingerprint.ts'
import { hostileEmails } from '../../../../test/messages/hostile-emails.ts'
import { hookPassword, createPatient, useInbox } from '../../../../test/messages/inbox.ts'
import { until } from '../../../../test/until.ts'

const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64')

describe('incoming email', () => {
  const server = useInbox()
  const sales = () => server.as('sales_rep')
  const post = (body: string | object, authorization?: string) =>
    server.request('/api/hooks/postmark/inbound', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const asPostmark = `Basic ${Buffer.from(`postmark:${hookPassword}`).toString('base64')}`

  it('matches a known address in any case, and adds it to the conversation, timeline and unread summary', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const before = (await client.inbox.unreadCount()).count
    const call = await server.outbox.inbound({
      from: `Ana <${email.toUpperCase()}>`,
      subject: 'My consultation',
      text: 'Hello,\n\nmay I come later?',
    })
    expect(call.status).toBe(200)
    expect((await client.inbox.unreadCount()).count).toBe(before + 1)
    const { data } = await client.inbox.unread({})
    expect(data[0]).toMatchObject({
      contact_id: contactId,
      contact_email: email,
      unread_count: 1,
      latest_message: { subject: 'My consultation', body: 'Hello, may I come later?' },
    })
    const timeline = await client.interactions.list({ contactId })
    expect(timeline.data[0]).toMatchObject({ type: 'email', description: 'Hello, may I come later?', metadata: { direction: 'inbound' } })
    expect((await client.inbox.unreadOfContact({ contactId })).data).toHaveLength(1)
  })

  it('matches a reply by hash, else by sender and subject, and reopens its conversation; otherwise starts a new thread', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const { id } = await client.inbox.start({ contactId, email, subject: 'Your quote', text: 'Here it is.', idempotencyKey: randomUUID() })
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'sent')
    const [sent] = server.outbox.messages
    expect(sent).toMatchObject({ To: email, Subject: 'Your quote', MessageStream: 'outbound' })
    expect(sent!.ReplyTo).toMatch(/^team\+[0-9a-f]{32}@inbound\.example$/)
    await client.inbox.change({ id, status: 'archived' })
    const other = `${randomUUID()}@work.example`
    await server.outbox.inbound({ from: other, to: sent!.ReplyTo!, subject: 'AW: Your quote', text: 'Thank you!' })
    await server.outbox.inbound({ from: email, subject: 're: YOUR QUOTE', text: 'One more thing' })
    const found = await client.inbox.conversation({ id })
    expect(found).toMatchObject({ status: 'active', contact: { id: contactId } })
    expect(found.messages.map(({ body, isFromElsewhere }) => [body, isFromElsewhere])).toEqual([
      ['Here it is.', false],
      ['Thank you!', true],
      ['One more thing', false],
    ])
    await server.outbox.inbound({ from: email, subject: 'Parking', text: 'Where?' })
    const threads = async () => (await client.inbox.conversation({ id })).messages.map(({ conversationId }) => conversationId === id)
    expect(await threads()).toEqual([true, true, true, false])
    // A hash that no one gave begins a thread as any email does.
    await server.outbox.inbound({ from: email, subject: 'Guess', mailboxHash: '0'.repeat(32), text: 'x' })
    expect(await threads()).toEqual([true, true, true, false, false])
    expect((await client.inbox.conversations({ contactId, show: 'all' })).data).toMatchObject([{ subject: 'Guess' }])
  })

  it('lists an unknown sender without a patient, then creates or links one in one click with the attachments', async () => {
    const client = await sales()
    const from = `${randomUUID()}@unknown-sender.example`
    const attachments = [
      { name: 'letter.pdf', contentType: 'application/pdf', contentBase64: pdf },
      { name: 'virus.exe', contentType: 'application/pdf', contentBase64: Buffer.from('MZ').toString('base64') },
    ]
    const { status } = await server.outbox.inbound({ from, fromName: 'Odile Roy', subject: 'Hello', text: 'Do you do noses?', attachments })
    expect(status).toBe(200)
    const [row] = (await client.inbox.conversations({ show: 'unknown', search: from })).data
    expect(row).toMatchObject({ contact: null, name: 'Odile Roy', address: from, unreadCount: 1, hasAttachments: true })
    const { messages } = await client.inbox.conversation({ id: row!.id })
    const [letter, exe] = messages[0]!.attachments
    expect([letter!.refusal, letter!.documentId, exe!.documentId]).toEqual([null, null, null])
    expect(exe!.refusal).not.toBeNull()
    const file = await server.request(`/api/inbox/attachments/${letter!.id}/file`, {
      headers: { cookie: await server.signIn('sales_rep') },
    })
    expect([file.status, await file.text()]).toEqual([200, Buffer.from(pdf, 'base64').toString()])
    for (const name of ['See https://evil.example', 'Odile\nRoy'])
      await expect(client.inbox.link({ id: row!.id, firstName: name, lastName: name })).rejects.toMatchObject({
        status: 422,
        data: {
          fields: {
            firstName: "First name can't contain a web address or a line break",
            lastName: "Last name can't contain a web address or a line break",
          },
        },
      })
    const linked = await client.inbox.link({ id: row!.id, firstName: 'Odile', lastName: 'Roy' })
    expect(linked.contact).toMatchObject({ firstName: 'Odile', lastName: 'Roy' })
    const documents = await client.documents.list({ contactId: linked.contact!.id })
    expect(documents.map(({ name, reviewState, uploadSource }) => [name, reviewState, uploadSource])).toEqual([
      ['letter.pdf', 'pending', 'patient'],
    ])
    const after = (await client.inbox.conversation({ id: row!.id })).messages[0]!.attachments
    expect(after[0]!.documentId).toBe(documents[0]!.id)
  })

  it('stores a message posted 100 times at once only once', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const messageId = randomUUID()
    const mail = { from: email, subject: 'Once', text: 'Only once', messageId }
    const calls = await Promise.all(Array.from({ length: 100 }, () => server.outbox.inbound(mail)))
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
    const { data } = await client.inbox.unreadOfContact({ contactId })
    expect(data).toHaveLength(1)
    expect((await client.interactions.list({ contactId })).data.filter(({ type }) => type === 'email')).toHaveLength(1)
  })

  it('answers 4xx to malformed JSON, missing fields and missing or wrong credentials, and stores nothing', async () => {
    await sales()
    const before = await databaseFingerprint(server)
    const wrong = `Basic ${Buffer.from('postmark:wrong').toString('base64')}`
    const answers = [
      await post({ MessageID: 'a', From: 'ana@elsewhere.example' }),
      await post({ MessageID: 'a', From: 'ana@elsewhere.example' }, wrong),
      await post('{"MessageID": ', asPostmark),
      await post('[]', asPostmark),
      await post({ From: 'ana@elsewhere.example' }, asPostmark),
      await post({ MessageID: 'a', From: 'ana@elsewhere.example', Attachments: [{ Name: 'x' }] }, asPostmark),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 400, 422, 422, 422])
    expect(await answers[4]!.json()).toMatchObject({ code: 'INVALID_INPUT', data: { fields: { MessageID: expect.any(String) as string } } })
    expect(await databaseFingerprint(server)).toEqual(before)
  })

  it('stores as much as possible of NUL bytes, lone surrogates, header breaks and 5 MB of text, without an error', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const subject = 'a\0b\ud800\r\nBcc: everybody@elsewhere.example'
    const { status } = await server.outbox.inbound({
      from: email,
      fromName: 'x\r\nBcc: y',
      subject,
      text: `\0${'word '.repeat(1_000_000)}`,
    })
    expect(status).toBe(200)
    const [row] = (await client.inbox.unreadOfContact({ contactId })).data
    expect(row!.body.length).toBeLessThanOrEqual(200_000)
    const { messages } = await client.inbox.conversation({ id: row!.conversation_id })
    await client.inbox.reply({ id: row!.conversation_id, text: 'Thank you', idempotencyKey: randomUUID() })
    await until(async () => (await client.inbox.conversation({ id: row!.conversation_id })).messages.at(-1)?.status === 'sent')
    expect(server.outbox.messages[0]!.Subject).not.toMatch(/[\r\n]/)
    expect(messages[0]!.fromName).not.toMatch(/[\r\n]/)
  })

  it('stores attachments byte for byte in any JSON layout, and keeps text that resembles an attachment as text', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const words = 'She wrote "Content":"JVBERi0=" and \\"Content": "x"'
    const every = Buffer.from(Array.from({ length: 5_000 }, (_, n) => 128 + ((n * 7) % 128)))
    const bytes = Buffer.concat([Buffer.from('%PDF-1.4\n%'), every, Buffer.from(pdf, 'base64').subarray('%PDF-1.4'.length)])
    const attachment = { Name: 'one.pdf', Content: bytes.toString('base64'), ContentType: 'application/pdf' }
    const body = JSON.stringify(
      {
        MessageID: randomUUID(),
        From: email,
        Subject: 'Content',
        TextBody: words,
        Attachments: [attachment, { ...attachment, Name: 'Content.pdf' }],
      },
      null,
      2,
    )
    expect((await post(body.replaceAll('/', '\\/'), asPostmark)).status).toBe(200)
    const [row] = (await client.inbox.unreadOfContact({ contactId })).data
    expect(row!.body).toBe(words)
    const [message] = (await client.inbox.conversation({ id: row!.conversation_id })).messages
    expect(message!.attachments.map(({ name, size }) => [name, size])).toEqual([
      ['one.pdf', bytes.length],
      ['Content.pdf', bytes.length],
    ])
    const hash = createHash('sha256').update(bytes).digest('hex')
    expect(await server.rows('select name from documents where sha256 = $1', [hash])).toHaveLength(2)
  })

  it('reads the largest email that Postmark posts, refuses one that needs too much memory, and reads the next one', async () => {
    const client = await sales()
    const { id: contactId, email } = await createPatient(server)
    const attachments = Array.from({ length: 4 }, (_, n) => ({
      Name: `${n}.pdf`,
      Content: 'A'.repeat(11_500_000),
      ContentType: 'application/pdf',
    }))
    const mail = { From: email, Subject: '漢字', TextBody: 'x' }
    const hoard = `{"MessageID":"a","From":"a@b.example","Headers":[${'{},'.repeat(6_000_000)}{}]}`
    const answers = [
      await post({ ...mail, MessageID: randomUUID(), Attachments: attachments }, asPostmark),
      await post(hoard, asPostmark),
      await post({ ...mail, MessageID: randomUUID() }, asPostmark),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 200])
    expect(await answers[1]!.json()).toMatchObject({ code: 'MAIL_TOO_COMPLEX' })
    expect((await client.inbox.unreadOfContact({ contactId })).data).toHaveLength(2)
  })

  it('reports in one line how many attachments were not kept', async () => {
    const client = await sales()
    const from = `${randomUUID()}@unknown-sender.example`
    const attachments = Array.from({ length: 1_000 }, (_, n) => ({ name: `${n}.pdf`, contentType: 'application/pdf', contentBase64: pdf }))
    expect((await server.outbox.inbound({ from, subject: 'Many', text: 'All of it', attachments })).status).toBe(200)
    const [row] = (await client.inbox.conversations({ show: 'unknown', search: from })).data
    const [message] = (await client.inbox.conversation({ id: row!.id })).messages
    expect(message!.attachments).toHaveLength(51)
    expect(message!.attachments.at(-1)).toMatchObject({
      name: '950 more files',
      size: 950 * Buffer.from(pdf, 'base64').length,
      refusal: 'Only the first 50 attachments of an email are kept',
    })
  })

  it('stores HTML without text, with a script or with a million tag openings as harmless text, without delay', async () => {
    const client = await sales()
    const wordless = hostileEmails.filter(({ text }) => text === '').map(({ html }) => html)
    for (const html of [`<script>alert('hostile')</script>`, ...wordless]) {
      const { id: contactId, email } = await createPatient(server)
      expect((await server.outbox.inbound({ from: email, subject: 'No words', text: '', html })).status).toBe(200)
      expect((await client.inbox.unreadOfContact({ contactId })).data.map(({ body }) => body)).toEqual([''])
    }
    expect(wordless.some((html) => html.length > 1_000_000)).toBe(true)
  })
})

describe('read and unread', () => {
  const server = useInbox()

  it('marks one message, a patient’s, a conversation’s or all that have arrived as read, with who and when', async () => {
    const client = await server.as('sales_rep')
    const [one, other] = [await createPatient(server), await createPatient(server)]
    for (const { email } of [one, one, other]) await server.outbox.inbound({ from: email, subject: randomUUID(), text: 'Hello' })
    expect((await client.inbox.unreadCount()).count).toBe(3)
    const [first] = (await client.inbox.unreadOfContact({ contactId: one.id })).data
    await client.inbox.markRead({ id: first!.id })
    const read = (await client.inbox.conversation({ id: first!.conversation_id })).messages.find(({ id }) => id === first!.id)
    expect([read!.readAt !== null, read!.readBy !== null]).toEqual([true, true])
    await client.inbox.markUnread({ id: first!.id })
    expect((await client.inbox.unreadCount()).count).toBe(3)
    expect(await client.inbox.markContactRead({ contactId: one.id })).toEqual({ count: 2 })
    const before = new Date().toISOString()
    await server.outbox.inbound({ from: other.email, subject: randomUUID(), text: 'Later' })
    expect(await client.inbox.markAllRead({ before })).toEqual({ count: 1 })
    expect((await client.inbox.unreadCount()).count).toBe(1)
  })

  it('marks as many messages of an unlinked address as its row counts', async () => {
    const client = await server.as('sales_rep')
    const address = `${randomUUID()}@unknown-sender.example`
    for (const subject of ['One', 'Two']) await server.outbox.inbound({ from: address, subject, text: 'Hello' })
    await server.outbox.inbound({ from: `${randomUUID()}@unknown-sender.example`, subject: 'One', text: 'Hello' })
    const line = async () => (await client.inbox.unread({})).data.find(({ contact_email }) => contact_email === address)
    expect(await line()).toMatchObject({ contact_id: null, unread_count: 2 })
    const before = (await client.inbox.unreadCount()).count
    expect(await client.inbox.markSenderRead({ address: address.toUpperCase() })).toEqual({ count: 2 })
    expect([await line(), (await client.inbox.unreadCount()).count]).toEqual([undefined, before - 2])
  })

  it('allows only the roles in the permission matrix', async () => {
    for (const role of ['front_desk', 'provider', 'billing'] as const) {
      await expect((await server.as(role)).inbox.unreadCount()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
  })
})

describe('outgoing email', () => {
  const server = useInbox()

  it('sends once per key, only to the patient’s own addresses and with their own documents', async () => {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    const mail = { contactId, email, subject: 'Your visit', text: 'See you on Monday.', idempotencyKey: randomUUID() }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.inbox.start(mail).catch((error: { code: string }) => error.code)),
    )
    expect(new Set(answers.filter((answer) => typeof answer === 'object').map(({ messageId }) => messageId)).size).toBe(1)
    const { id } = answers.find((answer) => typeof answer === 'object')!
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'sent')
    expect(server.outbox.messages.filter(({ To }) => To === email)).toHaveLength(1)
    await expect(client.inbox.start({ ...mail, text: 'Other words' })).rejects.toMatchObject({ code: 'KEY_REUSED' })
    await expect(client.inbox.start({ ...mail, email: 'other@elsewhere.example', idempotencyKey: randomUUID() })).rejects.toMatchObject({
      data: { fields: { email: expect.any(String) as string } },
    })
    await expect(client.inbox.reply({ id, text: 'x', documentIds: [randomUUID()], idempotencyKey: randomUUID() })).rejects.toMatchObject({
      data: { fields: { documentIds: 'The patient has no such document' } },
    })
  })

  it('keeps every subject on one line, and assigns the conversation only to someone who can open it', async () => {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    const subject = 'Your visit\r\nBcc: thief@elsewhere.example'
    const { id } = await client.inbox.start({ contactId, email, subject, text: 'See you.', idempotencyKey: randomUUID() })
    await until(() => server.outbox.messages.some(({ To }) => To === email))
    const sent = server.outbox.messages.find(({ To }) => To === email)!
    expect([sent.Subject, sent.Bcc ?? '']).toEqual(['Your visit Bcc: thief@elsewhere.example', ''])
    const [provider, colleague] = await Promise.all([server.account({ role: 'provider' }), server.account({ role: 'sales_rep' })])
    await expect(client.inbox.change({ id, assignedTo: provider.id })).rejects.toMatchObject({
      status: 422,
      data: { fields: { assignedTo: 'This staff member has a different role' } },
    })
    expect((await client.inbox.change({ id, assignedTo: colleague.id })).assignedTo).toBe(colleague.id)
  })

  it('stops email to an address after a hard bounce and marks the message, until Postmark delivers there again', async () => {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    const { id } = await client.inbox.start({ contactId, email, subject: 'Hello', text: 'Hello', idempotencyKey: randomUUID() })
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'sent')
    const sent = server.outbox.messages.find(({ To }) => To === email)!
    await server.outbox.event({ type: 'HardBounce', messageId: sent.MessageID, email })
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'bounced')
    expect((await client.inbox.conversation({ id })).ways).toMatchObject([{ problem: 'bounce' }])
    await expect(client.inbox.reply({ id, text: 'Again', idempotencyKey: randomUUID() })).rejects.toMatchObject({ code: 'SUPPRESSED' })
    await server.outbox.event({ type: 'SubscriptionChange', email, suppressSending: false, origin: 'Customer' })
    expect((await client.inbox.conversation({ id })).ways).toMatchObject([{ problem: null }])
  })

  it.each([
    ['AutoResponder', null],
    ['Transient', expect.stringMatching(/^It may not have arrived: The server could not temporarily deliver/)],
    ['SoftBounce', expect.stringMatching(/^It may not have arrived: Unable to temporarily deliver message/)],
    ['SpamComplaint', 'The recipient marked it as spam.'],
  ] as const)('keeps a message sent after the event %s, and shows what is known', async (type, problem) => {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    const { id } = await client.inbox.start({ contactId, email, subject: 'Hello', text: 'Hello', idempotencyKey: randomUUID() })
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'sent')
    await server.outbox.event({ type, email })
    const { messages, ways } = await client.inbox.conversation({ id })
    expect(messages).toMatchObject([{ status: 'sent', problem }])
    expect(ways).toMatchObject([{ problem: type === 'SpamComplaint' ? 'complaint' : null }])
  })

  it('keeps a permanent bounce, whatever Postmark reports later', async () => {
    const client = await server.as('sales_rep')
    const { id: contactId, email } = await createPatient(server)
    const { id } = await client.inbox.start({ contactId, email, subject: 'Hello', text: 'Hello', idempotencyKey: randomUUID() })
    await until(async () => (await client.inbox.conversation({ id })).messages[0]?.status === 'sent')
    for (const type of ['HardBounce', 'Transient'] as const) await server.outbox.event({ type, email })
    const { messages } = await client.inbox.conversation({ id })
    expect(messages).toMatchObject([{ status: 'bounced', problem: expect.stringMatching(/^Bounced: /) }])
  })
})
