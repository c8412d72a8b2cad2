/** Generates a clinic's mailbox: the same seed, owner and end give the same messages on every machine. */
import { pick, randomFrom } from '../random.ts'
import { filesOf, logoOf } from './files.ts'
import { htmlOfText, type Address, type Message } from './message.ts'
import { newsletterHtml } from './newsletter.ts'
import { type Topic, topics, treatments } from './topics.ts'

export type MailboxSeed = {
  owner: Address
  /** Defaults to 5,000. */
  count?: number | undefined
  seed?: number | undefined
  /** The date of the newest message, in milliseconds since 1970; the oldest is about 18 months older. */
  until: number
}

/** The clinic's own labels. */
export const userLabels = [
  { id: 'Label_1', name: 'Suppliers' },
  { id: 'Label_2', name: 'Referrals' },
  { id: 'Label_3', name: 'Insurance' },
] as const

const hour = 3_600_000
const day = 24 * hour
const span = 540 * day

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'March 3', 'May 14', 'le 5 juin', 'October 30']

/** @returns the messages, newest first. */
export function generateMailbox({ owner, count = 5000, seed = 1, until }: MailboxSeed): Message[] {
  const random = randomFrom(seed)
  const messages: Message[] = []
  while (messages.length < count) addThread(messages, count, owner, until, random)
  // Shift all dates so that the newest message is from `until`.
  const newest = messages.reduce((latest, { date }) => Math.max(latest, date), 0)
  for (const message of messages) message.date += until - newest
  return messages.toSorted((a, b) => b.date - a.date)
}

function addThread(messages: Message[], count: number, owner: Address, until: number, random: () => number): void {
  const topic = topicOf(random)
  const them = topic.correspondent(random)
  const fill = createFiller(random)
  const subject = fill(pick(topic.subjects, random))
  const age = span * random() ** 1.6
  const state = stateOf(topic, age, random)
  const length = 1 + Math.floor(topic.maxMessages * random() ** 1.7)
  let date = Math.floor((until - age) / 1000) * 1000
  let before: Message | undefined
  for (let index = 0; index < length && date <= until && messages.length < count; index++) {
    const ours: boolean = topic.ours.length > 0 && (before ? before.from !== owner && random() < 0.85 : random() < 0.12)
    const isLast = index === length - 1
    const id = idOf(messages.length, random)
    const message: Message = {
      id,
      threadId: before?.threadId ?? id,
      date,
      from: ours ? owner : them,
      to: [ours ? them : owner],
      cc: !ours && random() < 0.06 ? [topics[4]!.correspondent(random)] : [],
      bcc: [],
      replyTo: [],
      subject: before ? `Re: ${subject}` : subject,
      ...bodyOf(topic, { ours, owner, them, fill, before, subject }, random),
      attachments: !ours && random() < topic.files ? filesOf(topic.fileNames, { id, from: them.name, subject }, random) : [],
      labels: new Set(ours ? [isLast && random() < 0.02 ? 'DRAFT' : 'SENT'] : state),
      messageId: `<${id}@${(ours ? owner : them).email.split('@')[1]}>`,
      inReplyTo: before?.messageId,
      references: before ? [...before.references, before.messageId] : [],
    }
    if (!ours && state.includes('INBOX') && isLast && random() < 0.3 + 0.6 * Number(age < 5 * day)) message.labels.add('UNREAD')
    if (!ours && topic.label && message.html && random() < 0.3) {
      const logo = logoOf(id, them.email)
      message.html += `<p><img src="cid:${logo.contentId}" width="96" height="32" alt="${htmlOfText(them.name)}"></p>`
      message.attachments.unshift(logo)
    }
    if (random() < 0.03) message.labels.add('STARRED')
    if (topic.label && !message.labels.has('DRAFT')) message.labels.add(topic.label)
    messages.push(message)
    if (message.labels.has('DRAFT')) return
    before = message
    date += Math.floor((0.2 + random() * 40) * 3600) * 1000
  }
}

function topicOf(random: () => number): Topic {
  let left = random() * topics.reduce((sum, { share }) => sum + share, 0)
  return topics.find(({ share }) => (left -= share) < 0) ?? topics[0]!
}

/** The labels of a thread's incoming messages: most old ones are archived. */
function stateOf(topic: Topic, age: number, random: () => number): string[] {
  if (topic.kind === 'spam') return ['SPAM', 'UNREAD']
  if (random() < (topic.kind === 'newsletter' ? 0.3 : 0.03)) return ['TRASH']
  return random() < Math.min(0.9, age / (120 * day)) ? [] : ['INBOX']
}

type BodyContext = {
  ours: boolean
  owner: Address
  them: Address
  fill: (text: string) => string
  before: Message | undefined
  subject: string
}

function bodyOf(topic: Topic, context: BodyContext, random: () => number): { text: string | undefined; html: string | undefined } {
  const { ours, owner, them, fill, before, subject } = context
  const sentences = Array.from({ length: 1 + Math.floor(random() * 3) }, () => fill(pick(ours ? topic.ours : topic.theirs, random)))
  const message = [...new Set(sentences)].join(' ')
  if (topic.kind === 'newsletter') return { text: undefined, html: newsletterHtml(subject, message, them) }

  const greeting = ours ? `Dear ${them.name},` : pick(['Hello,', 'Bonjour,', 'Good morning,', 'Hi there,'], random)
  const text = [
    greeting,
    message,
    `${pick(['Best regards', 'Kind regards', 'Merci', 'Thanks'], random)},\n${ours ? owner.name : them.name}`,
  ].join('\n\n')
  const quote = before && random() < 0.6 ? quoteOf(before) : undefined
  const fullText = quote ? `${text}\n\n${quote.heading}\n${quote.text}` : text
  const html = `<div dir="ltr">${htmlOfText(text)}</div>${quote ? `<br><div class="quote">${htmlOfText(quote.heading)}<blockquote style="margin:0 0 0 .8ex;border-left:1px solid #ccc;padding-left:1ex">${htmlOfText(quote.own)}</blockquote></div>` : ''}`
  const shape = random()
  return { text: shape < 0.85 ? fullText : undefined, html: shape < 0.4 ? undefined : html }
}

/** Quotes the previous message without its own quotes, so that long threads stay small. */
function quoteOf(before: Message): { heading: string; own: string; text: string } {
  const own = (before.text ?? before.subject).split('\n\nOn ')[0] ?? ''
  const date = new Date(before.date).toISOString().slice(0, 10)
  return {
    heading: `On ${date}, ${before.from.name} <${before.from.email}> wrote:`,
    own,
    text: own.replace(/^/gm, '> '),
  }
}

function createFiller(random: () => number): (text: string) => string {
  const treatment = pick(treatments, random)
  const when = pick(days, random)
  const amount = (40 + Math.floor(random() * 4000) + 0.95).toFixed(2)
  return (text) => text.replaceAll('{treatment}', treatment).replaceAll('{day}', when).replaceAll('{amount}', amount)
}

/** 16 hexadecimal digits, as in Gmail; the index makes them unique. */
function idOf(index: number, random: () => number): string {
  return `19${(0x1000 + index).toString(16).padStart(6, '0')}${Math.floor(random() * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}`
}
