/** Reads an email to send or to save as a draft: JSON, or a multipart form when files are large. */
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import { type Address, type Attachment, type Message, type NewMessage, textOfHtml } from '../mailbox.ts'
import { nameOf } from '../mailbox-registry.ts'
import { invalid } from './errors.ts'
import type { Context } from './shapes.ts'

const person = z.object({ email: z.email(), name: z.string().nullish() }).transform(({ email, name }) => ({ email, name: name ?? '' }))
const people = z.array(person).nullish()

const file = z.object({
  filename: z.string(),
  content_type: z.string(),
  content: z.base64(),
  content_id: z.string().nullish(),
  is_inline: z.boolean().nullish(),
})

const composed = z.object({
  to: people,
  cc: people,
  bcc: people,
  from: people,
  reply_to: people,
  subject: z.string().nullish(),
  body: z.string().nullish(),
  is_plaintext: z.boolean().nullish(),
  reply_to_message_id: z.string().nullish(),
  starred: z.boolean().nullish(),
  unread: z.boolean().nullish(),
  attachments: z.array(file).nullish(),
})

export type Composed = z.output<typeof composed>

/** @throws Refusal */
export async function readComposed(call: Call): Promise<Composed> {
  const type = call.headers['content-type'] ?? ''
  const given = type.startsWith('multipart/form-data') ? await readForm(call, type) : parseJson(call.body)
  const read = composed.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw invalid(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'error parsing request body'}`)
}

/** The part named `message` is the JSON, every other part a file. The part's name is the file's content id. */
async function readForm(call: Call, type: string): Promise<unknown> {
  const form = await new Response(new Uint8Array(call.bytes), { headers: { 'content-type': type } }).formData().catch(() => {
    throw invalid('error parsing request body')
  })
  const message = form.get('message')
  const body = parseJson(typeof message === 'string' ? message : ((await message?.text()) ?? ''))
  if (typeof body !== 'object' || body === null) throw invalid('error parsing request body')
  const parts = [...form].flatMap(([name, value]) => (name === 'message' || typeof value === 'string' ? [] : [{ name, value }]))
  const attachments = await Promise.all(
    parts.map(async ({ name, value }) => ({
      filename: value.name,
      content_type: value.type || 'application/octet-stream',
      content: Buffer.from(await value.arrayBuffer()).toString('base64'),
      content_id: name,
    })),
  )
  return { ...body, attachments }
}

/** @param before the draft to change: omitted fields stay unchanged. @throws Refusal */
export function messageFrom(input: Composed, { grant, mailbox, now }: Context, labels: readonly string[], before?: Message): NewMessage {
  const repliedTo = input.reply_to_message_id ? mailbox.find(input.reply_to_message_id) : undefined
  if (input.reply_to_message_id && !repliedTo) throw invalid('reply_to_message_id: message not found')
  const own: Address = { name: nameOf(grant.email), email: grant.email }
  const body = input.body ?? undefined
  return {
    date: now,
    from: { ...own, ...(input.from?.[0]?.name && { name: input.from[0].name }) },
    to: input.to ?? before?.to ?? [],
    cc: input.cc ?? before?.cc ?? [],
    bcc: input.bcc ?? before?.bcc ?? [],
    replyTo: input.reply_to ?? before?.replyTo ?? [],
    subject: input.subject ?? before?.subject ?? '',
    text: body === undefined && before ? before.text : input.is_plaintext ? body : textOfHtml(body ?? ''),
    html: body === undefined && before ? before.html : input.is_plaintext ? undefined : body,
    attachments: input.attachments ? input.attachments.map(attachmentFrom) : (before?.attachments ?? []),
    labels: new Set(labels),
    inReplyTo: repliedTo?.messageId ?? before?.inReplyTo,
    references: repliedTo ? [...repliedTo.references, repliedTo.messageId] : (before?.references ?? []),
    ...(repliedTo && { threadId: repliedTo.threadId }),
  }
}

function attachmentFrom({ filename, content_type, content, content_id, is_inline }: z.output<typeof file>): Attachment {
  const bytes = Buffer.from(content, 'base64')
  return {
    id: crypto.randomUUID(),
    filename,
    contentType: content_type,
    ...(is_inline && content_id && { contentId: content_id, isInline: true }),
    content: () => bytes,
  }
}
