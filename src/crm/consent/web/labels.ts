import { type ConsentBasis, type ConsentChannel, consentChannels, type ConsentSource, type WithdrawalSource } from '../rules.ts'

export const channelLabels: Record<ConsentChannel, string> = { email: 'Email', text: 'Text' }

/** What a dialog records or ends: consent to one channel, or to all. */
export const channelChoices = [
  { value: 'both', label: 'Email and text messages' },
  { value: 'email', label: 'Email' },
  { value: 'text', label: 'Text messages' },
] as const
export type ChannelChoice = (typeof channelChoices)[number]['value']

export const channelsIn = (choice: ChannelChoice): ConsentChannel[] => (choice === 'both' ? [...consentChannels] : [choice])

export const basisLabels: Record<ConsentBasis, string> = {
  express: 'Express',
  inquiry: 'Implied by an inquiry',
  purchase: 'Implied by a purchase',
  none: 'No consent',
}

export const sourceLabels: Record<ConsentSource, string> = {
  in_person: 'In person',
  phone: 'By phone',
  paper: 'On paper',
  email: 'By email',
  web_form: 'On a web form',
  record: 'Set in patient record',
  imported: 'Imported',
  lead: 'Lead form',
  sale: 'Sales receipt',
}

export const withdrawalLabels: Record<WithdrawalSource, string> = {
  asked: 'at the patient’s request',
  record: 'in the patient record',
  link: 'with the link in an email',
  postmark: 'in their email program',
  stop: 'with STOP from the phone',
  merge: 'by a merge',
}
