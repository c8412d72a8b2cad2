/** Filters and pages of lists. */
import { asksForHidden, type Message, peopleOf, placeOf, searchTest } from '../mailbox.ts'
import { invalid } from './errors.ts'
import { findFolder } from './folders.ts'
import type { Context } from './shapes.ts'

type Test = (message: Message) => boolean

/** The only parameters that can be combined with a native search, as for Google and Microsoft. */
const withNativeSearch = ['in', 'limit', 'page_token', 'select', 'fields', 'search_query_native']
const maxPageSize = 200

/** @throws Refusal */
export function messageTest(query: URLSearchParams, { grant, now }: Context): Test {
  const native = query.get('search_query_native')
  const other = native === null ? undefined : [...query.keys()].find((name) => !withNativeSearch.includes(name))
  if (other !== undefined) throw invalid(`search_query_native can not be used together with ${other}`)
  const tests = [...query].flatMap(([name, value]): Test[] => {
    if (name === 'in') return [findFolder(value, grant).matches]
    if (name === 'search_query_native') {
      const matches = searchTest(value, now)
      return asksForHidden(value) || query.has('in') ? [matches] : [matches, ({ labels }) => !['spam', 'trash'].includes(placeOf(labels))]
    }
    const test = filters[name]
    return test ? [test(value)] : []
  })
  return (message) => tests.every((test) => test(message))
}

const filters: Record<string, ((value: string) => Test) | undefined> = {
  unread: (value) => labelled('UNREAD', value),
  starred: (value) => labelled('STARRED', value),
  has_attachment: (value) => {
    const wanted = flag('has_attachment', value)
    return ({ attachments }) => attachments.length > 0 === wanted
  },
  // Case-sensitive; part of the subject is enough.
  subject: (value) => (message) => message.subject.includes(value),
  thread_id: (value) => (message) => message.threadId === value,
  any_email: (value) => {
    const wanted = addresses(value)
    if (wanted.length > 25) throw invalid('any_email takes at most 25 addresses')
    return (message) => peopleOf(message).some(({ email }) => wanted.includes(email.toLowerCase()))
  },
  from: (value) => (message) => addresses(value).includes(message.from.email.toLowerCase()),
  to: (value) => (message) => message.to.some(({ email }) => addresses(value).includes(email.toLowerCase())),
  cc: (value) => (message) => message.cc.some(({ email }) => addresses(value).includes(email.toLowerCase())),
  bcc: (value) => (message) => message.bcc.some(({ email }) => addresses(value).includes(email.toLowerCase())),
  received_after: (value) => after('received_after', value),
  received_before: (value) => before('received_before', value),
}

/** Threads are dated by their newest message. */
export const threadDates: Record<string, ((value: string) => Test) | undefined> = {
  latest_message_after: (value) => after('latest_message_after', value),
  latest_message_before: (value) => before('latest_message_before', value),
}

/**
 * One page. The cursor identifies the last row shown, so that new messages do not shift the next page.
 *
 * @param rows newest first.
 * @throws Refusal
 */
export function pageOf(rows: readonly Message[], query: URLSearchParams): { page: Message[]; next_cursor?: string } {
  const requested = query.get('limit')
  const limit = requested === null ? 50 : Number(requested)
  if (!Number.isInteger(limit) || limit < 1 || limit > maxPageSize) throw invalid(`limit must be between 1 and ${maxPageSize}`)
  const cursor = query.get('page_token')
  const [date, id] = cursor ? cursorOf(cursor) : [Number.POSITIVE_INFINITY, '']
  const rest = rows.filter((row) => row.date < date || (row.date === date && row.id < id))
  const sorted = rest.toSorted((a, b) => b.date - a.date || (a.id < b.id ? 1 : -1))
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = last && sorted.length > limit ? Buffer.from(JSON.stringify([last.date, last.id])).toString('base64url') : undefined
  return { page, ...(next_cursor !== undefined && { next_cursor }) }
}

function cursorOf(text: string): [number, string] {
  try {
    const [date, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[]
    if (typeof date === 'number' && typeof id === 'string') return [date, id]
  } catch {
    // Not one of our cursors: refused below.
  }
  throw invalid('invalid page_token')
}

function labelled(label: string, value: string): Test {
  const wanted = flag(label.toLowerCase(), value)
  return ({ labels }) => labels.has(label) === wanted
}

function flag(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(`${name} must be true or false`)
  return value === 'true'
}

function after(name: string, value: string): Test {
  const seconds = secondsOf(name, value)
  return ({ date }) => date > seconds * 1000
}

function before(name: string, value: string): Test {
  const seconds = secondsOf(name, value)
  return ({ date }) => date < seconds * 1000
}

function secondsOf(name: string, value: string): number {
  if (!/^\d{1,11}$/.test(value)) throw invalid(`${name} must be a Unix timestamp in seconds`)
  return Number(value)
}

function addresses(value: string): string[] {
  return value.toLowerCase().split(',')
}
