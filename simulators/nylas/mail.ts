/** Reads, changes and sends messages, threads, drafts and files of one grant. */
import { z } from 'zod'
import { type Call, parseJson } from '../http.ts'
import type { Message } from '../mailbox.ts'
import type { VendorReply } from '../vendor-server.ts'
import { messageFrom, readComposed } from './compose.ts'
import { invalid, notFound } from './errors.ts'
import { moveTo } from './folders.ts'
import { messageTest, pageOf, threadDates } from './query.ts'
import { attachmentShape, type Context, messageShape, threadShape } from './shapes.ts'

const change = z.object({
  unread: z.boolean().optional(),
  starred: z.boolean().optional(),
  folders: z.array(z.string()).optional(),
})

/** The response's data. Drafts are listed separately from messages. */
export function listMessages(query: URLSearchParams, context: Context, drafts = false): Record<string, unknown> {
  const matches = messageTest(query, context)
  const rows = context.mailbox.list().filter((message) => message.labels.has('DRAFT') === drafts && matches(message))
  const { page, ...next } = pageOf(rows, query)
  const fields = query.get('fields') ?? 'standard'
  return { data: page.map((message) => messageShape(message, context.grant, fields)), ...next }
}

/** Lists threads, newest first: one message has to match the filters, except that for a `false` filter all of them have to. */
export function listThreads(query: URLSearchParams, context: Context): Record<string, unknown> {
  const { grant, mailbox } = context
  const falseFilters = ['unread', 'starred', 'has_attachment'].filter((name) => query.get(name) === 'false')
  const matches = messageTest(new URLSearchParams([...query].filter(([name]) => !falseFilters.includes(name))), context)
  const exclusions = falseFilters.map((name) => messageTest(new URLSearchParams({ [name]: 'false' }), context))
  const dates = [...query].flatMap(([name, value]) => threadDates[name]?.(value) ?? [])
  const newest = mailbox
    .newestOfThreads(mailbox.list().filter(matches))
    .filter((message) => dates.every((test) => test(message)))
    .filter(({ threadId }) => mailbox.thread(threadId).every((message) => exclusions.every((test) => test(message))))
  const { page, ...next } = pageOf(newest, query)
  return { data: page.map(({ threadId }) => threadShape(mailbox.thread(threadId), grant)), ...next }
}

export function readThread(id: string, { grant, mailbox }: Context) {
  const messages = mailbox.thread(id)
  if (messages.length === 0) throw notFound()
  return threadShape(messages, grant)
}

export function changeThread(id: string, call: Call, context: Context) {
  readThread(id, context)
  const changes = readChange(call)
  for (const message of context.mailbox.thread(id)) apply(changes, message, context)
  return readThread(id, context)
}

export function changeMessage(id: string, call: Call, context: Context) {
  const message = findMessage(id, context)
  apply(readChange(call), message, context)
  return messageShape(message, context.grant)
}

/** Moves a message to the trash; deletes it permanently if it is there already. */
export function trash(id: string, { mailbox, ...context }: Context): void {
  const message = findMessage(id, { mailbox, ...context })
  if (message.labels.has('TRASH')) mailbox.delete(message)
  else mailbox.move(message, 'TRASH')
}

export function trashThread(id: string, context: Context): void {
  const ids = context.mailbox.thread(id).map((message) => message.id)
  if (ids.length === 0) throw notFound()
  for (const one of ids) trash(one, context)
}

/** @returns the sent message. @throws Refusal */
export async function send(call: Call, context: Context): Promise<Message> {
  const message = messageFrom(await readComposed(call), context, ['SENT'])
  if (message.to.length + message.cc.length + message.bcc.length === 0) throw invalid('to: at least one recipient is required')
  return context.mailbox.add(message)
}

export async function createDraft(call: Call, context: Context) {
  const input = await readComposed(call)
  const message = context.mailbox.add(messageFrom(input, context, ['DRAFT', ...(input.starred ? ['STARRED'] : [])]))
  return messageShape(message, context.grant)
}

export async function changeDraft(id: string, call: Call, context: Context) {
  const before = findDraft(id, context)
  const after = context.mailbox.replace(before, messageFrom(await readComposed(call), context, [...before.labels], before))
  return messageShape(after, context.grant)
}

/** Sends a draft as a new message in the same thread. */
export function sendDraft(id: string, context: Context): Message {
  const draft = findDraft(id, context)
  if (draft.to.length + draft.cc.length + draft.bcc.length === 0) throw invalid('to: at least one recipient is required')
  context.mailbox.delete(draft)
  const { id: _id, labels: _labels, messageId: _messageId, ...rest } = draft
  return context.mailbox.add({ ...rest, date: context.now, labels: new Set(['SENT']) })
}

export function deleteDraft(id: string, context: Context): void {
  context.mailbox.delete(findDraft(id, context))
}

/** @param download returns the bytes instead of the metadata. */
export function readAttachment(id: string, query: URLSearchParams, context: Context, download: boolean): VendorReply {
  const messageId = query.get('message_id')
  if (messageId === null) throw invalid('message_id is required')
  const found = context.mailbox.find(messageId)?.attachments.find((one) => one.id === id)
  if (!found) throw notFound()
  if (!download) return { status: 200, body: { request_id: crypto.randomUUID(), data: attachmentShape(found, context.grant) } }
  const file = found.content()
  return { status: 200, file, headers: { 'content-type': found.contentType, 'content-length': String(file.length) } }
}

export function findMessage(id: string, { mailbox }: Pick<Context, 'mailbox'>): Message {
  const message = mailbox.find(id)
  if (!message) throw notFound()
  return message
}

export function findDraft(id: string, context: Context): Message {
  const message = findMessage(id, context)
  if (!message.labels.has('DRAFT')) throw notFound()
  return message
}

function readChange(call: Call): z.output<typeof change> {
  const read = change.safeParse(parseJson(call.body))
  if (!read.success) throw invalid('error parsing request body')
  return read.data
}

function apply({ unread, starred, folders }: z.output<typeof change>, message: Message, { grant, mailbox }: Context): void {
  if (folders) moveTo(message, folders, grant, mailbox)
  if (unread !== undefined) mailbox.relabel(message, unread ? ['UNREAD'] : [], unread ? [] : ['UNREAD'])
  if (starred !== undefined) mailbox.relabel(message, starred ? ['STARRED'] : [], starred ? [] : ['STARRED'])
}
