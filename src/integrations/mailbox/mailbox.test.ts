/** The same behaviours at each provider, against its simulator: what a mailbox answers is compared with what the simulator holds. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startGmailSimulator } from '../../../simulators/gmail/server.ts'
import { startNylasSimulator } from '../../../simulators/nylas/server.ts'
import type { Mailbox as Held, Message } from '../../../simulators/mailbox.ts'
import type { Incoming } from '../../../simulators/mailbox-registry.ts'
import { openGmail } from './gmail/gmail.ts'
import { folderRoles, type Mailbox, type MailThread, maxMessages, type OutgoingMail, type Result } from './mailbox.ts'
import { openNylas } from './nylas/nylas.ts'

const now = Date.UTC(2026, 4, 1, 15)
const owner = 'reception@refyneclinic.example'

type Provider = {
  mailbox: Mailbox
  held: Held
  receive: (mail: Incoming) => Promise<Message>
  stop: () => Promise<void>
}

const options = { messages: 400, now: () => now }

async function nylas(provider: string): Promise<Provider> {
  const simulator = await startNylasSimulator({ ...options, apiKey: 'key' })
  const grant = simulator.connect(owner, provider)
  return {
    mailbox: openNylas({ apiKey: 'key', apiUri: simulator.url, grantId: grant.id, timeoutSeconds: 20 }),
    held: simulator.mailbox(owner),
    receive: async (mail) => (await simulator.receive(mail)).message,
    stop: () => simulator.stop(),
  }
}

async function gmail(): Promise<Provider> {
  const client = { clientId: 'id', clientSecret: 'secret' }
  const simulator = await startGmailSimulator({ ...options, ...client })
  const { access_token: accessToken, refresh_token: refreshToken } = simulator.connect(owner)
  const tokens = { accessToken, refreshToken, expiresAt: Date.now() + 3_000_000 }
  return {
    mailbox: openGmail({ ...client, baseUrl: simulator.url, tokens, onTokens: async () => {}, timeoutSeconds: 20 }),
    held: simulator.mailbox(owner),
    receive: async (mail) => simulator.receive(mail),
    stop: () => simulator.stop(),
  }
}

const providers: { name: string; hasArchive: boolean; start: () => Promise<Provider> }[] = [
  { name: 'Nylas, a mailbox of folders', hasArchive: true, start: () => nylas('microsoft') },
  { name: "Nylas, a mailbox of Google's", hasArchive: false, start: () => nylas('google') },
  { name: 'Gmail', hasArchive: false, start: gmail },
]

function good<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(`${result.kind}: ${result.message}`)
  return result.value
}

const mail = (change: Partial<OutgoingMail> = {}): OutgoingMail => ({
  to: [{ name: 'Zoë Müller', email: 'zoe@mail.example' }],
  cc: [],
  bcc: [],
  subject: 'Ihr Termin',
  text: 'Grüße',
  html: '<p>Grüße</p>',
  answers: null,
  attachments: [],
  ...change,
})

describe.each(providers)('$name', ({ start, hasArchive }) => {
  let provider: Provider
  let mailbox: Mailbox
  let held: Held

  beforeEach(async () => {
    provider = await start()
    ;({ mailbox, held } = provider)
  })
  afterEach(() => provider.stop())

  const idOf = async (role: string) => good(await mailbox.folders()).find((folder) => folder.role === role)?.id ?? ''
  const withLabel = (label: string) => held.list().filter(({ labels }) => labels.has(label))
  const threadIds = (messages: readonly Message[]) => new Set(messages.map(({ threadId }) => threadId))
  const isDraft = ({ labels }: Message) => labels.has('DRAFT')
  const isUnavailable = ({ labels }: Message) => labels.has('SPAM') || labels.has('TRASH')

  async function allThreads(asked: { folder?: string; search?: string; unread?: boolean; limit?: number }): Promise<MailThread[]> {
    const found: MailThread[] = []
    let cursor: string | undefined
    do {
      const page = good(await mailbox.threads({ limit: 20, ...asked, cursor }))
      expect(page.threads.length).toBeLessThanOrEqual(asked.limit ?? 20)
      found.push(...page.threads)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
    return found
  }

  test('lists folders with counts, first those with a role, then the person’s own by name', async () => {
    const folders = good(await mailbox.folders())
    const roles = folders.map(({ role }) => role)
    expect(roles.filter((role) => role !== null)).toEqual(folderRoles.filter((role) => roles.includes(role)))
    expect(roles).toEqual(expect.arrayContaining(['inbox', 'sent', 'drafts', 'spam', 'trash']))
    expect(roles.includes('archive')).toBe(hasArchive)
    const own = folders.filter(({ role }) => role === null).map(({ name }) => name)
    expect(own).toEqual(hasArchive ? [] : ['Insurance', 'Referrals', 'Suppliers'])
    expect(roles.slice(0, roles.length - own.length)).not.toContain(null)
    for (const [role, label] of [
      ['inbox', 'INBOX'],
      ['spam', 'SPAM'],
      ['trash', 'TRASH'],
    ] as const) {
      const messages = withLabel(label)
      const unread = messages.filter(({ labels }) => labels.has('UNREAD')).length
      expect(folders.find((folder) => folder.role === role)).toMatchObject({ total: messages.length, unread })
    }
  })

  test('pages through a folder to its end, newest first and without duplicates', async () => {
    const found = await allThreads({ folder: await idOf('inbox'), limit: 7 })
    expect(new Set(found.map(({ id }) => id))).toEqual(threadIds(withLabel('INBOX')))
    expect(found.length).toBeGreaterThan(21)
    const dates = found.map(({ date }) => date.getTime())
    expect(dates).toEqual(dates.toSorted((a, b) => b - a))
  })

  test('without a folder, leaves out spam and trash and fills each page', async () => {
    const found = await allThreads({})
    expect(new Set(found.map(({ id }) => id))).toEqual(threadIds(held.list().filter((message) => !isUnavailable(message))))
    const first = good(await mailbox.threads({ limit: 25 }))
    expect(first.threads).toHaveLength(25)
    expect((await allThreads({ folder: await idOf('spam') })).length).toBe(threadIds(withLabel('SPAM')).size)
    expect((await allThreads({ folder: await idOf('trash') })).length).toBe(threadIds(withLabel('TRASH')).size)
  })

  test('shows people, subject, message count, unread state and files of each thread in a list', async () => {
    const first = await provider.receive({
      from: { name: 'Ann Böhm', email: 'ann@mail.example' },
      subject: 'Fäden & "mehr" <1>',
      text: 'Tut weh',
    })
    await provider.receive({
      from: { name: '', email: 'ANN@mail.example' },
      subject: 'Re: Fäden & "mehr" <1>',
      html: '<p>Schon <b>gut</b> & "fein" <i>1 &lt; 2</i></p>',
      threadId: first.threadId,
    })
    const [thread] = good(await mailbox.threads({ folder: await idOf('inbox'), limit: 1 })).threads
    expect(thread).toMatchObject({
      id: first.threadId,
      subject: 'Fäden & "mehr" <1>',
      snippet: 'Schon gut & "fein" 1 < 2',
      date: new Date(now),
      messageCount: 2,
      isUnread: true,
      hasAttachments: false,
      folders: [await idOf('inbox')],
    })
    expect(thread?.people.map(({ name, email }) => `${name} ${email.toLowerCase()}`)).toEqual(
      expect.arrayContaining(['Ann Böhm ann@mail.example', expect.stringContaining(owner)]),
    )
    expect(thread?.people).toHaveLength(2)
    const withFile = held.list().find(({ attachments, labels }) => attachments.some(({ isInline }) => !isInline) && labels.has('INBOX'))!
    const listed = await allThreads({ folder: await idOf('inbox') })
    expect(listed.find(({ id }) => id === withFile.threadId)).toMatchObject({ hasAttachments: true })
  })

  test('searches with the provider’s own search, in all folders or one, combined with unread', async () => {
    await provider.receive({ from: { name: 'Ann', email: 'ann@mail.example' }, subject: 'Quokka, part 1', text: 'x' })
    const second = await provider.receive({ from: { name: 'Bob', email: 'bob@mail.example' }, subject: 'Part 2', text: 'the quokka again' })
    held.relabel(second, [], ['UNREAD'])
    const gone = await provider.receive({ from: { name: 'Cy', email: 'cy@mail.example' }, subject: 'quokka, part 3', text: 'x' })
    held.move(gone, 'TRASH')
    const subjects = async (asked: Parameters<typeof allThreads>[0]) => (await allThreads(asked)).map(({ subject }) => subject).toSorted()
    expect(await subjects({ search: 'quokka' })).toEqual(['Part 2', 'Quokka, part 1'])
    expect(await subjects({ search: 'quokka from:bob@mail.example' })).toEqual(['Part 2'])
    expect(await subjects({ search: 'quokka', unread: true })).toEqual(['Quokka, part 1'])
    expect(await subjects({ search: 'quokka', unread: false })).toEqual(['Part 2'])
    expect(await subjects({ search: 'quokka', folder: await idOf('inbox') })).toEqual(['Part 2', 'Quokka, part 1'])
    expect(await subjects({ search: 'quokka', folder: await idOf('sent') })).toEqual([])
    expect(await subjects({ search: 'quokka', folder: await idOf('trash') })).toEqual(['quokka, part 3'])
  })

  test('lists only unread threads, or only read ones', async () => {
    const unreadOf = (messages: readonly Message[]) => threadIds(messages.filter(({ labels }) => labels.has('UNREAD')))
    const unread = await allThreads({ folder: await idOf('inbox'), unread: true })
    expect(new Set(unread.map(({ id }) => id))).toEqual(unreadOf(withLabel('INBOX')))
    expect(unread.every(({ isUnread }) => isUnread)).toBe(true)
    const read = await allThreads({ folder: await idOf('inbox'), unread: false })
    expect(read.some(({ isUnread }) => isUnread)).toBe(false)
    expect(read.length + unread.length).toBe(threadIds(withLabel('INBOX')).size)
  })

  test('returns a thread’s messages oldest first, without drafts, each with its text and sender', async () => {
    const largestThread = [...threadIds(held.list())].map((id) => held.thread(id)).toSorted((a, b) => b.length - a.length)[0]!
    held.add({ ...largestThread.at(-1)!, id: 'd1', messageId: '<draft-1@x>', date: now, labels: new Set(['DRAFT']) })
    const { thread, messages } = good(await mailbox.thread(largestThread[0]!.threadId))
    const expected = largestThread.filter((message) => !isDraft(message))
    expect(thread).toMatchObject({ id: largestThread[0]!.threadId, subject: largestThread[0]!.subject, messageCount: expected.length })
    expect(messages.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    for (const [index, message] of messages.entries()) {
      const { from, to, subject, text, html, date, labels } = expected[index]!
      expect(message).toMatchObject({ from, to, subject, date: new Date(date), isSent: labels.has('SENT'), isUnread: labels.has('UNREAD') })
      expect(message.html ?? message.text).toContain((html ?? text ?? '').slice(0, 5))
      expect(good(await mailbox.message(message.id))).toEqual(message)
    }
    expect(messages.some(({ isSent }) => isSent)).toBe(true)
  })

  test('returns the newest hundred messages of a very long thread', async () => {
    const first = await provider.receive({ from: { name: 'Ann', email: 'ann@mail.example' }, subject: 'Long', text: '0' })
    const added = Array.from({ length: maxMessages + 20 }, (_, index) =>
      held.add({ ...first, id: `ab${index}`, messageId: `<long-${index}@x>`, date: now + index * 1_000, subject: `Re: ${index}` }),
    )
    const { thread, messages } = good(await mailbox.thread(first.threadId))
    expect(thread.messageCount).toBe(added.length + 1)
    expect(messages.map(({ id }) => id)).toEqual(added.slice(-maxMessages).map(({ id }) => id))
  })

  test('lists new email as headers, newest first', async () => {
    const folder = await idOf('inbox')
    const received = await provider.receive({ from: { name: 'Ann Böhm', email: 'ann@mail.example' }, subject: 'Neu', text: 'Hallo' })
    const heads = good(await mailbox.messages({ folder, limit: 25 }))
    expect(heads).toHaveLength(25)
    expect(heads[0]).toEqual({
      id: received.id,
      threadId: received.threadId,
      from: { name: 'Ann Böhm', email: 'ann@mail.example' },
      subject: 'Neu',
      snippet: 'Hallo',
      date: new Date(now),
      isUnread: true,
    })
    const unread = good(await mailbox.messages({ folder, unread: true, limit: 5 }))
    const expected = withLabel('INBOX').filter(({ labels }) => labels.has('UNREAD'))
    expect(unread.map(({ id }) => id)).toEqual(expected.slice(0, 5).map(({ id }) => id))
    const read = good(await mailbox.messages({ folder, unread: false, limit: 5 }))
    expect(read.map(({ isUnread }) => isUnread)).toEqual([false, false, false, false, false])
  })

  test('returns a file’s original bytes, and the content id of an inline image', async () => {
    const holder = held.list().find(({ attachments }) => attachments.some(({ isInline }) => isInline) && attachments.length > 1)!
    const { attachments } = good(await mailbox.message(holder.id))
    expect(attachments.map(({ name, mimeType, contentId }) => ({ name, mimeType, contentId }))).toEqual(
      holder.attachments.map(({ filename, contentType, contentId }) => ({
        name: filename,
        mimeType: contentType,
        contentId: contentId ?? null,
      })),
    )
    for (const [index, { id, size }] of attachments.entries()) {
      const bytes = new Uint8Array(await new Response(good(await mailbox.attachment(holder.id, id))).arrayBuffer())
      expect(Buffer.from(bytes).equals(holder.attachments[index]!.content())).toBe(true)
      expect(bytes).toHaveLength(size)
    }
    expect(await mailbox.attachment(holder.id, 'none')).toMatchObject({ ok: false, kind: 'missing' })
  })

  test('marks a thread as read and as unread', async () => {
    const { threadId } = await provider.receive({ from: { name: 'Ann', email: 'ann@mail.example' }, subject: 'Neu', text: 'Hallo' })
    good(await mailbox.change(threadId, { unread: false }))
    expect(held.thread(threadId).some(({ labels }) => labels.has('UNREAD'))).toBe(false)
    expect(good(await mailbox.thread(threadId)).thread.isUnread).toBe(false)
    good(await mailbox.change(threadId, { unread: true }))
    expect(good(await mailbox.thread(threadId)).thread.isUnread).toBe(true)
  })

  test('moves a thread to the archive, to the trash and back without losing a label, star or mark', async () => {
    const first = await provider.receive({ from: { name: 'Ann', email: 'ann@mail.example' }, subject: 'Neu', text: 'Hallo' })
    const { threadId } = first
    const answer = good(await mailbox.send(mail({ answers: { messageId: first.id, threadId } })))
    held.relabel(first, ['Label_1', 'STARRED'], [])
    const labels = () => [...(held.find(first.id)?.labels ?? [])].filter((label) => label !== 'INBOX').toSorted()
    const inbox = await idOf('inbox')
    const isListed = async (folder: string) => (await allThreads({ folder })).some(({ id }) => id === threadId)
    const before = labels()

    good(await mailbox.change(threadId, { place: 'archive' }))
    expect(await isListed(inbox)).toBe(false)
    if (hasArchive) expect(await isListed(await idOf('archive'))).toBe(true)
    expect(labels()).toEqual(before)
    expect(await isListed(await idOf('sent'))).toBe(true)

    good(await mailbox.change(threadId, { place: 'inbox', unread: false }))
    expect(await isListed(inbox)).toBe(true)
    expect(labels()).toEqual(before.filter((label) => label !== 'UNREAD'))

    good(await mailbox.change(threadId, { place: 'trash', unread: true }))
    expect(await isListed(inbox)).toBe(false)
    expect(await isListed(await idOf('trash'))).toBe(true)
    expect((await allThreads({})).some(({ id }) => id === threadId)).toBe(false)

    good(await mailbox.change(threadId, { place: 'inbox' }))
    expect(await isListed(inbox)).toBe(true)
    expect(await isListed(await idOf('trash'))).toBe(false)
    expect(await isListed(await idOf('sent'))).toBe(true)
    expect(good(await mailbox.message(answer.messageId)).isSent).toBe(true)
    expect(labels()).toEqual(before)
  })

  test('sends names and a subject in any script, and finds the email among the sent ones', async () => {
    const to = [
      { name: '', email: 'plain@mail.example' },
      { name: 'Zoë "Zo" Müller, Dr.', email: 'zoe@mail.example' },
      { name: 'محمد علي', email: 'm@mail.example' },
      { name: '山田太郎', email: 'y@mail.example' },
    ]
    const subject = `Ihr Termin am 5. März – ☀️ ${'Ä'.repeat(120)} ご予約`
    const sent = good(await mailbox.send(mail({ to, subject, html: '<p>Grüße ☀️ &amp; mehr</p>', text: 'Grüße ☀️ & mehr' })))
    expect(held.find(sent.messageId)).toMatchObject({ threadId: sent.threadId, to, subject, html: '<p>Grüße ☀️ &amp; mehr</p>' })
    expect(good(await mailbox.message(sent.messageId))).toMatchObject({
      to,
      subject,
      isSent: true,
      from: { name: 'Reception', email: owner },
    })
    expect(good(await mailbox.messages({ folder: await idOf('sent'), limit: 1 }))).toMatchObject([{ id: sent.messageId, subject }])
  })

  test('sends to two hundred recipients, visible and hidden', async () => {
    const people = (kind: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `Gäste ${index}`, email: `${kind}${index}@mail.example` }))
    const [to, cc, bcc] = [people('to', 100), people('cc', 50), people('bcc', 50)]
    const { messageId } = good(await mailbox.send(mail({ to, cc, bcc })))
    expect(held.find(messageId)).toMatchObject({ to, cc, bcc })
    expect(good(await mailbox.message(messageId))).toMatchObject({ to, cc, bcc })
    const hidden = good(await mailbox.send(mail({ to: [], bcc })))
    expect(held.find(hidden.messageId)).toMatchObject({ to: [], cc: [], bcc })
  })

  test('keeps a reply with 4 MB of files in its thread', async () => {
    const asked = await provider.receive({ from: { name: 'Ann', email: 'ann@mail.example' }, subject: 'Frage', text: 'Wann?' })
    const bytes = Buffer.alloc(4 * 1024 * 1024, 'Äb\r\n.\r\n--')
    const long = `${'Befund-ä-'.repeat(20)}.pdf`
    const attachments = [
      { name: 'Befund ä.pdf', mimeType: 'application/pdf', bytes: new Uint8Array(bytes) },
      { name: long, mimeType: 'image/png', bytes: new Uint8Array(Buffer.from('small')) },
      { name: 'نتيجة "1".txt', mimeType: 'text/plain', bytes: new Uint8Array(Buffer.from('Grüße\n')) },
    ]
    const answers = { messageId: asked.id, threadId: asked.threadId }
    const sent = good(await mailbox.send(mail({ subject: 'Re: Frage', answers, attachments })))
    expect(sent.threadId).toBe(asked.threadId)
    const kept = held.find(sent.messageId)!
    expect(kept).toMatchObject({ threadId: asked.threadId, inReplyTo: asked.messageId, references: [asked.messageId] })
    expect(kept.attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual(
      attachments.map(({ name, mimeType }) => [name, mimeType]),
    )
    for (const [index, file] of kept.attachments.entries()) {
      expect(Buffer.from(attachments[index]!.bytes).equals(file.content())).toBe(true)
    }
    expect(good(await mailbox.thread(asked.threadId)).messages.map(({ id }) => id)).toEqual([asked.id, sent.messageId])
  })

  test('returns an email with two megabytes of text in full', async () => {
    const words = 'Ä word. '.repeat(250_000)
    const { id, threadId } = await provider.receive({ from: { email: 'ann@mail.example' }, subject: 'Long', html: `<p>${words}</p>` })
    const message = good(await mailbox.message(id))
    expect(message.html).toBe(`<p>${words}</p>`)
    expect(message.attachments).toEqual([])
    expect(good(await mailbox.thread(threadId)).messages).toEqual([message])
  })

  test('does not let line breaks in a subject add a header', async () => {
    const { messageId } = good(await mailbox.send(mail({ subject: 'Hello\r\nBcc: evil@mail.example\r\n\r\nBody' })))
    expect(held.find(messageId)).toMatchObject({ bcc: [], to: [{ email: 'zoe@mail.example' }], html: '<p>Grüße</p>' })
  })

  test.each(['none', '..', '.', '', '%2e%2e', '../..', 'a/b', 'ü?x=1#y'])('finds nothing with the id %j', async (id) => {
    const before = held.historyId
    expect(await mailbox.thread(id)).toMatchObject({ ok: false, kind: 'missing' })
    expect(await mailbox.message(id)).toMatchObject({ ok: false, kind: 'missing' })
    expect(await mailbox.attachment(id, 'x')).toMatchObject({ ok: false, kind: 'missing' })
    expect(await mailbox.attachment(held.list()[0]!.id, id)).toMatchObject({ ok: false, kind: 'missing' })
    expect(await mailbox.change(id, { unread: true })).toMatchObject({ ok: false, kind: 'missing' })
    expect(await mailbox.change(id, { place: 'trash' })).toMatchObject({ ok: false, kind: 'missing' })
    expect(held.historyId).toBe(before)
  })

  test('refuses an email without recipients, and an unknown folder', async () => {
    const count = held.list().length
    expect(await mailbox.send(mail({ to: [] }))).toMatchObject({ ok: false, kind: 'refused', isUncertain: false })
    expect(held.list()).toHaveLength(count)
    expect(await mailbox.threads({ folder: 'none', limit: 5 })).toMatchObject({ ok: false, kind: 'refused' })
    expect(await mailbox.messages({ folder: 'none', limit: 5 })).toMatchObject({ ok: false, kind: 'refused' })
    expect(await mailbox.threads({ cursor: 'none', limit: 5 })).toMatchObject({ ok: false, kind: 'refused' })
  })
})
