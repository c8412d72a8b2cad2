import type { Db } from '../../kernel/postgres/database.ts'
import { isRefusal } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { sendTemplate } from '../../messages/inbox/send-template.ts'
import { messageRefusals } from './rules.ts'
import type { MessageStep } from './walk-rules.ts'

/** What carrying out a step led to, for the log. `later`: the day's limit is reached, so that it is tried again then. */
export type Done =
  | { outcome: 'sent' | 'done'; refId: string | null }
  | { outcome: 'refused'; reason: string }
  | { outcome: 'later'; at: Date }

/** Queues the message of a step. What may not be sent is refused with its reason; the patient goes on to the next step. */
export async function sendStep(
  tx: Db,
  scope: Scope,
  { contactId, step, idempotencyKey }: { contactId: string; step: MessageStep; idempotencyKey: string },
): Promise<Done> {
  const sent = await sendTemplate(tx, scope, { contactId, templateId: step.templateId, idempotencyKey })
  if (!isRefusal(sent)) return { outcome: 'sent', refId: sent.message.id }
  if (sent.refusal === 'DAILY_LIMIT') return { outcome: 'later', at: sent.data!.next }
  return { outcome: 'refused', reason: messageRefusals[sent.refusal] }
}
