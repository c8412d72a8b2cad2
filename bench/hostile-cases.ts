import { randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import { hostileFiles } from '../test/hostile-files.ts'
import { box, document, pdfOf, repeated, spreadsheet, zipOf } from './hostile-bytes.ts'

export type Door =
  | 'portal'
  | 'portal, no session'
  | 'portal, raw form'
  | 'staff'
  | 'staff, no session'
  | 'import'
  | 'import, CSV'
  | 'hook'
  | 'lead'
  | 'lead, gzip'
  | 'lead, form'
  | 'lead, multipart'
  | 'call'
  | 'call, no session'
  | 'preview'

type Bytes = Buffer<ArrayBuffer>
/** `times`: how often it is sent at once. A name that is no file's begins with its kind, which is the ending of a document's name. */
export type HostileCase = { name: string; door: Door; times?: number; build: () => Bytes | Promise<Bytes> }

const kilo = 1024
const mega = 1024 * kilo
/** As large as a patient's file may nearly be. */
const large = 9 * mega

const fileCalled = async (name: string): Promise<Bytes> => Buffer.from(await hostileFiles.find((file) => file.name === name)!.bytes())
const sheet = (xml: string) => `<worksheet><sheetData>${xml}</sheetData></worksheet>`

/** A mail as Postmark posts it. */
const mail = (given: object): Bytes =>
  Buffer.from(JSON.stringify({ MessageID: randomUUID(), From: 'ana@elsewhere.example', Subject: 'Hello', TextBody: 'Hello', ...given }))
const attached = (name: string, type: string, bytes: Buffer) => ({ Name: name, ContentType: type, Content: bytes.toString('base64') })
const json = (value: unknown): Bytes => Buffer.from(JSON.stringify(value))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const nestedMail = (depth: number): string =>
  numbers(depth)
    .map((i) => `content-type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`)
    .join('')

/** What the review found, and more of the kinds that it is an example of. */
export const hostileCases: readonly HostileCase[] = [
  // Files of patients; some through the doors of staff and of those who prove nothing
  ...hostileFiles.map(({ name, bytes }): HostileCase => ({ name, door: 'portal', build: async () => Buffer.from(await bytes()) })),
  { name: 'exif-repeated.jpg', door: 'portal, no session', build: () => fileCalled('exif-repeated.jpg') },
  { name: 'exif-repeated.jpg', door: 'staff, no session', build: () => fileCalled('exif-repeated.jpg') },
  { name: 'progressive.jpg', door: 'staff', times: 20, build: () => fileCalled('progressive.jpg') },
  {
    name: 'HEIC, 500,000 items',
    door: 'portal',
    build: () => {
      const item = box('infe', Buffer.from('\x02\0\0\0\0\x01\0\0hvc1\0', 'latin1'))
      const items = Buffer.concat([Buffer.from([0, 0, 0, 0, 0xff, 0xff]), Buffer.concat(Array.from({ length: 400_000 }, () => item))])
      return Buffer.concat([
        Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'),
        box('meta', Buffer.concat([Buffer.alloc(4), box('iinf', items)])),
      ])
    },
  },
  { name: 'PDF, 1,000,000 unfinished dictionaries', door: 'portal', build: () => pdfOf(repeated('<</JS(', large)) },
  { name: 'DOCX, 600 MB of spaces', door: 'portal', build: () => document({ 'word/document.xml': { text: ' ', times: 600 * mega } }) },
  {
    name: 'DOCX, 5,000,000 elements in one another',
    door: 'portal',
    build: () => document({ 'word/document.xml': { text: '<w:p>', times: 5_000_000 } }),
  },
  {
    name: 'a form of 80,000 parts',
    door: 'portal, raw form',
    build: () =>
      Buffer.concat([repeated('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n', 4 * mega), Buffer.from('\r\n--x--\r\n')]),
  },
  {
    name: 'a form whose part has 8 MB of headers',
    door: 'portal, raw form',
    build: () => Buffer.concat([Buffer.from('--x\r\n'), repeated('x-header: value\r\n', 8 * mega), Buffer.from('\r\n--x--\r\n')]),
  },
  { name: 'a form of 8 MB of boundaries begun', door: 'portal, raw form', build: () => repeated('\r\n--', 8 * mega) },
  // Spreadsheets
  {
    name: 'xlsx, 40,000,000 elements in one another',
    door: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a>', times: 40_000_000 } }),
  },
  {
    name: 'xlsx, 40,000,000 elements beside one another',
    door: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a/>', times: 40_000_000 } }),
  },
  {
    name: 'xlsx, an element of 1,000,000 attributes',
    door: 'import',
    build: () =>
      spreadsheet({
        'xl/worksheets/sheet1.xml': `<a ${numbers(1_000_000)
          .map((i) => `a${i}="1"`)
          .join(' ')}>`,
      }),
  },
  {
    name: 'xlsx, an attribute of 140 MB',
    door: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a a="aaa', times: 15_000_000 } }),
  },
  {
    name: 'xlsx, 8,000,000 texts',
    door: 'import',
    build: () => spreadsheet({ 'xl/sharedStrings.xml': { text: '<si><t>a</t></si>', times: 8_000_000 } }),
  },
  {
    name: 'xlsx, a text of 60 MB',
    door: 'import',
    build: () => spreadsheet({ 'xl/sharedStrings.xml': `<si><t>${'a'.repeat(60_000_000)}</t></si>` }),
  },
  {
    name: 'xlsx, 2,000,000 cell styles',
    door: 'import',
    build: () =>
      spreadsheet({
        'xl/styles.xml': `<s><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(2_000_000)}`,
      }),
  },
  { name: 'xlsx, 60,000 parts', door: 'import', build: () => spreadsheet(Object.fromEntries(numbers(60_000).map((i) => [`xl/${i}`, '']))) },
  {
    name: 'xlsx, an attribute called hasOwnProperty',
    door: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': sheet('<row hasOwnProperty="1" r="1"/>') }),
  },
  { name: 'CSV, 90 MB of quotation marks', door: 'import, CSV', build: () => repeated('"', 90 * mega) },
  {
    name: 'CSV, 90 MB of quotation marks left open',
    door: 'import, CSV',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeated('"a"b,', 90 * mega)]),
  },
  { name: 'CSV, a field of 90 MB', door: 'import, CSV', build: () => repeated('a', 90 * mega) },
  {
    name: 'CSV, 45,000,000 empty rows',
    door: 'import, CSV',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeated(',\n', 90 * mega)]),
  },
  { name: 'CSV, zeros', door: 'import, CSV', build: () => Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(10 * mega)]) },
  // Mails
  {
    name: 'a mail of 2,000,000 headers',
    door: 'hook',
    build: () => mail({ Headers: numbers(2_000_000).map(() => ({ Name: '', Value: '' })) }),
  },
  {
    name: 'a mail of 100,000 attachments',
    door: 'hook',
    build: () => mail({ Attachments: numbers(100_000).map((i) => attached(`${i}.txt`, 'text/plain', Buffer.from('a'))) }),
  },
  {
    name: 'a mail of 1,000,000 levels',
    door: 'hook',
    build: () => Buffer.from(`{"MessageID":"a","From":"a@b.example","X":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
  },
  { name: 'a mail of 33 MB of words', door: 'hook', build: () => mail({ TextBody: `x${'\r'.repeat(16 * mega)}x` }) },
  {
    name: 'a mail with 200,000 elements in one another',
    door: 'hook',
    build: () => mail({ TextBody: '', HtmlBody: '<div>'.repeat(200_000) }),
  },
  {
    name: 'a mail with an element of 100,000 attributes',
    door: 'hook',
    build: () =>
      mail({
        TextBody: '',
        HtmlBody: `<p ${numbers(100_000)
          .map((i) => `a${i}=1`)
          .join(' ')}>`,
      }),
  },
  {
    name: 'a mail with 1 MB of styles',
    door: 'hook',
    build: () => mail({ TextBody: '', HtmlBody: `<p style="${'color:red;'.repeat(95_000)}">x</p>`.repeat(1) }),
  },
  { name: 'a mail with 1 MB of tags begun', door: 'hook', build: () => mail({ TextBody: '', HtmlBody: '<a<b'.repeat(250_000) }) },
  {
    name: 'a mail with a mail of 50,000 parts in one another',
    door: 'hook',
    build: () => mail({ Attachments: [attached('mail.eml', 'message/rfc822', Buffer.from(nestedMail(50_000)))] }),
  },
  {
    name: 'a mail with 35 JPEGs, Exif markers without end',
    door: 'hook',
    build: async () => {
      const jpeg = (await fileCalled('exif-repeated.jpg')).subarray(0, mega)
      return mail({ Attachments: numbers(35).map((i) => attached(`${i}.jpg`, 'image/jpeg', jpeg)) })
    },
  },
  {
    name: 'a mail with 40 PNGs of 200 texts',
    door: 'hook',
    build: async () => {
      const png = await fileCalled('ztxt-bombs.png')
      return mail({ Attachments: numbers(40).map((i) => attached(`${i}.png`, 'image/png', png)) })
    },
  },
  {
    name: 'a mail with an archive of an archive',
    door: 'hook',
    build: async () =>
      mail({
        Attachments: [
          attached('a.docx', 'application/zip', await zipOf({ 'word/document.xml': await zipOf({ x: { text: ' ', times: 100 * mega } }) })),
        ],
      }),
  },
  // Leads, from anyone who has seen the form
  { name: '64 KB that unpack to 60 MB', door: 'lead, gzip', build: () => zlib.gzipSync(Buffer.alloc(60 * mega, ' ')) },
  { name: '30,000 levels', door: 'lead', build: () => Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) },
  {
    name: '20,000 fields',
    door: 'lead, form',
    build: () =>
      Buffer.from(
        numbers(20_000)
          .map(() => 'a=&')
          .join(''),
      ),
  },
  {
    name: '7,000 fields with brackets',
    door: 'lead, form',
    build: () =>
      Buffer.from(
        numbers(5_000)
          .map((i) => `a[b][${i}]=1&`)
          .join('')
          .slice(0, 65_000),
      ),
  },
  {
    name: '1,200 parts',
    door: 'lead, multipart',
    build: () => Buffer.from(`${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1_200)}--x--\r\n`),
  },
  {
    name: 'an address of 60,000 dots',
    door: 'lead',
    times: 10,
    build: () => json({ form_id: '1', '1.3': 'Ana', '1.6': 'Silva', '2': `a@${'.'.repeat(60_000)}@` }),
  },
  { name: 'labels of 60,000 digits', door: 'lead', times: 10, build: () => json({ [`${'1'.repeat(60_000)}.3`]: 'Ana', form_id: 1 }) },
  // Calls
  { name: 'JSON of 120,000 levels', door: 'call', build: () => Buffer.from(`{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`) },
  {
    name: 'JSON of 22,000 fields',
    door: 'call, no session',
    build: () => json(Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, i]))),
  },
  { name: 'JSON of a list of 120,000', door: 'call', build: () => json({ assigneeIds: numbers(50_000).map(() => 1) }) },
  {
    name: 'a template of 900 KB of tags begun',
    door: 'preview',
    build: () => Buffer.from(`body=${encodeURIComponent('{{html_content}}')}&html=${'%3Cbody+'.repeat(110_000)}`),
  },
]
