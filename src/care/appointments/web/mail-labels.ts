import type { Client } from '../../../ui/client/api.ts'
import type { MailKind, MailRefusal } from '../mail-rules.ts'

type Correspondence = Awaited<ReturnType<Client['appointments']['correspondence']>>
/** As they arrive: instants are ISO strings. */
export type MailedData = Correspondence['mails'][number]
export type WishData = Correspondence['wishes'][number]

export const mailNames: Record<MailKind, string> = {
  confirmation: 'Confirmation',
  changed: 'Changed time',
  cancelled: 'Cancellation',
  reminder_48h: 'Reminder, two days before',
  reminder_24h: 'Reminder, a day before',
}

const refusals: Record<MailRefusal, string> = {
  'no-address': 'Not sent: the patient has no email address',
  suppressed: 'Not sent: the address bounced, or complained of email',
  'no-consent': 'Not sent: its template is marketing, and the patient has not consented to that',
  'no-postal-address': 'Not sent: marketing email needs the practice’s postal address (Settings, Practice)',
}

/** What became of a mail. */
export function mailState({ refusal, message }: Pick<MailedData, 'refusal' | 'message'>): { words: string; isProblem: boolean } {
  if (refusal) return { words: refusals[refusal], isProblem: true }
  if (!message) return { words: 'Sent; its message was deleted', isProblem: false }
  const { status, to, problem } = message
  if (status === 'failed') return { words: `Not sent to ${to}. ${problem ?? ''}`.trim(), isProblem: true }
  if (status === 'bounced') return { words: `Not delivered to ${to}. ${problem ?? ''}`.trim(), isProblem: true }
  if (status === 'queued') return { words: `On its way to ${to}`, isProblem: false }
  return problem === null ? { words: `Sent to ${to}`, isProblem: false } : { words: `Sent to ${to}. ${problem}`, isProblem: true }
}
