import { describe, expect, test } from 'vitest'
import { generateMailbox, Mailbox, type Message, parseMail, placeOf, rawOf, searchTest } from '../mailbox.ts'

const owner = { name: 'Refyne Reception', email: 'reception@refyneclinic.example' }
const until = Date.UTC(2026, 4, 1, 15)
const messages = generateMailbox({ owner, until })

describe('the generated mailbox', () => {
  test('has 5,000 messages in threads, newest first, with no empty folder', () => {
    expect(messages).toHaveLength(5000)
    expect(new Set(messages.map(({ id }) => id)).size).toBe(5000)
    expect(messages[0]?.date).toBe(until)
    expect(messages.every(({ date }, index) => index === 0 || date <= messages[index - 1]!.date)).toBe(true)
    const places = Map.groupBy(messages, ({ labels }) => placeOf(labels))
    expect([...places.keys()].toSorted()).toEqual(['archive', 'drafts', 'inbox', 'sent', 'spam', 'trash'])
    const threads = Map.groupBy(messages, ({ threadId }) => threadId)
    expect(threads.size).toBeGreaterThan(1000)
    expect(Math.max(...[...threads.values()].map(({ length }) => length))).toBeGreaterThan(5)
    expect(messages.filter(({ labels }) => labels.has('UNREAD')).length).toBeGreaterThan(100)
    expect(messages.filter(({ attachments }) => attachments.length > 0).length).toBeGreaterThan(300)
    expect(messages.some(({ from }) => /[^\p{Script=Latin}\p{P}\p{Zs}]/u.test(from.name))).toBe(true)
  })

  test('is deterministic for a given seed', () => {
    const shape = (list: Message[]) => list.map(({ id, date, subject, text, html }) => [id, date, subject, text, html])
    expect(shape(generateMailbox({ owner, until, count: 300, seed: 7 }))).toEqual(
      shape(generateMailbox({ owner, until, count: 300, seed: 7 })),
    )
    expect(shape(generateMailbox({ owner, until, count: 300, seed: 7 }))).not.toEqual(
      shape(generateMailbox({ owner, until, count: 300, seed: 8 })),
    )
  })

  test('makes each message in a thread a reply to the previous one', () => {
    for (const thread of Map.groupBy(messages, ({ threadId }) => threadId).values()) {
      const [first, ...rest] = thread.toReversed()
      expect(first?.id).toBe(first?.threadId)
      rest.reduce((before, message) => {
        expect(message.inReplyTo).toBe(before?.messageId)
        return message
      }, first)
    }
  })

  test('generates files that start and end as a JPEG or a PDF', () => {
    for (const { contentType, content } of messages.flatMap(({ attachments }) => attachments).slice(0, 200)) {
      const text = content().toString('latin1')
      if (contentType === 'image/jpeg') expect(text.startsWith('\xff\xd8\xff\xe0') && text.endsWith('\xff\xd9')).toBe(true)
      else expect(text.startsWith('%PDF-1.4') && text.endsWith('%%EOF\n')).toBe(true)
    }
  })
})

describe('RFC 822', () => {
  test('round-trips names, bodies and attachments', () => {
    for (const message of messages.slice(0, 1000)) {
      const { from, to, subject, text, html, attachments, inReplyTo, references } = parseMail(rawOf(message))
      expect({ from: from[0], to, subject, text, html, inReplyTo, references }).toEqual({
        from: message.from,
        to: message.to,
        subject: message.subject,
        text: message.text,
        html: message.html,
        inReplyTo: message.inReplyTo,
        references: message.references,
      })
      expect(attachments.map(({ filename, content }) => [filename, content()])).toEqual(
        message.attachments.map(({ filename, content }) => [filename, content()]),
      )
    }
  })

  test('reads quoted-printable, other character sets, folded headers and names with commas', () => {
    const raw = [
      'From: "Côté, Amélie" <a@b.example>,',
      ' =?ISO-8859-1?Q?J=FCrgen_Wei=DF?= <j@b.example>',
      'Subject: =?UTF-8?B?R3LDvMOf?=',
      ' =?UTF-8?B?ZQ==?= aus',
      '  Oakville',
      'Content-Type: text/plain; charset=ISO-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=FC=',
      '=DFe',
    ].join('\r\n')
    expect(parseMail(Buffer.from(raw))).toMatchObject({
      from: [
        { name: 'Côté, Amélie', email: 'a@b.example' },
        { name: 'Jürgen Weiß', email: 'j@b.example' },
      ],
      subject: 'Grüße aus Oakville',
      text: 'Grüße',
    })
  })
})

describe('search', () => {
  const found = (query: string) => messages.filter(searchTest(query, until))

  test.each([
    ['subject:invoice', ({ subject }: Message) => /invoice/i.test(subject)],
    ['is:unread in:inbox', ({ labels }: Message) => labels.has('UNREAD') && labels.has('INBOX')],
    ['has:attachment -from:maple', ({ attachments, from }: Message) => attachments.length > 0 && !/maple/i.test(from.name + from.email)],
    ['"30G needles"', ({ text, html }: Message) => /30G needles/i.test(`${text} ${html}`)],
    ['newer_than:7d', ({ date }: Message) => date >= until - 7 * 86_400_000],
    ['before:2025/06/01', ({ date }: Message) => date < Date.UTC(2025, 5, 1)],
    ['from:trillium OR from:maple', ({ from }: Message) => /trillium|maple/i.test(from.name + from.email)],
  ])('%s', (query, expected) => {
    expect(found(query).length).toBeGreaterThan(0)
    expect(found(query)).toEqual(messages.filter(expected))
  })
})

test('lists changes in the history and refuses a start before its beginning', () => {
  const mailbox = new Mailbox(owner.email, generateMailbox({ owner, until, count: 50 }))
  const begin = mailbox.historyId
  const message = mailbox.list().find(({ labels }) => labels.has('INBOX'))!
  mailbox.relabel(message, ['STARRED', 'INBOX'], ['UNREAD', 'INBOX'])
  mailbox.delete(message)
  expect(
    mailbox
      .historySince(begin)
      ?.map(({ type }) => type)
      .filter((type) => type !== 'labelRemoved'),
  ).toEqual(['labelAdded', 'messageDeleted'])
  expect(mailbox.historySince(begin - 1)).toBeUndefined()
  expect(mailbox.historySince(mailbox.historyId + 1)).toBeUndefined()
  expect(mailbox.find(message.id)).toBeUndefined()
})
