import type { Client } from '../../../ui/client/api.ts'
import type { MailKind, MailRefusal } from '../email-rules.ts'

type Correspondence = Awaited<ReturnType<Client['appointments']['correspondence']>>
/** As the API returns them: instants are ISO strings. */
export type MailedData = Correspondence['emails'][number]
export type RescheduleRequestData = Correspondence['rescheduleRequests'][number]

export const mailNames: Record<MailKind, string> = {
  confirmation: 'Confirmation',
  changed: 'Change',
  cancelled: 'Cancellation',
  reminder_48h: 'Reminder, 2 days before',
  reminder_24h: 'Reminder, 1 day before',
}

const refusals: Record<MailRefusal, string> = {
  'no-address': 'Not sent: the patient has no email address',
  suppressed: 'Not sent: the address bounced or marked an email as spam',
  'no-consent': 'Not sent: the template is marketing email, and the patient has not consented to it',
  'no-postal-address': 'Not sent: marketing email needs the practice’s postal address (Settings, Practice)',
}

/** The delivery state of an email. */
export function mailState({ refusal, message }: Pick<MailedData, 'refusal' | 'message'>): { text: string; isProblem: boolean } {
  if (refusal) return { text: refusals[refusal], isProblem: true }
  if (!message) return { text: 'Sent; the message was deleted later', isProblem: false }
  const { status, to, problem } = message
  if (status === 'failed') return { text: `Not sent to ${to}. ${problem ?? ''}`.trim(), isProblem: true }
  if (status === 'bounced') return { text: `Not delivered to ${to}. ${problem ?? ''}`.trim(), isProblem: true }
  if (status === 'queued') return { text: `Sending to ${to}`, isProblem: false }
  return problem === null ? { text: `Sent to ${to}`, isProblem: false } : { text: `Sent to ${to}. ${problem}`, isProblem: true }
}
