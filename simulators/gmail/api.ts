/** The Gmail API: its routes and the scopes that each requires. */
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

/** The name of a call, such as 'GET messages/{id}', by which calls are counted. */
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
  const route = `${call.method} ${resource}`
  if (route === 'GET settings' && id === 'sendAs') return { sendAs: [senderShape(access.email)] }
  if (id === undefined || id === 'send' || id === 'batchModify') return handleCollection(id ? `${route}/${id}` : route, call, context)
  if (route.endsWith(' messages')) return handleMessage(findMessage(id, context.mailbox), { action, fileId, call, context })
  if (route.endsWith(' threads')) return handleThread(id, { action, call, context })
  if (route.endsWith(' drafts')) return handleDraft(id, call, context)
  if (route === 'GET labels') {
    const label = allLabels.find((one) => one.id === id)
    if (!label) throw notFound()
    return labelShape(label, context.mailbox)
  }
  throw notFound()
}

function handleCollection(route: string, call: Call, context: Context): unknown {
  const { mailbox, now } = context
  switch (route) {
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
      return summaryShape(sendMessage(call, mailbox, now))
    case 'POST messages/batchModify': {
      const { ids, ...change } = read(call, batchRequest)
      for (const id of ids) modify(findMessage(id, mailbox), change, mailbox)
      return undefined
    }
    case 'POST drafts':
      return draftShape(createDraft(call, mailbox, now), mailbox)
    case 'POST drafts/send':
      return summaryShape(sendDraft(call, mailbox, now))
    default:
      throw notFound()
  }
}

type ItemCall = { action: string | undefined; fileId?: string | undefined; call: Call; context: Context }

function handleMessage(message: Message, { action, fileId, call, context: { mailbox } }: ItemCall): unknown {
  const route = `${call.method} ${action ?? ''}`.trim()
  if (route === 'GET') return messageShape(message, mailbox, formatOf(call), call.query.getAll('metadataHeaders'))
  if (route === 'GET attachments') {
    const bytes = findContent(message, fileId ?? '')
    if (!bytes) throw invalid('Invalid attachment token')
    return { size: bytes.length, data: bytes.toString('base64url') }
  }
  if (route === 'POST modify') modify(message, read(call, modifyRequest), mailbox)
  else if (route === 'POST trash') mailbox.relabel(message, ['TRASH'], ['INBOX', 'SPAM'])
  else if (route === 'POST untrash') mailbox.relabel(message, [], ['TRASH'])
  else if (route === 'DELETE') return mailbox.delete(message)
  else throw notFound()
  return summaryShape(message)
}

function handleThread(id: string, { action, call, context: { mailbox } }: ItemCall): unknown {
  assertValidId(id)
  const messages = [...mailbox.thread(id)]
  if (messages.length === 0) throw notFound()
  const route = `${call.method} ${action ?? ''}`.trim()
  if (route === 'GET') return threadShape(messages, mailbox, formatOf(call), call.query.getAll('metadataHeaders'))
  const change = route === 'POST modify' ? read(call, modifyRequest) : undefined
  for (const message of messages) {
    if (change) modify(message, change, mailbox)
    else if (route === 'POST trash') mailbox.relabel(message, ['TRASH'], ['INBOX', 'SPAM'])
    else if (route === 'POST untrash') mailbox.relabel(message, [], ['TRASH'])
    else if (route === 'DELETE') mailbox.delete(message)
    else throw notFound()
  }
  if (route === 'DELETE') return undefined
  return { id, messages: messages.map(summaryShape) }
}

function handleDraft(id: string, call: Call, { mailbox, now }: Context): unknown {
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

/** The account's own sender settings, used unless an email sets others. */
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

/** Gmail refuses a malformed id differently from an unknown one. */
function assertValidId(id: string): void {
  if (!/^[\da-f]{1,16}$/.test(id)) throw invalid('Invalid id value')
}

function summaryShape(message: Message) {
  return { ...referenceShape(message), labelIds: [...message.labels] }
}

function draftShape(message: Message, mailbox: Mailbox) {
  return { id: draftIdOf(mailbox, message), message: summaryShape(message) }
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

/** @throws Refusal when no granted scope allows the call. */
function requireScope(route: string, scope: string): void {
  const grants = (...names: string[]) =>
    scope
      .split(' ')
      .some((one) => one === 'https://mail.google.com/' || names.some((name) => one === `https://www.googleapis.com/auth/gmail.${name}`))
  const reads = route.startsWith('GET ')
  const allowed = route.includes(' drafts')
    ? grants('modify', 'compose', ...(reads ? ['readonly'] : []))
    : route === 'POST messages/send'
      ? grants('modify', 'compose', 'send')
      : reads
        ? grants('modify', 'readonly', ...(route === 'GET profile' ? ['compose', 'metadata'] : []))
        : grants('modify')
  if (!allowed) throw insufficient()
}
