import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendTemplates } from '../../messages/inbox/send-template.ts'
import { messageRefusals } from './rules.ts'

/** What carrying out a step led to, for the log. `later`: the day's limit is reached, so that it is tried again then. */
export type Done =
  | { outcome: 'sent' | 'done'; refId: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; at: Date }

/** Queues the message of a step for each of these patients. What may not be sent is refused with its reason; the patient goes on to the next step. */
export async function sendSteps(
  tx: Db,
  scope: Scope,
  templateId: string,
  recipients: readonly { contactId: string; idempotencyKey: string }[],
): Promise<Map<string, Done>> {
  const sent = await sendTemplates(tx, scope, { templateId }, recipients)
  return new Map(
    [...sent].map(([contactId, result]): [string, Done] => {
      if (!isRefusal(result)) return [contactId, { outcome: 'sent', refId: result.message.id }]
      if (result.refusal === 'DAILY_LIMIT') return [contactId, { outcome: 'later', at: result.data.next }]
      return [contactId, { outcome: 'refused', reason: messageRefusals[result.refusal] }]
    }),
  )
}
