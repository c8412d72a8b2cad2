import { describe, expect, it } from 'vitest'
import { insertContact } from '../../../test/factories.ts'
import { createMailboxOwner, type Owner, useMailboxes } from '../../../test/messages/mailbox.ts'
import { refusal } from '../../../test/refusal.ts'
import { until } from '../../../test/until.ts'

describe('reading one’s own mailbox', () => {
  const post = useMailboxes()
  const mailboxOf = ({ email }: Owner) => post.nylas.mailbox(email)
  /** Someone writes to the owner. */
  const write = (owner: Owner, mail: { subject?: string; text?: string; html?: string; from?: string; threadId?: string } = {}) =>
    post.nylas.receive({
      email: owner.email,
      from: { name: 'Ana Silva', email: mail.from ?? 'ana@elsewhere.example' },
      subject: mail.subject ?? 'A question',
      ...(mail.html === undefined ? { text: mail.text ?? 'May I come on Tuesday?' } : { html: mail.html }),
      ...(mail.threadId === undefined ? {} : { threadId: mail.threadId }),
    })
  const threadOf = (messageId: string, owner: Owner) => mailboxOf(owner).find(messageId)!.threadId

  it.each(['nylas', 'gmail'] as const)('%s: lists folders with unread counts, and every thread of a folder in pages', async (provider) => {
    const owner = await createMailboxOwner(post, provider)
    const { client } = owner
    const folders = await client.mailbox.folders()
    const inbox = folders.find(({ role }) => role === 'inbox')!
    expect(inbox.unread).toBeGreaterThan(0)
    expect(inbox.total).toBeGreaterThan(inbox.unread)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await client.mailbox.threads({ folder: inbox.id, limit: 30, ...(cursor ? { cursor } : {}) })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    const box = (provider === 'nylas' ? post.nylas : post.gmail).mailbox(owner.email)
    expect(new Set(seen)).toEqual(
      new Set(
        box
          .list()
          .filter(({ labels }) => labels.has('INBOX'))
          .map(({ threadId }) => threadId),
      ),
    )
  })

  it('returns at most 25 new emails of INBOX in Nylas’ format; the name means the folder with that attribute (spec 7)', async () => {
    const owner = await createMailboxOwner(post)
    await write(owner, { subject: 'The newest' })
    const answer = await post.server.send(
      'GET',
      `/api/nylas/messages/${owner.grantId}?limit=25&folder=INBOX&unread=true`,
      undefined,
      owner.account.cookie,
    )
    const { data } = (await answer.json()) as { data: { subject: string; unread: boolean; date: number; from: { email: string }[] }[] }
    const unread = mailboxOf(owner)
      .list()
      .filter(({ labels }) => labels.has('INBOX') && labels.has('UNREAD'))
    expect(data).toHaveLength(Math.min(25, unread.length))
    expect(data[0]).toMatchObject({ subject: 'The newest', unread: true, from: [{ email: 'ana@elsewhere.example' }] })
  })

  it('answers 404 to another user’s grantId and to an unknown one', async () => {
    const [owner, other] = [await createMailboxOwner(post), await createMailboxOwner(post)]
    for (const grantId of [owner.grantId, crypto.randomUUID(), 'made-up', post.nylas.grants()[0]!.id]) {
      expect(await refusal(other.client.mailbox.newMessages({ grantId }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    }
    const admin = await post.server.as('admin')
    expect(await refusal(admin.mailbox.newMessages({ grantId: owner.grantId }))).toMatchObject({ status: 404 })
    const { message } = await write(owner)
    expect(await refusal(other.client.mailbox.thread({ id: message.threadId }))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    const frame = await post.server.send('GET', `/api/mailbox/messages/${message.id}/mail`, undefined, other.account.cookie)
    expect(frame.status).toBe(404)
  })

  it('returns a thread’s sanitized emails, their text, and the patients its addresses belong to', async () => {
    const owner = await createMailboxOwner(post)
    const from = `${crypto.randomUUID()}@elsewhere.example`
    const contactId = await insertContact(post.server, { firstName: 'Zoë', email: from.toUpperCase() })
    const html = '<p onclick="x()">Grüße <b>Zoë</b></p><script>alert(1)</script><img src="https://track.example/p.gif">'
    const { message } = await write(owner, { html, from })
    const thread = await owner.client.mailbox.thread({ id: message.threadId })
    expect(thread.messages).toHaveLength(1)
    const [shown] = thread.messages
    expect(shown!.htmlBody).toContain('<b>Zoë</b>')
    expect(shown!.htmlBody).not.toMatch(/script|onclick| src="https/)
    expect(shown).toMatchObject({ remoteImages: 1, text: expect.stringContaining('Grüße Zoë'), isSent: false })
    expect(thread.known).toEqual([{ email: from, contact: { id: contactId, firstName: 'Zoë', lastName: expect.any(String) } }])

    const frame = await post.server.send('GET', `/api/mailbox/messages/${message.id}/mail`, undefined, owner.account.cookie)
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
    const page = await frame.text()
    expect(page).toContain('<b>Zoë</b>')
    expect(page).not.toMatch(/<script| src="https/)
  })

  it('shows an image that is embedded in an email inline', async () => {
    const owner = await createMailboxOwner(post)
    const carried = mailboxOf(owner)
      .list()
      .find(({ html, attachments }) => html?.includes('cid:') && attachments.some(({ isInline }) => isInline))!
    const frame = await post.server.send('GET', `/api/mailbox/messages/${carried.id}/mail`, undefined, owner.account.cookie)
    const page = await frame.text()
    expect(page).toMatch(/ src="data:image\/(png|jpeg|gif|webp);base64,/)
    expect(page).not.toContain(' src="cid:')
  })

  it.each(['nylas', 'gmail'] as const)(
    '%s: lists every file, including those with a content id, and says which ones the email shows',
    async (provider) => {
      const owner = await createMailboxOwner(post, provider)
      const box = (provider === 'nylas' ? post.nylas : post.gmail).mailbox(owner.email)
      const isLetter = ({ contentType, contentId }: { contentType: string; contentId?: string | undefined }) =>
        contentType === 'application/pdf' && contentId !== undefined
      const held = box.list().find(({ html, attachments }) => html?.includes('cid:') && attachments.some(isLetter))!
      const { messages } = await owner.client.mailbox.thread({ id: held.threadId })
      expect(messages.find(({ id }) => id === held.id)!.attachments.map(({ name, isShown }) => [name, isShown])).toEqual(
        held.attachments.map(({ filename, isInline = false }) => [filename, isInline]),
      )
    },
  )

  it('downloads an attached file with the sender’s bytes', async () => {
    const owner = await createMailboxOwner(post)
    const withFile = mailboxOf(owner)
      .list()
      .find(({ attachments, labels }) => attachments.length > 0 && labels.has('INBOX'))!
    const [file] = withFile.attachments
    const path = `/api/mailbox/messages/${withFile.id}/attachments/${file!.id}`
    const answer = await post.server.send('GET', path, undefined, owner.account.cookie)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(Buffer.from(await answer.arrayBuffer()).equals(file!.content())).toBe(true)
    const none = await post.server.send('GET', `${path}x`, undefined, owner.account.cookie)
    expect(none.status).toBe(404)
  })

  it('marks as read or unread, archives, trashes and restores in the mailbox itself', async () => {
    const owner = await createMailboxOwner(post)
    const { message } = await write(owner)
    const id = threadOf(message.id, owner)
    const labels = () => [...mailboxOf(owner).find(message.id)!.labels]
    await owner.client.mailbox.changeThread({ id, unread: false })
    expect(labels()).not.toContain('UNREAD')
    await owner.client.mailbox.changeThread({ id, unread: true })
    expect(labels()).toContain('UNREAD')
    await owner.client.mailbox.changeThread({ id, place: 'archive' })
    expect(labels()).not.toContain('INBOX')
    await owner.client.mailbox.changeThread({ id, place: 'trash' })
    expect(labels()).toContain('TRASH')
    await owner.client.mailbox.changeThread({ id, place: 'inbox' })
    expect(labels()).toContain('INBOX')
    expect(await refusal(owner.client.mailbox.changeThread({ id: 'made-up', unread: true }))).toMatchObject({ status: 404 })
  })

  it('uses the provider’s own search', async () => {
    const owner = await createMailboxOwner(post)
    const word = `quokka${crypto.randomUUID().slice(0, 8)}`
    await write(owner, { subject: `About the ${word}` })
    const { data } = await owner.client.mailbox.threads({ search: word })
    expect(data.map(({ subject }) => subject)).toEqual([`About the ${word}`])
    expect((await owner.client.mailbox.threads({ search: `${word}x` })).data).toEqual([])
  })

  it('reports an unavailable or rate-limited provider only as a state with a code', async () => {
    const owner = await createMailboxOwner(post)
    post.nylas.setOffline(true)
    expect(await refusal(owner.client.mailbox.folders().finally(() => post.nylas.setOffline(false)))).toMatchObject({
      status: 503,
      code: 'AWAY',
    })
    post.nylas.fault({ kind: 'status', status: 429, retryAfter: 7 })
    expect(await refusal(owner.client.mailbox.threads({}))).toMatchObject({ status: 503, code: 'BUSY', data: { retryAfter: 7 } })
    for (const kind of ['badJson', 'dropBefore', 'dropAfter', 'timeoutBefore'] as const) {
      post.nylas.fault({ kind })
      expect([kind, (await refusal(owner.client.mailbox.threads({}))).code]).toEqual([kind, 'AWAY'])
    }
    expect((await owner.client.mailbox.threads({})).data.length).toBeGreaterThan(0)
    expect(await owner.client.mailbox.connection()).toMatchObject({ connected: true })
  })

  it('adds each email of a linked thread to the patient’s timeline once, including later ones', async () => {
    const owner = await createMailboxOwner(post)
    const contactId = await insertContact(post.server, {})
    const { message } = await write(owner, { subject: 'Swelling' })
    const id = message.threadId
    const mails = async () => {
      const { data } = await owner.client.interactions.list({ contactId, kind: 'emails' })
      return data.map(({ description }) => description)
    }
    expect(await owner.client.mailbox.link({ id, contactId })).toMatchObject({ id: contactId })
    await owner.client.mailbox.link({ id, contactId })
    const front = await post.server.as('front_desk')
    expect((await front.interactions.list({ contactId })).data.length).toBeGreaterThan(0)
    expect(await mails()).toEqual([expect.stringMatching(/^Swelling\. May I/)])
    expect((await owner.client.mailbox.threads({})).data.find((row) => row.id === id)?.contact).toMatchObject({ id: contactId })

    await write(owner, { subject: 'Re: Swelling', text: 'It is better', threadId: id })
    await until(async () => (await mails()).length === 2)
    await Promise.all([owner.client.mailbox.thread({ id }), owner.client.mailbox.thread({ id })])
    expect((await mails()).length).toBe(2)

    const other = await insertContact(post.server, {})
    await owner.client.mailbox.link({ id, contactId: other })
    expect(await mails()).toEqual([])
    await owner.client.mailbox.unlink({ id })
    expect((await owner.client.interactions.list({ contactId: other, kind: 'emails' })).data).toEqual([])
    expect(await refusal(owner.client.mailbox.unlink({ id }))).toMatchObject({ status: 404 })
    const gone = await refusal(owner.client.mailbox.link({ id, contactId: crypto.randomUUID() }))
    expect(gone).toMatchObject({ status: 422, data: { fields: { contactId: expect.any(String) } } })
  })

  it('stops reading a disabled user’s mailbox, including linked threads (spec 9)', async () => {
    const owner = await createMailboxOwner(post)
    const contactId = await insertContact(post.server, {})
    const { message } = await write(owner, { subject: 'Bruises' })
    await owner.client.mailbox.link({ id: message.threadId, contactId })
    await post.server.rows(`update profiles set status = 'disabled' where id = $1`, [owner.account.id])
    await write(owner, { subject: 'Re: Bruises', text: 'They are gone', threadId: message.threadId })
    await until(
      async () => (await post.server.rows(`select 1 from graphile_worker.jobs where task_identifier = 'mailbox.log-linked'`)).length === 0,
    )
    const front = await post.server.as('front_desk')
    expect((await front.interactions.list({ contactId, kind: 'emails' })).data).toHaveLength(1)
  })

  it('accepts only signed Nylas notifications, safely twice, and answers its challenge', async () => {
    const body = JSON.stringify({ specversion: '1.0', type: 'message.created', id: '1', data: { object: { grant_id: 'x' } } })
    const send = (headers: Record<string, string>, text = body) =>
      post.server.request('/api/hooks/nylas', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
    expect((await send({})).status).toBe(401)
    expect((await send({ 'x-nylas-signature': '0'.repeat(64) })).status).toBe(401)
    const owner = await createMailboxOwner(post)
    await post.nylas.setWebhook({ url: `${post.server.url}/api/hooks/nylas`, secret: 'the-secret-of-the-tests-notifications' })
    const { delivery } = await write(owner)
    expect(delivery).toMatchObject({ status: 200 })
    expect(await post.nylas.redeliver()).toMatchObject({ status: 200 })
    const challenge = await post.server.request('/api/hooks/nylas?challenge=a-b_c.1')
    expect([challenge.status, await challenge.text(), challenge.headers.get('content-type')]).toEqual([
      200,
      'a-b_c.1',
      'text/plain; charset=utf-8',
    ])
    expect((await post.server.request('/api/hooks/nylas?challenge=%3Cscript%3E')).status).toBe(422)
  })
})
