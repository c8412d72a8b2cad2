import { translations } from '../../shared/translations.ts'

/** What a payment reminder says of a balance. */
export const en = {
  was: '{{amount}} was due on {{day}}.',
  overdue: '{{amount}} is overdue; the first part was due on {{day}}.',
  due: '{{amount}} is due on {{day}}.',
  dueToday: '{{amount}} is due today.',
  next: 'Next, {{amount}} is due on {{day}}.',
  nextToday: 'Next, {{amount}} is due today.',
  allBeforeSurgery: 'The full balance must be paid before your surgery.',
  partBeforeSurgery: '{{amount}} of the {{balance}} balance must be paid before your surgery.',
  call: 'call {{phone}} or reply to this email',
  callDuring: 'call {{phone}} ({{hours}}) or reply to this email',
  reply: 'reply to this email',
} as const

export const fr = {
  was: 'Un montant de {{amount}} devait être payé le {{day}}.',
  overdue: 'Un montant de {{amount}} est en retard; la première partie devait être payée le {{day}}.',
  due: 'Un montant de {{amount}} est à payer d’ici le {{day}}.',
  dueToday: 'Un montant de {{amount}} est à payer aujourd’hui.',
  next: 'Ensuite, un montant de {{amount}} est à payer d’ici le {{day}}.',
  nextToday: 'Ensuite, un montant de {{amount}} est à payer aujourd’hui.',
  allBeforeSurgery: 'Le solde entier doit être payé avant votre chirurgie.',
  partBeforeSurgery: 'De ce solde de {{balance}}, un montant de {{amount}} doit être payé avant votre chirurgie.',
  call: 'appelez-nous au {{phone}} ou répondez à ce courriel',
  callDuring: 'appelez-nous au {{phone}} ({{hours}}) ou répondez à ce courriel',
  reply: 'répondez à ce courriel',
}

export const balanceTexts = translations(en, fr)
