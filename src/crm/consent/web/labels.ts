import type { ConsentBasis, ConsentSource, WithdrawalSource } from '../rules.ts'

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
  merge: 'by a merge',
}
