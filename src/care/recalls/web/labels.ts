import type { Answer, AttemptState, Channel } from '../rules.ts'

export const answerLabels: Record<Answer, string> = {
  open: 'No answer yet',
  informed: 'Informed',
  visit_booked: 'Visit booked',
  removed: 'Implant removed',
  declined: 'Declined',
  unreachable: 'Unreachable',
}

/** How staff reached a patient, or tried to. */
export const wayLabels = {
  'phone reached': 'Called, reached',
  'phone no_answer': 'Called, no answer',
  'in_person reached': 'Spoke in person',
} as const
export type Way = keyof typeof wayLabels

const channelLabels: Record<Channel, string> = { email: 'Email', letter: 'Letter', phone: 'Call', in_person: 'In person' }
const stateLabels: Record<AttemptState, string> = {
  queued: 'queued',
  sending: 'being sent',
  sent: 'sent',
  failed: 'failed',
  uncertain: 'delivery uncertain',
  made: 'made',
  reached: 'reached',
  no_answer: 'no answer',
}

/** 'Letter made', 'Called, no answer' */
export function formatAttempt({ channel, state }: { channel: Channel; state: AttemptState }): string {
  const way = `${channel} ${state}`
  return way in wayLabels ? wayLabels[way as Way] : `${channelLabels[channel]} ${stateLabels[state]}`
}
