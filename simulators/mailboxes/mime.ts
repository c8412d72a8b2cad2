/** A message as RFC 822 text. */
import type { Address, Attachment, Message } from './message.ts'

/** A node of the message's body. A leaf has content, a branch has parts. */
export type Part = {
  type: string
  headers: [name: string, value: string][]
  filename: string
  content?: { bytes: () => Buffer; attachment?: Attachment }
  parts: Part[]
}

/** @param encoded encodes names as in RFC 2047 instead of leaving them readable. */
export function headersOf(message: Message, encoded = false): [name: string, value: string][] {
  const list = (name: string, people: readonly Address[]): [string, string][] =>
    people.length > 0 ? [[name, people.map((one) => addressText(one, encoded)).join(', ')]] : []
  return [
    ['MIME-Version', '1.0'],
    ['Date', new Date(message.date).toUTCString().replace('GMT', '+0000')],
    ['Message-ID', message.messageId],
    ...(message.inReplyTo ? ([['In-Reply-To', message.inReplyTo]] as [string, string][]) : []),
    ...(message.references.length > 0 ? ([['References', message.references.join(' ')]] as [string, string][]) : []),
    ['Subject', message.subject],
    ...list('From', [message.from]),
    ...list('To', message.to),
    ...list('Cc', message.cc),
    ...list('Bcc', message.bcc),
    ...list('Reply-To', message.replyTo),
  ]
}

/** The body: text and HTML as alternatives, wrapped with the inline images, then with the files. */
export function bodyOf(message: Message): Part {
  const leaves = [
    ...(message.text === undefined ? [] : [textPart('text/plain', message.text)]),
    ...(message.html === undefined ? [] : [textPart('text/html', message.html)]),
  ]
  const body = leaves.length === 1 ? leaves[0]! : branch('multipart/alternative', `alt-${message.id}`, leaves)
  const inline = message.attachments.filter(({ isInline }) => isInline)
  const files = message.attachments.filter(({ isInline }) => !isInline)
  const related = inline.length > 0 ? branch('multipart/related', `rel-${message.id}`, [body, ...inline.map(filePart)]) : body
  return files.length > 0 ? branch('multipart/mixed', `mix-${message.id}`, [related, ...files.map(filePart)]) : related
}

export function rawOf(message: Message): Buffer {
  const body = bodyOf(message)
  const lines = [
    ...headersOf(message, true).map(([name, value]) => [name, name === 'Date' ? value : encodedHeader(value)] as const),
    ...body.headers,
  ]
  return Buffer.from(`${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${textOf(body)}`, 'utf8')
}

function textOf(part: Part): string {
  const [, boundary] = /boundary="([^"]+)"/.exec(part.headers[0]?.[1] ?? '') ?? []
  if (part.content) return base64Lines(part.content.bytes())
  const parts = part.parts.map(
    (one) => `--${boundary}\r\n${one.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${textOf(one)}\r\n`,
  )
  return `${parts.join('')}--${boundary}--\r\n`
}

function textPart(type: string, text: string): Part {
  const headers: [string, string][] = [
    ['Content-Type', `${type}; charset="UTF-8"`],
    ['Content-Transfer-Encoding', 'base64'],
  ]
  return { type, headers, filename: '', content: { bytes: () => Buffer.from(text, 'utf8') }, parts: [] }
}

function filePart(attachment: Attachment): Part {
  const { contentType, filename, contentId, isInline, content } = attachment
  const name = encodedHeader(filename)
  const headers: [string, string][] = [
    ['Content-Type', `${contentType}; name="${name}"`],
    ['Content-Disposition', `${isInline ? 'inline' : 'attachment'}; filename="${name}"`],
    ['Content-Transfer-Encoding', 'base64'],
    ...(contentId === undefined ? [] : ([['Content-ID', `<${contentId}>`]] as [string, string][])),
  ]
  return { type: contentType, headers, filename, content: { bytes: content, attachment }, parts: [] }
}

function branch(type: string, boundary: string, parts: Part[]): Part {
  return { type, headers: [['Content-Type', `${type}; boundary="${boundary}"`]], filename: '', parts }
}

function addressText({ name, email }: Address, encoded: boolean): string {
  if (!name) return email
  // Encoded words are not allowed within quotes.
  if (encoded && /[^\x20-\x7e]/.test(name)) return `${encodedWords(name)} <${email}>`
  return /[",.<>@()]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}" <${email}>` : `${name} <${email}>`
}

/** RFC 2047: encodes non-ASCII words and leaves the others unchanged. */
function encodedHeader(value: string): string {
  return value.replace(/[^\s]*[^\x20-\x7e][^\s]*(?: +[^\s]*[^\x20-\x7e][^\s]*)*/g, encodedWords)
}

/** Encoded words of at most 75 characters. */
function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    if (Buffer.byteLength(word + character) > 42) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ')
}

function base64Lines(bytes: Buffer): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')
}
