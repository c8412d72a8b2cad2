import { inArray } from 'drizzle-orm'
import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { isCommercialCategory } from '../../crm/consent/rules.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { chooseRecipients } from '../../messages/inbox/recipient.ts'
import { type MessageRefusal, messageRefusals } from './rules.ts'
import type { MessageStep } from './walk-rules.ts'

/**
 * Why the messages of these steps cannot reach these patients now, by step and patient; patients whom one reaches are left out. For many patients
 * at once, before a sequence starts; each message is checked again when it is sent.
 */
export async function refusedFor(
  tx: Db,
  scope: Scope,
  steps: readonly MessageStep[],
  contactIds: readonly string[],
): Promise<Map<string, Map<string, MessageRefusal>>> {
  const refused = new Map<string, Map<string, MessageRefusal>>()
  if (steps.length === 0 || contactIds.length === 0) return refused
  const ids = [...new Set(steps.map(({ templateId }) => templateId))]
  const templates = await tx
    .select({ id: emailTemplates.id, category: emailTemplates.category })
    .from(emailTemplates)
    .where(inArray(emailTemplates.id, ids))
  // The same for all steps of a channel that are marketing, and for all that are not.
  const known = new Map<string, Map<string, MessageRefusal>>()
  for (const { id, kind, templateId } of steps) {
    const template = templates.find((one) => one.id === templateId)
    const wanted = template && { channel: kind, isCommercial: isCommercialCategory(template.category) }
    const key = JSON.stringify(wanted ?? null)
    if (!known.has(key)) known.set(key, wanted ? await unreachable(tx, scope, wanted, contactIds) : allWithout(contactIds))
    refused.set(id, known.get(key)!)
  }
  return refused
}

const allWithout = (contactIds: readonly string[]) => new Map(contactIds.map((id) => [id, messageRefusals.NO_TEMPLATE]))

async function unreachable(
  tx: Db,
  scope: Scope,
  wanted: Parameters<typeof chooseRecipients>[3],
  contactIds: readonly string[],
): Promise<Map<string, MessageRefusal>> {
  const chosen = await chooseRecipients(tx, scope, contactIds, wanted)
  return new Map([...chosen].flatMap(([id, recipient]) => (isRefusal(recipient) ? [[id, messageRefusals[recipient.refusal]]] : [])))
}
