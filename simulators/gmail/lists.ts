/** Paginated lists: messages, threads, drafts and history. */
import { asksForHidden, type HistoryEntry, type Mailbox, type Message, searchTest } from '../mailbox.ts'
import { draftIdOf } from './drafts.ts'
import { invalid, notFound } from './errors.ts'
import { allLabels, referenceShape, snippetShape, threadHistoryId } from './shapes.ts'

export type Context = { mailbox: Mailbox; query: URLSearchParams; now: number }

/** @throws Refusal */
export function listMessages(context: Context) {
  const { page, rest } = pageOf(findMessages(context), context.query)
  return { ...(page.length > 0 && { messages: page.map(referenceShape) }), ...rest }
}

/** @throws Refusal */
export function listThreads(context: Context) {
  const { mailbox, query } = context
  const { page, rest } = pageOf(mailbox.newestOfThreads(findMessages(context)), query)
  const threads = page.map((message) => ({
    id: message.threadId,
    snippet: snippetShape(message),
    historyId: threadHistoryId(mailbox.thread(message.threadId), mailbox),
  }))
  return { ...(page.length > 0 && { threads }), ...rest }
}

/** @throws Refusal */
export function listDrafts(context: Context) {
  const { mailbox, query } = context
  const drafts = findMessages(context).filter(({ labels }) => labels.has('DRAFT'))
  const { page, rest } = pageOf(drafts, query)
  return {
    ...(page.length > 0 && { drafts: page.map((message) => ({ id: draftIdOf(mailbox, message), message: referenceShape(message) })) }),
    ...rest,
  }
}

/** @throws Refusal 404 when `startHistoryId` is too old: the client has to do a full sync. */
export function listHistory({ mailbox, query }: Context) {
  const start = query.get('startHistoryId')
  if (start === null || !/^\d+$/.test(start)) throw invalid('Missing required parameter: startHistoryId')
  const entries = mailbox.historySince(Number(start))
  if (!entries) throw notFound()
  const types = query.getAll('historyTypes')
  const label = query.get('labelId')
  const shown = entries.filter(
    ({ type, message }) => (types.length === 0 || types.includes(type)) && (label === null || message.labels.has(label)),
  )
  const begin = offsetOf(query)
  const limit = limitOf(query)
  const page = shown.slice(begin, begin + limit)
  const more = shown.length > begin + limit
  return {
    ...(page.length > 0 && { history: page.map(historyShape) }),
    ...(more && { nextPageToken: tokenOf(begin + limit) }),
    historyId: String(mailbox.historyId),
  }
}

function historyShape({ id, type, message, labels }: HistoryEntry) {
  const shown = { ...referenceShape(message), labelIds: [...message.labels] }
  const change = {
    messageAdded: { messagesAdded: [{ message: { ...shown, labelIds: labels } }] },
    messageDeleted: { messagesDeleted: [{ message: shown }] },
    labelAdded: { labelsAdded: [{ message: shown, labelIds: labels }] },
    labelRemoved: { labelsRemoved: [{ message: shown, labelIds: labels }] },
  }[type]
  return { id: String(id), messages: [referenceShape(message)], ...change }
}

/** Newest first. Spam and trash are left out unless requested. @throws Refusal */
function findMessages({ mailbox, query, now }: Context): Message[] {
  const q = query.get('q') ?? ''
  const labels = query.getAll('labelIds')
  const unknown = labels.find((label) => !label.startsWith('CATEGORY_') && !allLabels.some(({ id }) => id === label))
  if (unknown !== undefined) throw invalid(`Invalid label: ${unknown}`)
  const includesHidden = query.get('includeSpamTrash') === 'true' || asksForHidden(q) || labels.includes('SPAM') || labels.includes('TRASH')
  const matches = searchTest(q, now)
  return mailbox
    .list()
    .filter(
      (message) =>
        labels.every((label) => message.labels.has(label)) &&
        (includesHidden || !(message.labels.has('SPAM') || message.labels.has('TRASH'))) &&
        matches(message),
    )
}

function pageOf(rows: readonly Message[], query: URLSearchParams) {
  const begin = offsetOf(query)
  const limit = limitOf(query)
  const more = rows.length > begin + limit
  const rest = { ...(more && { nextPageToken: tokenOf(begin + limit) }), resultSizeEstimate: rows.length }
  return { page: rows.slice(begin, begin + limit), rest }
}

/** Defaults to 100; the maximum is 500. */
function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get('maxResults') ?? 100)
  if (!Number.isInteger(limit) || limit < 1) throw invalid('Invalid value at maxResults')
  return Math.min(limit, 500)
}

function tokenOf(offset: number): string {
  return Buffer.from(`page ${offset}`).toString('base64url')
}

function offsetOf(query: URLSearchParams): number {
  const token = query.get('pageToken')
  if (token === null || token === '') return 0
  const [, offset] = /^page (\d+)$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? []
  if (offset === undefined) throw invalid('Invalid pageToken')
  return Number(offset)
}
