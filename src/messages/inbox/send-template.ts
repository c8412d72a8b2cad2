import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { emailsOf, languageOf } from '../../crm/contacts/service.ts'
import type { TemplateValues } from '../email-templates/rules.ts'
import { fillTemplate } from '../email-templates/service.ts'
import { chooseRecipient } from './recipient.ts'
import { writeToPatient } from './service.ts'
import { limitReached } from './sms/earliest.ts'
import { textPatient } from './sms/start.ts'
import { messages } from './table.ts'

type Template = {
  contactId: string
  templateId: string
  /** Whether it is marketing, next to what the template's category says. */
  isCommercial?: boolean
  /** Values of variables besides the patient's and the practice's, such as those of an appointment. */
  more?: TemplateValues
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

const refused = <const Code extends Reason, Data = undefined>(code: Code, data?: Data) => refuse(code, data, reasons[code])

/**
 * What a template would send to a patient, in the patient's language, to their best address or number; or why it would be refused. Changes
 * nothing: for previews and dry runs.
 */
export async function prepareTemplate(tx: Db, scope: Scope, { contactId, templateId, isCommercial = false, more }: Template) {
  if (!(await emailsOf(tx, contactId))) return refused('NO_PATIENT')
  const language = await languageOf(tx, contactId)
  const filled = await fillTemplate(tx, scope.env, { templateId, contactId, language, ...(more && { more }) })
  if (!filled) return refused('NO_TEMPLATE')
  const { template, subject, text, html, missing, clinicalWords } = filled
  const gaps = [...missing.unknown, ...missing.empty]
  if (gaps.length > 0) return refused('MISSING_VALUE', { variables: gaps })
  if (clinicalWords.length > 0) return refused('CLINICAL_WORD', { words: clinicalWords })
  const isMarketing = isCommercial || isCommercialCategory(template.category)
  const recipient = await chooseRecipient(tx, scope, { contactId, channel: template.channel, isCommercial: isMarketing })
  if (isRefusal(recipient)) return refused(recipient.refusal)
  return { channel: template.channel, templateId: template.id, address: recipient.address, subject, text, html, isCommercial: isMarketing }
}

/**
 * Queues a message from a template to a patient in the caller's transaction: the one function by which automatic messages leave. The same key
 * returns the same message. Consent, STOP and bounces are checked now and again when it is sent. It does not wait for the end of quiet hours: the
 * caller asks `earliestSending` when to call. The caller holds no lock on the patient.
 */
export async function sendTemplate(tx: Db, scope: Scope, { idempotencyKey, ...wanted }: Template & { idempotencyKey: string }) {
  const [known] = await tx.select().from(messages).where(eq(messages.idempotencyKey, idempotencyKey))
  if (known) return { message: known }
  const prepared = await prepareTemplate(tx, scope, wanted)
  if (isRefusal(prepared)) return prepared
  const { channel, address, ...words } = prepared
  const next = channel === 'text' ? await limitReached(tx, scope, wanted.contactId) : null
  if (next) return refused('DAILY_LIMIT', { next })
  const outgoing = { ...words, contactId: wanted.contactId, documentIds: [], isFromTemplate: true, idempotencyKey }
  const message = await (channel === 'text'
    ? textPatient(tx, scope, { ...outgoing, number: address })
    : writeToPatient(tx, scope, { ...outgoing, address }))
  if (!isRefusal(message)) return { message }
  // What has changed since it was prepared, or is counted with the end of a commercial text.
  switch (message.refusal) {
    case 'TOO_LARGE':
      return refused('TOO_LONG')
    case 'SUPPRESSED':
      return refused('BOUNCED')
    case 'STOPPED':
    case 'NO_CONSENT':
    case 'KEY_REUSED':
      return refused(message.refusal)
    case 'INVALID_REFERENCE':
      return refused('NO_TEMPLATE')
    default:
      return refused('NOT_SET_UP')
  }
}
