/** Parses Postmark's posts in a worker (started by read-mail.ts): an email can be 50 MB of arbitrary content. */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fieldsOf, inboundMail, type InboundMail } from '../../../integrations/postmark/inbound.ts'
import { runWorker } from '../../../kernel/workers/worker-process.ts'
import { patientFileLimit } from '../../../documents/rules.ts'

/** An email shortened to the parser's limits; its attachments are on disk. */
export type ReadMail = Omit<InboundMail, 'Attachments'> & { attachments: ReceivedFile[] }
export type ReceivedFile = {
  name: string
  mimeType: string
  /** In bytes. */
  size: number
  contentId: string | null
  /** The path of its uninspected bytes; null when it exceeds the size limit or the maximum number of files. */
  file: string | null
}
export type MailWork = (given: {
  body: string
  folder: string
  maxFiles: number
}) => Promise<{ mail: ReadMail } | { fields: Record<string, string> } | { refusal: 'INVALID_JSON' }>

/** Characters, and how many of a kind. */
const most = { html: 10_000_000, text: 1_000_000, line: 10_000, list: 1_000 }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const [quotationMark, colon, padding] = [0x22, 0x3a, 0x3d]
const key = Buffer.from('"Content"')
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d

/** The byte range of the string in a `"Content": "…"`, without its quotation marks. Null: no string follows the key. */
function contentAt(body: Buffer, at: number): [begin: number, end: number] | null {
  let begin = at + key.length
  const skip = () => {
    while (isSpace(body[begin])) begin++
  }
  skip()
  if (body[begin++] !== colon) return null
  skip()
  if (body[begin++] !== quotationMark) return null
  const end = body.indexOf(quotationMark, begin)
  return end < 0 ? null : [begin, end]
}

/**
 * Cuts the attachments' contents out of the body and replaces each with its index: parsing 50 MB as one string takes five times as much
 * memory. The key cannot occur inside a string, where quotation marks are escaped, and base64 has no quotation marks.
 */
function withoutContents(body: Buffer): { text: string; contents: Buffer[] } {
  const [kept, contents]: [Buffer[], Buffer[]] = [[], []]
  let from = 0
  for (let at = body.indexOf(key); at >= 0; at = body.indexOf(key, Math.max(at + key.length, from))) {
    const found = contentAt(body, at)
    if (!found) continue
    kept.push(body.subarray(from, found[0]), Buffer.from(String(contents.length)))
    contents.push(body.subarray(...found))
    from = found[1]
  }
  return { text: Buffer.concat([...kept, body.subarray(from)]).toString(), contents }
}

/** The decoded bytes of an attachment. Undefined: its content is not a valid JSON string. */
function bytesOf(content: Buffer): Buffer<ArrayBuffer> | undefined {
  const base64 = content.includes('\\') ? parse(`"${content.toString()}"`) : content.toString('latin1')
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined
}

runWorker<MailWork>(async ({ body, folder, maxFiles }) => {
  const { text, contents } = withoutContents(await fs.readFile(body))
  const parsed = parse(text)
  if (parsed === undefined) return { refusal: 'INVALID_JSON' }
  const given = inboundMail.safeParse(parsed)
  if (!given.success) return { fields: fieldsOf(given.error) }
  const { Attachments, ...mail } = given.data
  const attachments: ReceivedFile[] = []
  for (const { Name, Content, ContentType, ContentID } of Attachments) {
    const content = contents[Number(Content)]
    if (!content) return { refusal: 'INVALID_JSON' }
    const size = Math.floor((content.length * 3) / 4) - Number(content.at(-1) === padding) - Number(content.at(-2) === padding)
    const isKept = size <= patientFileLimit && attachments.length < maxFiles
    const file = isKept ? path.join(folder, randomUUID()) : null
    const bytes = isKept ? bytesOf(content) : null
    if (bytes === undefined) return { refusal: 'INVALID_JSON' }
    if (file !== null && bytes) await fs.writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
    attachments.push({
      name: Name.replaceAll('\0', '').toWellFormed().slice(0, 255) || 'attachment',
      mimeType: ContentType.slice(0, 100),
      size: bytes?.length ?? size,
      contentId: ContentID?.replace(/^<|>$/g, '').slice(0, 200) ?? null,
      file,
    })
  }
  const line = (text: string) => text.slice(0, most.line)
  return {
    mail: {
      ...mail,
      Subject: line(mail.Subject),
      To: line(mail.To),
      FromName: line(mail.FromName),
      OriginalRecipient: line(mail.OriginalRecipient),
      ToFull: mail.ToFull.slice(0, most.list),
      CcFull: mail.CcFull.slice(0, most.list),
      TextBody: mail.TextBody.slice(0, most.text),
      StrippedTextReply: '',
      HtmlBody: mail.HtmlBody.slice(0, most.html),
      Headers: mail.Headers.slice(0, most.list).map(({ Name, Value }) => ({ Name: line(Name), Value: line(Value) })),
      attachments,
    },
  }
})
