import { translations } from '../../shared/translations.ts'

/** What patients read about a fee: on the receipt, and in the email when their card was refused. */
export const en = {
  receipt: 'Fee for a visit',
  dueSubject: 'A fee at {{practice}} is due',
  subject: 'Your card at {{practice}} was refused',
  refused: 'A fee for a visit is due, as you agreed when you booked. The card that you left was refused.',
  noCard: 'A fee for a visit is due, as you agreed when you booked.',
  howTo: 'Please pay it with another card. The page shows the amount.',
  pay: 'Pay now',
} as const

export const fr = {
  receipt: 'Frais de visite',
  dueSubject: 'Des frais sont dus chez {{practice}}',
  subject: 'Votre carte chez {{practice}} a été refusée',
  refused: 'Des frais de visite sont dus, comme vous l’avez accepté à la réservation. La carte que vous aviez laissée a été refusée.',
  noCard: 'Des frais de visite sont dus, comme vous l’avez accepté à la réservation.',
  howTo: 'Veuillez les payer avec une autre carte. La page indique le montant.',
  pay: 'Payer maintenant',
} as const

export const feeTexts = translations(en, fr)
