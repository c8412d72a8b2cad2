import type { Channel, WayProblem } from '../rules.ts'

export const channelLabels: Record<Channel, string> = { sms: 'Text', email: 'Email', portal: 'Portal' }

/** Why nothing can be sent to an address or number, after a colon or in a badge. */
export const problemLabels: Record<WayProblem, string> = {
  bounce: 'Emails bounce',
  complaint: 'Marked as spam',
  stopped: 'Answered STOP',
  incomplete: 'Number incomplete',
  landline: 'Landline',
  other: 'Receives no texts',
  country: 'Number of another country',
  'not-set-up': 'Not set up',
}

/** The same as a sentence, for a channel that is not offered. */
export const problemSentences: Record<WayProblem, string> = {
  bounce: 'an email to the address bounced.',
  complaint: 'the owner of the address marked an email as spam.',
  stopped: 'the number answered STOP.',
  incomplete: 'the phone number is incomplete.',
  landline: 'the phone number is a landline.',
  other: 'the phone number receives no texts.',
  country: 'the practice sends no text messages to numbers of this country.',
  'not-set-up': 'text messages are not set up. An administrator finds how under Settings, Integrations.',
}
