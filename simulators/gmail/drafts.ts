/** Sending and drafts. Each change to a draft gives its message a new id; the draft's own id stays. */
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import { type Mailbox, type Message, parseMail } from '../mailbox.ts'
import { invalid, notFound } from './errors.ts'

type DraftIds = { byDraft: Map<string, string>; byMessage: Map<string, string> }

const draftIds = new WeakMap<Mailbox, DraftIds>()

const rawMessage = z.object({ raw: z.string().min(1), threadId: z.string().nullish() })
const draftRequest = z.object({ message: rawMessage })
const sendRequest = z.object({ id: z.string().nullish(), message: rawMessage.nullish() })

export function draftIdOf(mailbox: Mailbox, message: Message): string {
  return idsOf(mailbox).byMessage.get(message.id) ?? `r-${message.id}`
}

/** @throws Refusal */
export function findDraft(mailbox: Mailbox, id: string): Message {
  const message = mailbox.find(idsOf(mailbox).byDraft.get(id) ?? id.replace(/^r-/, ''))
  if (!message?.labels.has('DRAFT') || draftIdOf(mailbox, message) !== id) throw notFound()
  return message
}

/** @throws Refusal */
export function sendMessage(call: Call, mailbox: Mailbox, now: number): Message {
  return deliver(readRaw(call, rawMessage), mailbox, now)
}

export function createDraft(call: Call, mailbox: Mailbox, now: number): Message {
  const input = call.headers['content-type']?.startsWith('message/rfc822') ? readRaw(call, rawMessage) : read(call, draftRequest).message
  return storeMessage(input, mailbox, now, ['DRAFT'])
}

export function changeDraft(id: string, call: Call, mailbox: Mailbox, now: number): Message {
  const before = findDraft(mailbox, id)
  const { message: input } = read(call, draftRequest)
  // Store the new message first: if the old one is alone in its thread, deleting it deletes the thread.
  const after = storeMessage({ ...input, threadId: input.threadId ?? before.threadId }, mailbox, now, [...before.labels])
  mailbox.delete(before)
  idsOf(mailbox).byDraft.set(id, after.id)
  idsOf(mailbox).byMessage.set(after.id, id)
  return after
}

/** Sends a stored draft, unchanged or with a new message. @throws Refusal */
export function sendDraft(call: Call, mailbox: Mailbox, now: number): Message {
  const { id, message } = read(call, sendRequest)
  if (!id && !message) throw invalid('Missing draft message')
  const draft = id ? findDraft(mailbox, id) : undefined
  if (message) {
    const sent = deliver({ ...message, threadId: message.threadId ?? draft?.threadId }, mailbox, now)
    if (draft) mailbox.delete(draft)
    return sent
  }
  if (draft!.to.length + draft!.cc.length + draft!.bcc.length === 0) throw invalid('Recipient address required')
  mailbox.delete(draft!)
  const { id: _id, ...rest } = draft!
  return mailbox.add({ ...rest, date: now, labels: new Set(['SENT']) })
}

function deliver(input: z.output<typeof rawMessage>, mailbox: Mailbox, now: number): Message {
  const { to, cc, bcc } = parseMail(bytesOf(input.raw))
  if (to.length + cc.length + bcc.length === 0) throw invalid('Recipient address required')
  return storeMessage(input, mailbox, now, ['SENT'])
}

/** Refuses an unknown thread. A reply that doesn't name its thread is added to it by its headers. */
function storeMessage({ raw, threadId }: z.output<typeof rawMessage>, mailbox: Mailbox, now: number, labels: readonly string[]): Message {
  if (threadId && mailbox.thread(threadId).length === 0) throw notFound()
  const { from, messageId, attachments, text, html, ...mail } = parseMail(bytesOf(raw))
  return mailbox.add({
    ...mail,
    text: text ?? (html === undefined ? '' : undefined),
    html,
    date: now,
    // Gmail always uses the account's own address, and adds no name that the message lacks.
    from: { name: from[0]?.name ?? '', email: mailbox.email },
    attachments: attachments.map((file) => ({ ...file, id: `ANGj${crypto.randomUUID()}` })),
    labels: new Set(labels),
    ...(messageId !== undefined && { messageId }),
    ...(threadId && { threadId }),
  })
}

function bytesOf(raw: string): Buffer {
  if (!/^[\w+/=-]+$/.test(raw)) throw invalid("Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed")
  return Buffer.from(raw, 'base64url')
}

/** Reads an email from JSON or, at the upload URL, as message/rfc822, alone or after a JSON part. */
function readRaw(call: Call, shape: typeof rawMessage): z.output<typeof rawMessage> {
  const type = call.headers['content-type'] ?? ''
  if (type.startsWith('message/rfc822')) return { raw: call.bytes.toString('base64url') }
  const boundary = /^multipart\/related;.*boundary="?([^";]+)/.exec(type)?.[1]
  return boundary === undefined ? read(call, shape) : readRelated(call, boundary)
}

function readRelated({ query, bytes }: Call, boundary: string): z.output<typeof rawMessage> {
  if (query.get('uploadType') !== 'multipart') throw invalid('Invalid upload request')
  const parts = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)
  const [metadata, mail] = parts.map((part) => {
    const head = part.indexOf('\r\n\r\n')
    return { type: /^content-type: *([\w/]+)/im.exec(part.slice(0, head))?.[1], body: part.slice(head + 4, -2) }
  })
  if (parts.length !== 2 || metadata?.type !== 'application/json' || mail?.type !== 'message/rfc822')
    throw invalid('Media type not supported')
  const parsed = rawMessage.omit({ raw: true }).safeParse(parseJson(Buffer.from(metadata.body, 'latin1').toString('utf8')))
  if (!parsed.success) throw invalid('Invalid JSON payload received.')
  return { ...parsed.data, raw: Buffer.from(mail.body, 'latin1').toString('base64url') }
}

function read<Shape extends z.ZodType>(call: Call, shape: Shape): z.output<Shape> {
  const result = shape.safeParse(parseJson(call.body))
  if (!result.success) throw invalid(`'raw' RFC822 payload message string or uploading message via /upload/* URL required`)
  return result.data
}

function idsOf(mailbox: Mailbox): DraftIds {
  const ids = draftIds.get(mailbox) ?? { byDraft: new Map<string, string>(), byMessage: new Map<string, string>() }
  draftIds.set(mailbox, ids)
  return ids
}
