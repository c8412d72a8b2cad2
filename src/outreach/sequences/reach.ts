import { eq } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { chooseRecipients } from '../../messages/inbox/recipient.ts'
import { type MessageRefusal, messageRefusals } from './rules.ts'
import type { MessageStep } from './walk-rules.ts'

/**
 * Why the message of a step cannot reach these patients now; patients whom it reaches are left out. For many patients at once, before a sequence
 * starts; each message is checked again when it is sent.
 */
export async function refusedFor(
  tx: Db,
  scope: Scope,
  step: MessageStep,
  contactIds: readonly string[],
): Promise<Map<string, MessageRefusal>> {
  if (contactIds.length === 0) return new Map()
  const [template] = await tx
    .select({ category: emailTemplates.category })
    .from(emailTemplates)
    .where(eq(emailTemplates.id, step.templateId))
  if (!template) return new Map(contactIds.map((id) => [id, 'no-template']))
  const wanted = { channel: step.kind, isCommercial: isCommercialCategory(template.category) }
  const chosen = await chooseRecipients(tx, scope, contactIds, wanted)
  return new Map([...chosen].flatMap(([id, recipient]) => (isRefusal(recipient) ? [[id, messageRefusals[recipient.refusal]]] : [])))
}
