import type { Answer, AttemptState, Channel } from '../rules.ts'

export const answerLabels: Record<Answer, string> = {
  open: 'No answer yet',
  informed: 'Informed',
  visit_booked: 'Visit booked',
  removed: 'Implant removed',
  declined: 'Declined',
  unreachable: 'Unreachable',
}

export const channelLabels: Record<Channel, string> = { email: 'Email', letter: 'Letter', phone: 'Call', in_person: 'In person' }

export const stateLabels: Record<AttemptState, string> = {
  queued: 'queued',
  sending: 'being sent',
  sent: 'sent',
  failed: 'failed',
  uncertain: 'delivery uncertain',
  made: 'made',
  reached: 'reached',
  no_answer: 'no answer',
}
