import { randomUUID } from 'node:crypto'
import zlib from 'node:zlib'
import { hostileFiles } from '../../test/documents/hostile-files.ts'
import { box, document, buildPdf, repeated, spreadsheet, buildZip } from './bytes.ts'

export type Endpoint =
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
/** `times`: how many copies are sent at once. A name that is not a file name starts with the file type, which becomes the extension of the file sent. */
export type HostileCase = { name: string; endpoint: Endpoint; times?: number; build: () => Bytes | Promise<Bytes> }

const kilo = 1024
const mega = 1024 * kilo
/** Just under the size limit of a patient's file. */
const large = 9 * mega

const readHostileFile = async (name: string): Promise<Bytes> => Buffer.from(await hostileFiles.find((file) => file.name === name)!.bytes())
const sheet = (xml: string) => `<worksheet><sheetData>${xml}</sheetData></worksheet>`

/** An inbound email as Postmark posts it. */
const mail = (given: object): Bytes =>
  Buffer.from(JSON.stringify({ MessageID: randomUUID(), From: 'ana@elsewhere.example', Subject: 'Hello', TextBody: 'Hello', ...given }))
const attached = (name: string, type: string, bytes: Buffer) => ({ Name: name, ContentType: type, Content: bytes.toString('base64') })
const json = (value: unknown): Bytes => Buffer.from(JSON.stringify(value))
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)
const nestedMail = (depth: number): string =>
  numbers(depth)
    .map((i) => `content-type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`)
    .join('')

/** The inputs that the review found, and more of the same kinds. */
export const hostileCases: readonly HostileCase[] = [
  // Patient files; some are also sent to the staff endpoints and without a session
  ...hostileFiles.map(({ name, bytes }): HostileCase => ({ name, endpoint: 'portal', build: async () => Buffer.from(await bytes()) })),
  { name: 'exif-repeated.jpg', endpoint: 'portal, no session', build: () => readHostileFile('exif-repeated.jpg') },
  { name: 'exif-repeated.jpg', endpoint: 'staff, no session', build: () => readHostileFile('exif-repeated.jpg') },
  { name: 'progressive.jpg', endpoint: 'staff', times: 20, build: () => readHostileFile('progressive.jpg') },
  {
    name: 'HEIC, 400,000 items',
    endpoint: 'portal',
    build: () => {
      const item = box('infe', Buffer.from('\x02\0\0\0\0\x01\0\0hvc1\0', 'latin1'))
      const items = Buffer.concat([Buffer.from([0, 0, 0, 0, 0xff, 0xff]), Buffer.concat(Array.from({ length: 400_000 }, () => item))])
      return Buffer.concat([
        Buffer.from('\0\0\0\x18ftypheic\0\0\0\0heicmif1', 'latin1'),
        box('meta', Buffer.concat([Buffer.alloc(4), box('iinf', items)])),
      ])
    },
  },
  { name: 'PDF, 1,000,000 unfinished dictionaries', endpoint: 'portal', build: () => buildPdf(repeated('<</JS(', large)) },
  { name: 'DOCX, 600 MB of spaces', endpoint: 'portal', build: () => document({ 'word/document.xml': { text: ' ', times: 600 * mega } }) },
  {
    name: 'DOCX, 5,000,000 nested elements',
    endpoint: 'portal',
    build: () => document({ 'word/document.xml': { text: '<w:p>', times: 5_000_000 } }),
  },
  {
    name: 'a form with 80,000 parts',
    endpoint: 'portal, raw form',
    build: () =>
      Buffer.concat([repeated('--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n', 4 * mega), Buffer.from('\r\n--x--\r\n')]),
  },
  {
    name: 'a form with 8 MB of headers in one part',
    endpoint: 'portal, raw form',
    build: () => Buffer.concat([Buffer.from('--x\r\n'), repeated('x-header: value\r\n', 8 * mega), Buffer.from('\r\n--x--\r\n')]),
  },
  { name: 'a form with 8 MB of unfinished boundaries', endpoint: 'portal, raw form', build: () => repeated('\r\n--', 8 * mega) },
  // Spreadsheets
  {
    name: 'xlsx, 40,000,000 nested elements',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a>', times: 40_000_000 } }),
  },
  {
    name: 'xlsx, 40,000,000 sibling elements',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a/>', times: 40_000_000 } }),
  },
  {
    name: 'xlsx, an element with 1,000,000 attributes',
    endpoint: 'import',
    build: () =>
      spreadsheet({
        'xl/worksheets/sheet1.xml': `<a ${numbers(1_000_000)
          .map((i) => `a${i}="1"`)
          .join(' ')}>`,
      }),
  },
  {
    name: 'xlsx, an attribute of 140 MB',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': { text: '<a a="aaa', times: 15_000_000 } }),
  },
  {
    name: 'xlsx, 8,000,000 texts',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/sharedStrings.xml': { text: '<si><t>a</t></si>', times: 8_000_000 } }),
  },
  {
    name: 'xlsx, a text of 60 MB',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/sharedStrings.xml': `<si><t>${'a'.repeat(60_000_000)}</t></si>` }),
  },
  {
    name: 'xlsx, 2,000,000 cell styles',
    endpoint: 'import',
    build: () =>
      spreadsheet({
        'xl/styles.xml': `<s><numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(2_000_000)}`,
      }),
  },
  {
    name: 'xlsx, 60,000 parts',
    endpoint: 'import',
    build: () => spreadsheet(Object.fromEntries(numbers(60_000).map((i) => [`xl/${i}`, '']))),
  },
  {
    name: 'xlsx, an attribute called hasOwnProperty',
    endpoint: 'import',
    build: () => spreadsheet({ 'xl/worksheets/sheet1.xml': sheet('<row hasOwnProperty="1" r="1"/>') }),
  },
  { name: 'CSV, 90 MB of quotation marks', endpoint: 'import, CSV', build: () => repeated('"', 90 * mega) },
  {
    name: 'CSV, 90 MB of malformed quoted fields',
    endpoint: 'import, CSV',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeated('"a"b,', 90 * mega)]),
  },
  { name: 'CSV, a field of 90 MB', endpoint: 'import, CSV', build: () => repeated('a', 90 * mega) },
  {
    name: 'CSV, 45,000,000 empty rows',
    endpoint: 'import, CSV',
    build: () => Buffer.concat([Buffer.from('a,b\n'), repeated(',\n', 90 * mega)]),
  },
  { name: 'CSV, zeros', endpoint: 'import, CSV', build: () => Buffer.concat([Buffer.from('a,b\n'), Buffer.alloc(10 * mega)]) },
  // Emails
  {
    name: 'an email with 2,000,000 headers',
    endpoint: 'hook',
    build: () => mail({ Headers: numbers(2_000_000).map(() => ({ Name: '', Value: '' })) }),
  },
  {
    name: 'an email with 100,000 attachments',
    endpoint: 'hook',
    build: () => mail({ Attachments: numbers(100_000).map((i) => attached(`${i}.txt`, 'text/plain', Buffer.from('a'))) }),
  },
  {
    name: 'an email nested 1,000,000 levels deep',
    endpoint: 'hook',
    build: () => Buffer.from(`{"MessageID":"a","From":"a@b.example","X":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
  },
  { name: 'an email with 33 MB of text', endpoint: 'hook', build: () => mail({ TextBody: `x${'\r'.repeat(16 * mega)}x` }) },
  {
    name: 'an email with 200,000 nested elements',
    endpoint: 'hook',
    build: () => mail({ TextBody: '', HtmlBody: '<div>'.repeat(200_000) }),
  },
  {
    name: 'an email with an element with 100,000 attributes',
    endpoint: 'hook',
    build: () =>
      mail({
        TextBody: '',
        HtmlBody: `<p ${numbers(100_000)
          .map((i) => `a${i}=1`)
          .join(' ')}>`,
      }),
  },
  {
    name: 'an email with 1 MB of styles',
    endpoint: 'hook',
    build: () => mail({ TextBody: '', HtmlBody: `<p style="${'color:red;'.repeat(95_000)}">x</p>`.repeat(1) }),
  },
  {
    name: 'an email with 1 MB of unfinished tags',
    endpoint: 'hook',
    build: () => mail({ TextBody: '', HtmlBody: '<a<b'.repeat(250_000) }),
  },
  {
    name: 'an email with an attached email of 50,000 nested parts',
    endpoint: 'hook',
    build: () => mail({ Attachments: [attached('mail.eml', 'message/rfc822', Buffer.from(nestedMail(50_000)))] }),
  },
  {
    name: 'an email with 35 JPEGs of endless Exif markers',
    endpoint: 'hook',
    build: async () => {
      const jpeg = (await readHostileFile('exif-repeated.jpg')).subarray(0, mega)
      return mail({ Attachments: numbers(35).map((i) => attached(`${i}.jpg`, 'image/jpeg', jpeg)) })
    },
  },
  {
    name: 'an email with 40 PNGs of 200 text chunks',
    endpoint: 'hook',
    build: async () => {
      const png = await readHostileFile('ztxt-bombs.png')
      return mail({ Attachments: numbers(40).map((i) => attached(`${i}.png`, 'image/png', png)) })
    },
  },
  {
    name: 'an email with an archive in an archive',
    endpoint: 'hook',
    build: async () =>
      mail({
        Attachments: [
          attached(
            'a.docx',
            'application/zip',
            await buildZip({ 'word/document.xml': await buildZip({ x: { text: ' ', times: 100 * mega } }) }),
          ),
        ],
      }),
  },
  // Leads, from anyone who has seen the form
  { name: '64 KB that unpack to 60 MB', endpoint: 'lead, gzip', build: () => zlib.gzipSync(Buffer.alloc(60 * mega, ' ')) },
  { name: '10,000 levels', endpoint: 'lead', build: () => Buffer.from(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`) },
  {
    name: '20,000 fields',
    endpoint: 'lead, form',
    build: () =>
      Buffer.from(
        numbers(20_000)
          .map(() => 'a=&')
          .join(''),
      ),
  },
  {
    name: '5,000 fields with brackets',
    endpoint: 'lead, form',
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
    endpoint: 'lead, multipart',
    build: () => Buffer.from(`${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1_200)}--x--\r\n`),
  },
  {
    name: 'an address of 60,000 dots',
    endpoint: 'lead',
    times: 10,
    build: () => json({ form_id: '1', '1.3': 'Ana', '1.6': 'Silva', '2': `a@${'.'.repeat(60_000)}@` }),
  },
  { name: 'labels of 60,000 digits', endpoint: 'lead', times: 10, build: () => json({ [`${'1'.repeat(60_000)}.3`]: 'Ana', form_id: 1 }) },
  // Calls
  { name: 'JSON of 120,000 levels', endpoint: 'call', build: () => Buffer.from(`{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`) },
  {
    name: 'JSON of 20,000 fields',
    endpoint: 'call, no session',
    build: () => json(Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, i]))),
  },
  { name: 'JSON of a list of 50,000', endpoint: 'call', build: () => json({ assigneeIds: numbers(50_000).map(() => 1) }) },
  {
    name: 'a template with 900 KB of unfinished tags',
    endpoint: 'preview',
    build: () => Buffer.from(`body=${encodeURIComponent('{{html_content}}')}&html=${'%3Cbody+'.repeat(110_000)}`),
  },
]
