/** The Gmail API: which address does what, and which permission it needs. */
import { z } from 'zod'
import { type Call, parseJson, partsOf } from '../http.ts'
import type { Mailbox, Message } from '../mailbox.ts'
import { type Mailboxes, nameOf as personNameOf } from '../mailbox-registry.ts'
import type { VendorReply } from '../vendor-server.ts'
import { changeDraft, createDraft, draftIdOf, findDraft, sendDraft, sendMessage } from './drafts.ts'
import { delegationDenied, insufficient, invalid, notFound, Refusal, unauthorized } from './errors.ts'
import type { Grants } from './grants.ts'
import { type Context, listDrafts, listHistory, listMessages, listThreads } from './lists.ts'
import { allLabels, findContent, type Format, labelHead, labelShape, messageShape, referenceShape, threadShape } from './shapes.ts'

export type Gmail = { grants: Grants; mailboxes: Mailboxes; now: () => number }

const formats: readonly string[] = ['minimal', 'full', 'raw', 'metadata'] satisfies Format[]

const modifyRequest = z.object({ addLabelIds: z.array(z.string()).default([]), removeLabelIds: z.array(z.string()).default([]) })
const batchRequest = modifyRequest.extend({ ids: z.array(z.string()).min(1).max(1000) })

export function handleGmail(call: Call, gmail: Gmail): VendorReply {
  try {
    const body = dispatch(call, gmail)
    return body === undefined ? { status: 204, body: undefined } : { status: 200, body }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.reply
  }
}

/** 'GET messages/{id}': what is counted, and what faults name. */
export function nameOf({ method, path }: Call): string {
  if (!path.includes('/users/')) return `${method} ${path}`
  const [, , , , resource = '', id, ...rest] = path
    .replace(/^\/upload/, '')
    .split('/')
    .slice(1)
  const shown = id === undefined || ['send', 'batchModify', 'sendAs'].includes(id) ? id : '{id}'
  return `${method} ${[resource, shown, ...rest.map((part, index) => (index === 1 ? '{id}' : part))].filter((part) => part !== undefined).join('/')}`
}

function dispatch(call: Call, { grants, mailboxes, now }: Gmail): unknown {
  const token = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '')?.[1]
  const access = grants.ofToken(token ?? call.query.get('access_token') ?? '')
  if (!access) throw unauthorized()
  const [, user = '', resource = '', id, action, fileId] = partsOf(call.path.replace(/^\/(upload\/)?gmail\/v1\//, ''))
  if (user !== 'me' && user.toLowerCase() !== access.email) throw delegationDenied(user)
  requireScope(`${call.method} ${resource}${id === 'send' ? '/send' : ''}`, access.scope)
  const context = { mailbox: mailboxes.of(access.email), query: call.query, now: now() }
  const asked = `${call.method} ${resource}`
  if (asked === 'GET settings' && id === 'sendAs') return { sendAs: [senderShape(access.email)] }
  if (id === undefined || id === 'send' || id === 'batchModify') return forAll(id ? `${asked}/${id}` : asked, call, context)
  if (asked.endsWith(' messages')) return forMessage(findMessage(id, context.mailbox), { action, fileId, call, context })
  if (asked.endsWith(' threads')) return forThread(id, { action, call, context })
  if (asked.endsWith(' drafts')) return forDraft(id, call, context)
  if (asked === 'GET labels') {
    const label = allLabels.find((one) => one.id === id)
    if (!label) throw notFound()
    return labelShape(label, context.mailbox)
  }
  throw notFound()
}

function forAll(asked: string, call: Call, context: Context): unknown {
  const { mailbox, now } = context
  switch (asked) {
    case 'GET profile': {
      const messages = mailbox.list()
      const threadsTotal = new Set(messages.map(({ threadId }) => threadId)).size
      return { emailAddress: mailbox.email, messagesTotal: messages.length, threadsTotal, historyId: String(mailbox.historyId) }
    }
    case 'GET labels':
      return { labels: allLabels.map(labelHead) }
    case 'GET messages':
      return listMessages(context)
    case 'GET threads':
      return listThreads(context)
    case 'GET drafts':
      return listDrafts(context)
    case 'GET history':
      return listHistory(context)
    case 'POST messages/send':
      return shortShape(sendMessage(call, mailbox, now))
    case 'POST messages/batchModify': {
      const { ids, ...change } = read(call, batchRequest)
      for (const id of ids) modify(findMessage(id, mailbox), change, mailbox)
      return undefined
    }
    case 'POST drafts':
      return draftShape(createDraft(call, mailbox, now), mailbox)
    case 'POST drafts/send':
      return shortShape(sendDraft(call, mailbox, now))
    default:
      throw notFound()
  }
}

type One = { action: string | undefined; fileId?: string | undefined; call: Call; context: Context }

function forMessage(message: Message, { action, fileId, call, context: { mailbox } }: One): unknown {
  const asked = `${call.method} ${action ?? ''}`.trim()
  if (asked === 'GET') return messageShape(message, mailbox, formatOf(call), call.query.getAll('metadataHeaders'))
  if (asked === 'GET attachments') {
    const bytes = findContent(message, fileId ?? '')
    if (!bytes) throw invalid('Invalid attachment token')
    return { size: bytes.length, data: bytes.toString('base64url') }
  }
  if (asked === 'POST modify') modify(message, read(call, modifyRequest), mailbox)
  else if (asked === 'POST trash') mailbox.relabel(message, ['TRASH'], ['INBOX', 'SPAM'])
  else if (asked === 'POST untrash') mailbox.relabel(message, [], ['TRASH'])
  else if (asked === 'DELETE') return mailbox.delete(message)
  else throw notFound()
  return shortShape(message)
}

function forThread(id: string, { action, call, context: { mailbox } }: One): unknown {
  assertValidId(id)
  const messages = [...mailbox.thread(id)]
  if (messages.length === 0) throw notFound()
  const asked = `${call.method} ${action ?? ''}`.trim()
  if (asked === 'GET') return threadShape(messages, mailbox, formatOf(call), call.query.getAll('metadataHeaders'))
  const change = asked === 'POST modify' ? read(call, modifyRequest) : undefined
  for (const message of messages) {
    if (change) modify(message, change, mailbox)
    else if (asked === 'POST trash') mailbox.relabel(message, ['TRASH'], ['INBOX', 'SPAM'])
    else if (asked === 'POST untrash') mailbox.relabel(message, [], ['TRASH'])
    else if (asked === 'DELETE') mailbox.delete(message)
    else throw notFound()
  }
  if (asked === 'DELETE') return undefined
  return { id, messages: messages.map(shortShape) }
}

function forDraft(id: string, call: Call, { mailbox, now }: Context): unknown {
  if (call.method === 'PUT') return draftShape(changeDraft(id, call, mailbox, now), mailbox)
  const draft = findDraft(mailbox, id)
  if (call.method === 'GET') return { id, message: messageShape(draft, mailbox, formatOf(call)) }
  if (call.method !== 'DELETE') throw notFound()
  return mailbox.delete(draft)
}

function modify(message: Message, { addLabelIds, removeLabelIds }: z.output<typeof modifyRequest>, mailbox: Mailbox): void {
  for (const label of [...addLabelIds, ...removeLabelIds]) {
    if (!allLabels.some(({ id }) => id === label)) throw invalid(`Invalid label: ${label}`)
    if (label === 'SENT' || label === 'DRAFT') throw invalid(`Cannot add or remove label: ${label}`)
  }
  mailbox.relabel(message, addLabelIds, removeLabelIds)
}

/** How a mail from the account is signed unless it says otherwise. */
function senderShape(email: string) {
  const own = { displayName: personNameOf(email), sendAsEmail: email, replyToAddress: '', signature: '' }
  return { ...own, isPrimary: true, isDefault: true }
}

function findMessage(id: string, mailbox: Mailbox): Message {
  assertValidId(id)
  const message = mailbox.find(id)
  if (!message) throw notFound()
  return message
}

/** What can be none is refused otherwise than one that is not there. */
function assertValidId(id: string): void {
  if (!/^[\da-f]{1,16}$/.test(id)) throw invalid('Invalid id value')
}

function shortShape(message: Message) {
  return { ...referenceShape(message), labelIds: [...message.labels] }
}

function draftShape(message: Message, mailbox: Mailbox) {
  return { id: draftIdOf(mailbox, message), message: shortShape(message) }
}

function formatOf({ query }: Call): Format {
  const format = (query.get('format') ?? 'full').toLowerCase()
  if (!formats.includes(format)) throw invalid(`Invalid value at 'format': "${format}"`)
  return format as Format
}

function read<Shape extends z.ZodType>(call: Call, shape: Shape): z.output<Shape> {
  const result = shape.safeParse(parseJson(call.body))
  if (!result.success) throw invalid('Invalid JSON payload received.')
  return result.data
}

/** @throws Refusal when none of the scopes allows it. */
function requireScope(asked: string, scope: string): void {
  const may = (...names: string[]) =>
    scope
      .split(' ')
      .some((one) => one === 'https://mail.google.com/' || names.some((name) => one === `https://www.googleapis.com/auth/gmail.${name}`))
  const reads = asked.startsWith('GET ')
  const allowed = asked.includes(' drafts')
    ? may('modify', 'compose', ...(reads ? ['readonly'] : []))
    : asked === 'POST messages/send'
      ? may('modify', 'compose', 'send')
      : reads
        ? may('modify', 'readonly', ...(asked === 'GET profile' ? ['compose', 'metadata'] : []))
        : may('modify')
  if (!allowed) throw insufficient()
}
