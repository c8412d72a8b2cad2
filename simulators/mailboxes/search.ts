/**
 * The part of Gmail's search syntax that the product uses: words, "several words", -word, OR, and the operators from: to: cc: bcc: subject:
 * in: is: has:attachment label: after: before: older_than: newer_than: rfc822msgid:
 */
import { type Address, type Message, peopleOf, placeOf, plainText } from './message.ts'

type Test = (message: Message) => boolean

const day = 86_400_000

/** @param now in milliseconds, for older_than: and newer_than:. */
export function searchTest(query: string, now: number): Test {
  const parts = query.match(/-?(?:\w+:)?(?:"[^"]*"|\([^)]*\)|\S+)/g) ?? []
  const groups: Test[][] = []
  parts.forEach((part, index) => {
    if (part === 'OR' || part === '|') return
    const test = testOf(part, now)
    if (['OR', '|'].includes(parts[index - 1] ?? '') && groups.length > 0) groups.at(-1)!.push(test)
    else groups.push([test])
  })
  return (message) => groups.every((group) => group.some((test) => test(message)))
}

/** Whether the query includes spam or trash, which are left out otherwise. */
export function asksForHidden(query: string): boolean {
  return /\b(in:(spam|trash|anywhere)|label:(spam|trash))\b/i.test(query)
}

function testOf(part: string, now: number): Test {
  if (part.startsWith('-') && part.length > 1) {
    const test = testOf(part.slice(1), now)
    return (message) => !test(message)
  }
  const [, operator, rest] = /^(\w+):(.+)$/s.exec(part) ?? []
  const value = (rest ?? part).replace(/^["(]|[")]$/g, '').toLowerCase()
  switch (operator?.toLowerCase()) {
    case 'from':
      return ({ from }) => matchesName([from], value)
    case 'to':
      return ({ to }) => matchesName(to, value)
    case 'cc':
      return ({ cc }) => matchesName(cc, value)
    case 'bcc':
      return ({ bcc }) => matchesName(bcc, value)
    case 'subject':
      return ({ subject }) => value.split(/\s+/).every((word) => subject.toLowerCase().includes(word))
    case 'has':
      return ({ attachments }) => (value === 'attachment' ? attachments.length > 0 : false)
    case 'rfc822msgid':
      return ({ messageId }) => messageId.toLowerCase().replace(/[<>]/g, '') === value.replace(/[<>]/g, '')
    case 'is':
      return stateTest(value)
    case 'in':
    case 'label':
      return placeTest(value)
    case 'after':
    case 'newer':
      return ({ date }) => date >= timeOf(value)
    case 'before':
    case 'older':
      return ({ date }) => date < timeOf(value)
    case 'newer_than':
      return ({ date }) => date >= now - spanOf(value)
    case 'older_than':
      return ({ date }) => date < now - spanOf(value)
    default:
      return (message) => searchableText(message).includes(value)
  }
}

function matchesName(people: readonly Address[], value: string): boolean {
  return people.some(({ name, email }) => `${name} <${email}>`.toLowerCase().includes(value))
}

function searchableText(message: Message): string {
  const people = peopleOf(message).map(({ name, email }) => `${name} ${email}`)
  return [message.subject, plainText(message), ...people, ...message.attachments.map(({ filename }) => filename)].join('\n').toLowerCase()
}

function stateTest(value: string): Test {
  if (value === 'unread') return ({ labels }) => labels.has('UNREAD')
  if (value === 'read') return ({ labels }) => !labels.has('UNREAD')
  if (value === 'starred') return ({ labels }) => labels.has('STARRED')
  return () => false
}

function placeTest(value: string): Test {
  if (value === 'anywhere') return () => true
  if (value === 'archive') return ({ labels }) => placeOf(labels) === 'archive'
  const label = value === 'drafts' ? 'draft' : value
  return ({ labels }) => [...labels].some((one) => one.toLowerCase() === label)
}

/** 2026/05/14, 2026-05-14 or seconds since 1970. */
function timeOf(value: string): number {
  return /^\d{9,}$/.test(value) ? Number(value) * 1000 : Date.parse(value.replaceAll('/', '-'))
}

/** 3d, 2m or 1y. */
function spanOf(value: string): number {
  const [, number, unit] = /^(\d+)([dmy])$/.exec(value) ?? []
  return Number(number ?? 0) * (unit === 'y' ? 365 : unit === 'm' ? 30 : 1) * day
}
