import type { Step, TriggerKind } from '../definition-contract.ts'
import type { RunStatus } from '../rules.ts'

/** What starts a sequence, as offered in the editor. */
export const triggerLabels: Record<TriggerKind, string> = {
  lead: 'A lead arrives',
  stage: 'A patient enters a stage',
  'appointment-booked': 'An appointment is booked',
  'appointment-missed': 'A patient misses an appointment',
  'appointment-before': 'Days before an appointment',
  'quote-sent': 'A quote is sent',
  'quote-expiring': 'Days before a quote expires',
  'surgery-before': 'Days before surgery',
  'surgery-after': 'Days after surgery',
  'form-unanswered': 'A form stays unanswered',
  tag: 'A tag is added',
  birthday: 'A patient’s birthday',
  'follow-up': 'The follow-up date arrives',
  'no-contact': 'No contact for months',
}

export const stepKindLabels: Record<Step['kind'], string> = {
  text: 'Send a text',
  email: 'Send an email',
  task: 'Create a task',
  wait: 'Wait',
  until: 'Wait until a day',
  branch: 'Ask what the patient did',
  stage: 'Move to a stage',
  tag: 'Add or remove a tag',
  owner: 'Assign an owner',
  hook: 'Notify webhooks',
  leave: 'Leave the sequence',
}

export const statusLabels: Record<RunStatus, string> = {
  active: 'Under way',
  paused: 'Paused',
  finished: 'Finished',
  left: 'Left early',
  stopped: 'Stopped',
  failed: 'Failed',
  'held-out': 'Comparison group',
  refused: 'Refused',
}

/** What a step led to. `held`: in a test run. */
const outcomeLabels: Record<string, string> = {
  started: 'Started',
  sent: 'Sent',
  refused: 'Refused',
  done: 'Done',
  waited: 'Wait over',
  yes: 'Yes',
  no: 'No',
  skipped: 'Skipped',
  failed: 'Failed',
  ended: 'Ended',
  changed: 'Changed by staff',
  held: 'Held back',
}
export const outcomeLabel = (outcome: string): string => outcomeLabels[outcome] ?? outcome

/** Why a message was refused, a run ended or waits, in words that follow a colon. */
export const reasonLabels: Record<string, string> = {
  'no-patient': 'the patient no longer exists',
  'no-email': 'no email address',
  'no-mobile': 'no mobile number',
  bounced: 'emails bounced, or one was marked as spam',
  stopped: 'asked to stop texts',
  'no-consent': 'no consent to marketing',
  'no-template': 'the template was deleted',
  'clinical-word': 'the text would contain a clinical word',
  'missing-value': 'the template needs a value that is empty',
  'too-long': 'the text would be too long',
  'not-set-up': 'this channel is not set up in Settings, Integrations',
  'key-reused': 'it was written before',
  'under-way': 'already in this sequence',
  'been-through': 'has been through this sequence',
  'no-assignee': 'no one to assign it to',
  'no-tag': 'the tag was deleted',
  reply: 'the patient replied',
  booking: 'the patient booked',
  surgery: 'surgery was booked',
  'opt-out': 'the patient unsubscribed or asked to stop',
  stage: 'the patient left the stage',
  subject: 'what started it no longer applies',
  step: 'reached a step that ends it',
  finished: 'all steps are done',
  staff: 'by staff',
  deleted: 'the sequence was deleted',
  paused: 'paused',
  'paused-reply': 'paused, because the patient replied',
  resumed: 'resumed',
  retried: 'tried again',
  'held-out': 'in the comparison group, which receives nothing',
  cap: 'has had as many automatic messages as allowed in seven days',
  day: 'the limit of texts for today is reached',
  passed: 'its time had passed before the sequence started for the patient',
  hours: 'outside the hours for messages',
  retry: 'a step failed and is tried again soon',
}
export const reasonLabel = (reason: string): string => reasonLabels[reason] ?? 'an unexpected problem'

export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-CA')} ${count === 1 ? one : many}`
