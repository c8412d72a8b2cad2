import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { languageOf, emailsOf } from '../../crm/contacts/service.ts'
import { contacts } from '../../crm/contacts/table.ts'
import { renderTemplate } from '../../messages/email-templates/service.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { startText, writeToPatient } from '../../messages/inbox/service.ts'
import { mobileOf } from './reach.ts'
import type { MessageStep } from './walk-rules.ts'

/** What carrying out a step led to, for the log. */
export type Done = { outcome: 'sent' | 'done'; refId: string | null; reason?: string } | { outcome: 'refused'; refId: null; reason: string }

const refused = (reason: string): Done => ({ outcome: 'refused', refId: null, reason })

/** Queues the message of a step. What may not be sent now is refused with its reason; the patient goes on to the next step. */
export async function sendStep(
  tx: Db,
  scope: Scope,
  { contactId, step, idempotencyKey }: { contactId: string; step: MessageStep; idempotencyKey: string },
): Promise<Done> {
  const [template] = await tx.select({ name: emailTemplates.name }).from(emailTemplates).where(eq(emailTemplates.id, step.templateId))
  const mail = template && (await renderTemplate(tx, scope.env, template.name, contactId, { language: await languageOf(tx, contactId) }))
  if (!mail) return refused('no-template')
  const isCommercial = isCommercialCategory(mail.category)
  const content = { text: mail.text, documentIds: [], isCommercial, idempotencyKey }
  if (step.kind === 'text') {
    const [patient] = await tx
      .select({ phone: contacts.phone, otherPhones: contacts.otherPhones })
      .from(contacts)
      .where(eq(contacts.id, contactId))
    const phone = patient ? mobileOf(patient) : null
    if (phone === null) return refused('no-mobile')
    const sent = await startText({ ...scope, db: tx as Scope['db'] }, { contactId, phone, ...content, html: null })
    if (sent === null) return refused('no-mobile')
    return isRefusal(sent) ? refused(reasons[sent.refusal] ?? sent.refusal) : { outcome: 'sent', refId: sent.messageId }
  }
  const [address] = (await emailsOf(tx, contactId)) ?? []
  if (address === undefined) return refused('no-email')
  const sent = await writeToPatient(tx, scope, { contactId, address, subject: mail.subject, html: mail.html, ...content })
  return isRefusal(sent) ? refused(reasons[sent.refusal] ?? sent.refusal) : { outcome: 'sent', refId: sent.id }
}

/** The refusals of a message in the words of a sequence. */
const reasons: Record<string, string> = {
  SUPPRESSED: 'bounced',
  STOPPED: 'stopped',
  NO_CONSENT: 'no-consent',
  NO_TEXTING: 'no-texting',
  TEXT_ONLY: 'no-consent',
  NO_POSTAL_ADDRESS: 'no-postal-address',
}
