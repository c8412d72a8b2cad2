import { translations } from '../../../shared/translations.ts'

/** The email with a receipt. */
export const en = {
  receipt: 'Receipt {{number}}',
  refund: 'Refund receipt {{number}}',
  subject: '{{receipt}} from {{practice}}',
  hello: 'Hello,',
  attached: '{{receipt}} is attached. Thank you for your payment.',
  refundAttached: '{{receipt}} is attached.',
} as const

export const fr = {
  receipt: 'Reçu {{number}}',
  refund: 'Reçu de remboursement {{number}}',
  subject: '{{receipt}} de {{practice}}',
  hello: 'Bonjour,',
  attached: 'Pièce jointe : {{receipt}}. Merci de votre paiement.',
  refundAttached: 'Pièce jointe : {{receipt}}.',
}

export const receiptMailTexts = translations(en, fr)
