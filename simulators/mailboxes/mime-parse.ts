/** Parses the RFC 822 text of an email that a client sends. */
import type { Address, Attachment } from './message.ts'

export type ParsedMail = {
  from: Address[]
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  text: string | undefined
  html: string | undefined
  attachments: Omit<Attachment, 'id'>[]
  messageId: string | undefined
  inReplyTo: string | undefined
  references: string[]
}

type Node = { headers: Map<string, string>; body: Buffer }

export function parseMail(raw: Buffer): ParsedMail {
  const top = nodeOf(raw)
  const mail: ParsedMail = {
    from: addressesIn(top.headers.get('from')),
    to: addressesIn(top.headers.get('to')),
    cc: addressesIn(top.headers.get('cc')),
    bcc: addressesIn(top.headers.get('bcc')),
    replyTo: addressesIn(top.headers.get('reply-to')),
    subject: decoded(top.headers.get('subject') ?? ''),
    text: undefined,
    html: undefined,
    attachments: [],
    messageId: top.headers.get('message-id'),
    inReplyTo: top.headers.get('in-reply-to'),
    references: (top.headers.get('references') ?? '').split(/\s+/).filter((one) => one !== ''),
  }
  collect(top, mail)
  return mail
}

function collect(node: Node, mail: ParsedMail): void {
  const { value: type, parameters } = valueOf(node.headers.get('content-type') ?? 'text/plain')
  const boundary = parameters.get('boundary')
  if (type.startsWith('multipart/') && boundary !== undefined) {
    for (const part of partsOf(node.body, boundary)) collect(nodeOf(part), mail)
    return
  }
  const bytes = contentOf(node)
  const disposition = valueOf(node.headers.get('content-disposition') ?? '')
  const filename = decoded(disposition.parameters.get('filename') ?? parameters.get('name') ?? '')
  if (disposition.value !== 'attachment' && filename === '' && (type === 'text/plain' || type === 'text/html')) {
    const text = new TextDecoder(knownCharset(parameters.get('charset'))).decode(bytes)
    if (type === 'text/html') mail.html = (mail.html ?? '') + text
    else mail.text = (mail.text ?? '') + text
    return
  }
  const contentId = node.headers.get('content-id')?.replace(/^<|>$/g, '')
  mail.attachments.push({
    filename: filename || 'noname',
    contentType: type,
    ...(contentId !== undefined && { contentId, isInline: disposition.value === 'inline' }),
    content: () => bytes,
  })
}

function nodeOf(raw: Buffer): Node {
  const text = raw.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  const head = end ? text.slice(0, end.index) : text
  const headers = new Map<string, string>()
  for (const line of Buffer.from(head, 'latin1')
    .toString('utf8')
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: end ? raw.subarray(end.index + end[0].length) : Buffer.alloc(0) }
}

function partsOf(body: Buffer, boundary: string): Buffer[] {
  const text = `\n${body.toString('latin1')}`
  return text
    .split(`\n--${boundary}`)
    .slice(1)
    .filter((part) => !part.startsWith('--'))
    .map((part) => Buffer.from(part.replace(/^[^\n]*\n/, '').replace(/\r$/, ''), 'latin1'))
}

function contentOf({ headers, body }: Node): Buffer {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase()
  if (encoding === 'base64') return Buffer.from(body.toString('latin1'), 'base64')
  return encoding === 'quoted-printable' ? quotedPrintable(body.toString('latin1')) : body
}

function quotedPrintable(text: string): Buffer {
  const plain = text.replace(/=\r?\n/g, '').replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** `text/html; charset="utf-8"` */
function valueOf(header: string): { value: string; parameters: Map<string, string> } {
  const [value = '', ...rest] = header.match(/(?:"[^"]*"|[^;])+/g) ?? []
  const parameters = rest.map((one) => {
    const [name = '', ...valueParts] = one.split('=')
    const text = valueParts.join('=').trim().replace(/^"|"$/g, '')
    // RFC 2231: filename*=UTF-8''%C3%84.pdf
    return name.trim().endsWith('*')
      ? ([name.trim().slice(0, -1).toLowerCase(), decodeURIComponent(text.replace(/^[^']*'[^']*'/, ''))] as const)
      : ([name.trim().toLowerCase(), text] as const)
  })
  return { value: value.trim().toLowerCase(), parameters: new Map(parameters) }
}

/** @param header `"Name, the" <a@b.example>, c@d.example` */
function addressesIn(header: string | undefined): Address[] {
  return (header?.match(/(?:"(?:\\.|[^"\\])*"|[^,"])+/g) ?? []).flatMap((one) => {
    const [, name, email] = /^\s*(.*?)\s*<([^<>\s]+)>\s*$/s.exec(one) ?? []
    if (email !== undefined) return [{ name: decoded((name ?? '').replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')), email }]
    return one.trim() === '' ? [] : [{ name: '', email: one.trim() }]
  })
}

/** RFC 2047 */
function decoded(text: string): string {
  return text.replace(/(\?=)\s+(=\?)/g, '$1$2').replace(/((?:=\?[^?]+\?[bBqQ]\?[^?]*\?=)+)/g, (run) => {
    const words = [...run.matchAll(/=\?([^?]+)\?([bBqQ])\?([^?]*)\?=/g)]
    const bytes = words.map(([, , kind, encoded = '']) =>
      kind?.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quotedPrintable(encoded.replaceAll('_', ' ')),
    )
    return new TextDecoder(knownCharset(words[0]?.[1])).decode(Buffer.concat(bytes))
  })
}

function knownCharset(name: string | undefined): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return 'utf-8'
  }
}
