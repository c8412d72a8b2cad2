import { expect, test } from 'vitest'
import { distantTexts, fileNamed } from './parts.ts'
import { headOf, message, messageOf, thread, threadOf } from './shapes.ts'

type Given = { type: string; parsed?: string | Buffer; charset?: string; name?: string; headers?: Record<string, string>; parts?: Given[] }

/** A part as Gmail hands it on. */
function partOf({ type, parsed, charset, name = '', headers = {}, parts = [] }: Given, partId = ''): object {
  const bytes = parsed === undefined ? undefined : Buffer.from(parsed)
  const all = { 'Content-Type': charset ? `${type}; format=flowed; charset="${charset}"` : type, ...headers }
  const body = name
    ? { attachmentId: `ANGj${partId}`, size: bytes?.length ?? 0 }
    : { size: bytes?.length ?? 0, data: bytes?.toString('base64url') }
  return {
    partId,
    mimeType: type,
    filename: name,
    headers: Object.entries(all).map(([one, value]) => ({ name: one, value })),
    body: bytes === undefined ? { size: 0 } : body,
    ...(parts.length > 0 && { parts: parts.map((part, index) => partOf(part, partId === '' ? `${index}` : `${partId}.${index}`)) }),
  }
}

const read = (payload: Given, labelIds = ['INBOX']) =>
  message.parse({ id: 'a1', threadId: 'b1', labelIds, snippet: 'It&#39;s &lt;3', internalDate: '1777647600000', payload: partOf(payload) })

const parsed = (payload: Given) => {
  const { text, html, attachments } = messageOf(read(payload))
  return { text, html, files: attachments.map(({ id, name, mimeType }) => `${id} ${name} ${mimeType}`) }
}

const plain = (words: string): Given => ({ type: 'text/plain', parsed: words })
const rich = (words: string): Given => ({ type: 'text/html', parsed: words })
const mixed = (...parts: Given[]): Given => ({ type: 'multipart/mixed', parts })
const either = (...parts: Given[]): Given => ({ type: 'multipart/alternative', parts })
const file = (name: string, type = 'application/pdf'): Given => ({ type, name, parsed: 'bytes' })

test.each<[string, Given, { text: string | null; html: string | null; files?: string[] }]>([
  ['plain words', plain('Hello'), { text: 'Hello', html: null }],
  ['HTML alone', rich('<p>Hello</p>'), { text: null, html: '<p>Hello</p>' }],
  ['nothing at all', { type: 'text/plain' }, { text: '', html: null }],
  ['a type that Gmail does not say', { type: '' }, { text: '', html: null }],
  ['both', either(plain('Hello'), rich('<p>Hello</p>')), { text: 'Hello', html: '<p>Hello</p>' }],
  [
    'another way for other programs between them',
    either(plain('Hello'), { type: 'text/x-amp-html', parsed: '<amp/>' }, rich('<p>Hello</p>')),
    { text: 'Hello', html: '<p>Hello</p>' },
  ],
  [
    'files beside them',
    mixed(either(plain('Hello'), rich('<p>Hello</p>')), file('a.pdf'), file('b.png', 'image/png')),
    { text: 'Hello', html: '<p>Hello</p>', files: ['1 a.pdf application/pdf', '2 b.png image/png'] },
  ],
  [
    'words between files',
    mixed(plain('One'), file('a.pdf'), plain('Two <b>')),
    { text: 'One\nTwo <b>', html: null, files: ['1 a.pdf application/pdf'] },
  ],
  [
    'plain words below HTML',
    mixed(rich('<p>One</p>'), plain('Two <b>')),
    { text: null, html: '<p>One</p>\n<div style="white-space: pre-wrap">Two &#60;b&#62;</div>' },
  ],
  [
    'a footer of a mailing list below both',
    mixed(either(plain('One'), rich('<p>One</p>')), plain('List')),
    { text: 'One\nList', html: '<p>One</p>\n<div style="white-space: pre-wrap">List</div>' },
  ],
  [
    'a text that is a file',
    mixed(plain('See file'), { ...file('notes.txt', 'text/plain') }),
    { text: 'See file', html: null, files: ['1 notes.txt text/plain'] },
  ],
  [
    'a text that says it is one, without a name',
    mixed(plain('See file'), { type: 'text/html', parsed: '<p>x</p>', headers: { 'Content-Disposition': 'ATTACHMENT' } }),
    { text: 'See file', html: null, files: ['1 unnamed text/html'] },
  ],
  [
    'an appointment',
    either(plain('Come'), { type: 'text/calendar', parsed: 'BEGIN:VCALENDAR' }),
    { text: 'Come', html: null, files: ['1 invite.ics text/calendar'] },
  ],
  [
    'a mail within the mail',
    mixed(plain('Passed on'), { type: 'message/rfc822', parsed: 'x', parts: [mixed(plain('Inner'), file('inner.pdf'))] }),
    { text: 'Passed on', html: null, files: ['1 message.eml message/rfc822'] },
  ],
  ['a file and no words', file('scan.pdf'), { text: '', html: null, files: ['whole scan.pdf application/pdf'] }],
  [
    'a name that is still encoded',
    mixed(plain('x'), file('=?UTF-8?Q?Befund_=C3=A4.pdf?=')),
    { text: 'x', html: null, files: ['1 Befund ä.pdf application/pdf'] },
  ],
])('reads an email with %s', (_, payload, { text, html, files = [] }) => {
  expect(parsed(payload)).toEqual({ text, html, files })
})

test('gives an inline image its content id', () => {
  const picture = { ...file('logo.png', 'image/png'), headers: { 'Content-ID': '<logo@x>', 'Content-Disposition': 'inline' } }
  const { attachments } = messageOf(read({ type: 'multipart/related', parts: [rich('<img src="cid:logo@x">'), picture] }))
  expect(attachments).toEqual([{ id: '1', name: 'logo.png', mimeType: 'image/png', size: 5, contentId: 'logo@x' }])
})

test('finds a file by its part number, and no other part', () => {
  const { payload } = read(mixed(either(plain('x'), rich('y')), file('a.pdf')))
  expect(fileNamed(payload, '1')).toMatchObject({ filename: 'a.pdf' })
  for (const id of ['0', '0.0', '2', '', 'whole']) expect(fileNamed(payload, id)).toBeUndefined()
  expect(fileNamed(read(file('a.pdf')).payload, 'whole')).toMatchObject({ filename: 'a.pdf' })
})

test('recognizes text that Gmail omits, and does not mistake files for it', () => {
  const { payload } = read(mixed(plain('x'), file('a.txt', 'text/plain')))
  expect(distantTexts(payload)).toEqual([])
  payload.parts[0]!.body = { attachmentId: 'far', size: 1_000_000 }
  expect(distantTexts(payload).map(({ partId }) => partId)).toEqual(['0'])
})

test.each([
  ['UTF-8', 'utf-8', Buffer.from('Grüße, 谢谢, ☀️')],
  ['UTF-8 that is said to be Latin, as Gmail hands it on', 'iso-8859-1', Buffer.from('Grüße, 谢谢, ☀️')],
  ['UTF-8 that is said to be Japanese, likewise', 'iso-2022-jp', Buffer.from('Grüße, 谢谢, ☀️')],
  ['UTF-8 without a word', '', Buffer.from('Grüße, 谢谢, ☀️')],
  ['UTF-8 under a name that no one knows', 'x-unknown', Buffer.from('Grüße, 谢谢, ☀️')],
])('reads text in %s', (_, charset, bytes) => {
  expect(parsed({ type: 'text/plain', parsed: bytes, charset }).text).toBe('Grüße, 谢谢, ☀️')
})

test.each([
  ['iso-8859-1', 'Grüße', [0x47, 0x72, 0xfc, 0xdf, 0x65]],
  ['windows-1252', '“€”', [0x93, 0x80, 0x94]],
  ['ISO-8859-15', '€é', [0xa4, 0xe9]],
  ['koi8-r', 'Привет', [0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]],
  ['windows-1256', 'محمد', [0xe3, 0xcd, 0xe3, 0xcf]],
  ['shift_jis', '日本語', [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]],
  ['iso-2022-jp', '日本', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]],
  ['gb2312', '你好', [0xc4, 0xe3, 0xba, 0xc3]],
  ['utf-16le', 'Hé', [0x48, 0x00, 0xe9, 0x00]],
  ['x-unknown', 'Grüße', [0x47, 0x72, 0xfc, 0xdf, 0x65]],
  ['utf-7', 'Grüße', [0x47, 0x72, 0xfc, 0xdf, 0x65]],
  ['', 'Grüße', [0x47, 0x72, 0xfc, 0xdf, 0x65]],
])('reads text in the bytes of %j', (charset, expected, bytes) => {
  expect(parsed({ type: 'text/plain', parsed: Buffer.from(bytes), charset }).text).toBe(expected)
})

const withHeaders = (headers: Record<string, string>) => ({ ...plain('x'), headers })

test('reads people from headers, including groups and malformed ones', () => {
  const given = read(
    withHeaders({
      From: '"Dr. Böhm, Ann" <ann@mail.example>',
      TO: 'Zoë <zoe@mail.example>, plain@mail.example, "O\'Neil \\"Jo\\"" <jo@mail.example>',
      Cc: 'undisclosed-recipients:;, Team: a@mail.example, B <b@mail.example>;',
      Bcc: '=?utf-8?B?w4Q=?= <ae@mail.example>',
      'Reply-To': '=?iso-8859-1?Q?Gr=FC=DFe?= =?iso-8859-1?Q?_an?= <g@mail.example>',
      Subject: '=?UTF-8?B?w4Q=?= and =?big5?B?p0GmbqFB?= rest',
    }),
  )
  expect(messageOf(given)).toMatchObject({
    from: { name: 'Dr. Böhm, Ann', email: 'ann@mail.example' },
    to: [
      { name: 'Zoë', email: 'zoe@mail.example' },
      { name: '', email: 'plain@mail.example' },
      { name: 'O\'Neil "Jo"', email: 'jo@mail.example' },
    ],
    cc: [
      { name: '', email: 'a@mail.example' },
      { name: 'B', email: 'b@mail.example' },
    ],
    bcc: [{ name: 'Ä', email: 'ae@mail.example' }],
    replyTo: [{ name: 'Grüße an', email: 'g@mail.example' }],
    subject: 'Ä and 你好， rest',
  })
})

test.each([
  ['=?UTF-8?B?8J+Y?= =?UTF-8?B?gA==?=', '😀'],
  ['=?utf-8*de?q?Gr=C3=BC=C3=9Fe_=?=', 'Grüße ='],
  ['=?UTF-8?Q?a?= =?ISO-8859-1?Q?=E4?=', 'aä'],
  ['=?x-unknown?Q?=C3=A4?=', 'ä'],
  ['=?UTF-8?B??=', ''],
  ['=?broken', '=?broken'],
  ['1 =? 2 ?= 3', '1 =? 2 ?= 3'],
])('reads the subject %j as %j', (subject, expected) => {
  expect(headOf(read(withHeaders({ Subject: subject }))).subject).toBe(expected)
})

test('shows a message without headers', () => {
  const bare = message.parse({ id: 'a1', threadId: 'b1', payload: {} })
  expect(messageOf(bare)).toMatchObject({
    from: null,
    to: [],
    subject: '',
    text: '',
    html: null,
    isUnread: false,
    isSent: false,
    attachments: [],
  })
})

test('decodes the HTML entities of snippets', () => {
  expect(headOf(read(plain('x'))).snippet).toBe("It's <3")
})

test('builds a thread from sent and received messages, or from drafts when it has no others', () => {
  const of = (id: string, labelIds: string[], internalDate: number, subject: string) => ({
    id,
    threadId: 'b1',
    labelIds,
    internalDate: String(internalDate),
    snippet: id,
    payload: partOf(withHeaders({ Subject: subject, From: 'Ann <ann@mail.example>', To: 'ANN@mail.example, me@clinic.example' })),
  })
  const draft = of('d1', ['DRAFT'], 3_000, 'Draft')
  const both = thread.parse({
    id: 'b1',
    messages: [
      of('a2', ['INBOX', 'UNREAD', 'CATEGORY_UPDATES'], 2_000, 'Re: One'),
      of('a1', ['Label_1', 'IMPORTANT'], 1_000, 'One'),
      draft,
    ],
  })
  expect(threadOf(both)).toEqual({
    id: 'b1',
    subject: 'One',
    snippet: 'a2',
    people: [
      { name: 'Ann', email: 'ann@mail.example' },
      { name: '', email: 'me@clinic.example' },
    ],
    date: new Date(2_000),
    messageCount: 2,
    isUnread: true,
    hasAttachments: false,
    folders: ['INBOX', 'Label_1', 'DRAFT'],
  })
  const alone = threadOf(thread.parse({ id: 'b1', messages: [draft] }))
  expect(alone).toMatchObject({ subject: 'Draft', messageCount: 0, date: new Date(3_000), folders: ['DRAFT'] })
})

test.each([
  ['multipart/mixed', true],
  ['application/pdf', true],
  ['multipart/alternative', false],
  ['multipart/related', false],
  ['text/html', false],
])('in a list, %s has files: %s', (mimeType, has) => {
  const given = { id: 'a1', threadId: 'b1', payload: { mimeType } }
  expect(threadOf(thread.parse({ id: 'b1', messages: [given] })).hasAttachments).toBe(has)
})
