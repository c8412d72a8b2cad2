import { inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import { type ConsentChannel, isCommercialCategory } from '../../crm/consent/rules.ts'
import { languagesOf } from '../../crm/contacts/service.ts'
import { addressKey } from '../../platform/mail/rules.ts'
import type { TemplateValues } from '../email-templates/rules.ts'
import { type FilledTemplate, fillTemplates } from '../email-templates/service.ts'
import { withTextEnd } from './commercial.ts'
import { withShortLinks } from './links/shorten.ts'
import { openThreads } from './receive/receive.ts'
import { type Chosen, chooseRecipients } from './recipient.ts'
import { type Checked, writeMessages } from './send.ts'
import type { MessageOrigin } from './rules.ts'
import { dailyLimits } from './sms/earliest.ts'
import { lockNumbers } from './sms/send.ts'
import { threadsAtNumbers } from './sms/start.ts'
import { conversations, messages } from './table.ts'
import { maxTextLength } from './text-rules.ts'
import type { Beginner } from './threads.ts'

type Message = typeof messages.$inferSelect
type Template = {
  templateId: string
  /** Whether it is marketing, next to what the template's category says. */
  isCommercial?: boolean
  /** Values of variables besides the patient's and the practice's, such as those of an appointment. */
  more?: TemplateValues | undefined
}

/** Why an automatic message was refused, by the stable reason that callers store. */
const reasons = {
  NO_PATIENT: 'The patient no longer exists.',
  NO_TEMPLATE: 'The template no longer exists.',
  NO_CONSENT: 'The patient has not consented to marketing by this channel, or has unsubscribed.',
  STOPPED: 'The patient’s numbers answered STOP.',
  NO_ADDRESS: 'The patient has no email address.',
  NO_MOBILE_NUMBER: 'The patient has no number that receives text messages.',
  BOUNCED: 'Email to the patient’s addresses bounced, or their owner complained.',
  CLINICAL_WORD: 'The text would contain a clinical word.',
  MISSING_VALUE: 'A variable of the template has no value for this patient.',
  TOO_LONG: 'The text would be longer than 1,600 characters.',
  DAILY_LIMIT: 'The day’s limit of automatic text messages is reached.',
  NOT_SET_UP: 'The server or the practice’s postal address is not set up for this channel.',
  KEY_REUSED: 'The message was written with the same key before.',
} as const
type Reason = keyof typeof reasons

type Unsendable = Refusal<Exclude<Reason, 'DAILY_LIMIT'>, unknown>
type Refused = Unsendable | Refusal<'DAILY_LIMIT', { next: Date }>
const refused = <const Code extends Reason, Data = undefined>(code: Code, data?: Data) => refuse(code, data, reasons[code])

/**
 * What a template would send to a patient, in the patient's language, to their best address or number; or why it would be refused. Changes
 * nothing. Limits of a day are not looked at.
 */
export const prepareTemplate = async (tx: Db, scope: Scope, { contactId, ...template }: Template & { contactId: string }) =>
  (await prepareTemplates(tx, scope, template, [contactId])).get(contactId)!

type Prepared = {
  channel: ConsentChannel
  language: Language
  templateId: string
  address: string
  subject: string
  text: string
  html: string | null
  isCommercial: boolean
}

/** The same for several patients, by id. */
async function prepareTemplates(tx: Db, scope: Scope, { templateId, isCommercial = false, more }: Template, contactIds: readonly string[]) {
  const languages = await languagesOf(tx, contactIds)
  const filled = await fillTemplates(tx, scope.env, { templateId, languages, more })
  const prepared = new Map<string, Prepared | Unsendable>(
    contactIds.map((id) => [id, refused(languages.has(id) ? 'NO_TEMPLATE' : 'NO_PATIENT')]),
  )
  // Of the versions of a template, one may be marketing and another not.
  const groups = Map.groupBy(filled ?? [], ([, { template }]) => isCommercial || isCommercialCategory(template.category))
  for (const [isMarketing, group] of groups) {
    const { channel } = group[0]![1].template
    const ids = group.map(([id]) => id)
    const recipients = await chooseRecipients(tx, scope, ids, { channel, isCommercial: isMarketing })
    for (const [id, words] of group) {
      const one = prepare(words, recipients.get(id)!, isMarketing, languages.get(id)!)
      prepared.set(id, !isRefusal(one) && isTooLong(scope, one) ? refused('TOO_LONG') : one)
    }
  }
  return prepared
}

function prepare(
  { template, subject, text, html, missing, clinicalWords }: FilledTemplate,
  recipient: Chosen,
  isCommercial: boolean,
  language: Language,
): Prepared | Unsendable {
  const gaps = [...missing.unknown, ...missing.empty]
  if (gaps.length > 0) return refused('MISSING_VALUE', { variables: gaps })
  if (clinicalWords.length > 0) return refused('CLINICAL_WORD', { words: clinicalWords })
  if (isRefusal(recipient)) return refused(recipient.refusal)
  return { channel: template.channel, language, templateId: template.id, address: recipient.address, subject, text, html, isCommercial }
}

type Recipient = {
  contactId: string
  idempotencyKey: string
  /** Changes the HTML of an email before it is queued, such as its links. */
  withHtml?: (html: string) => string
  origin?: MessageOrigin
}
type Sent = { message: Message } | Refused

/**
 * Queues a message from a template to each of these patients in the caller's transaction, for sequences. The same key returns the same
 * message. Consent, STOP and bounces are checked now and again when it is sent. It does not wait for the end of quiet
 * hours: the caller asks `earliestSending` when to call. The caller holds no lock on the patients, and names each once. By patient.
 */
export async function sendTemplates(
  tx: Db,
  scope: Scope,
  template: Template,
  recipients: readonly Recipient[],
): Promise<Map<string, Sent>> {
  const keys = recipients.map(({ idempotencyKey }) => idempotencyKey)
  const earlier = await tx.select().from(messages).where(inArray(messages.idempotencyKey, keys))
  const known = new Map(earlier.map((message) => [message.idempotencyKey, message]))
  const wanted = recipients.filter(({ idempotencyKey }) => !known.has(idempotencyKey))
  const ids = wanted.map(({ contactId }) => contactId)
  const prepared = await prepareTemplates(tx, scope, template, ids)
  const sendable = wanted.flatMap((one) => {
    const words = prepared.get(one.contactId)!
    return isRefusal(words) ? [] : [{ ...one, words }]
  })
  const isText = sendable[0]?.words.channel === 'text'
  const numbers = sendable.map(({ contactId, words }) => ({ contactId, number: words.address }))
  const limit = isText ? await dailyLimits(tx, scope, numbers) : () => null
  const later = new Map(numbers.map((one) => [one.contactId, limit(one)]))
  const allowed = sendable.filter(({ contactId }) => later.get(contactId) === null)
  const threads = await (isText ? threadsOfTexts(tx, scope, allowed) : threadsOfEmails(tx, scope, allowed))
  const checked = allowed.map(({ idempotencyKey, words, withHtml = (own) => own, origin }, place): Checked => {
    const { isCommercial, templateId, subject, text, html } = words
    const mail = {
      ...(isText ? {} : { subject }),
      text,
      html: html === null ? null : withHtml(html),
      templateId,
      isCommercial,
      documentIds: [],
      isFromTemplate: true,
      origin,
      idempotencyKey,
    }
    return { conversation: threads[place]!.thread, mail, isCommercial }
  })
  for (const message of await writeMessages(tx, scope, checked)) known.set(message.idempotencyKey, message)
  const unused = threads.flatMap(({ thread, isNew }, place) => (isNew && !known.has(allowed[place]!.idempotencyKey) ? [thread.id] : []))
  if (unused.length > 0) await tx.delete(conversations).where(inArray(conversations.id, unused))
  return new Map(recipients.map((one) => [one.contactId, resultOf(one)]))

  function resultOf({ contactId, idempotencyKey }: Recipient): Sent {
    const message = known.get(idempotencyKey)
    if (message) return { message }
    const words = prepared.get(contactId)!
    if (isRefusal(words)) return words
    const next = later.get(contactId)
    if (next) return refuse('DAILY_LIMIT', { next }, reasons.DAILY_LIMIT)
    return refused('KEY_REUSED')
  }
}

const isTooLong = ({ env }: Scope, { channel, isCommercial, language, text }: Prepared): boolean =>
  channel === 'text' &&
  (isCommercial ? withTextEnd(env, language, withShortLinks(env, text)) : withShortLinks(env, text)).length > maxTextLength

type Addressed = { contactId: string; words: Prepared }

/** Texts go to the thread with the patient at their number. */
async function threadsOfTexts(tx: Db, scope: Scope, to: readonly Addressed[]) {
  const wanted = to.map(({ contactId, words }) => ({ contactId, number: words.address }))
  await lockNumbers(
    tx,
    wanted.map(({ number }) => number),
  )
  return threadsAtNumbers(tx, scope, wanted, beginnerOf(scope))
}

const beginnerOf = ({ actor }: Scope): Beginner => (actor ? 'person' : 'template')

/** Each email begins a thread. */
async function threadsOfEmails(tx: Db, scope: Scope, to: readonly Addressed[]) {
  const wanted = to.map(({ contactId, words: { address, subject } }) => ({
    contactId,
    address: addressKey(address),
    subject,
    name: null,
    by: beginnerOf(scope),
  }))
  return (await openThreads(tx, scope, wanted)).map((thread) => ({ thread, isNew: true }))
}
