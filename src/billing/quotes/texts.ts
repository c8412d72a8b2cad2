import { translations } from '../../shared/translations.ts'

/** A quote as the patient reads it, in the portal, as a PDF and by email. */
export const en = {
  name: 'Quote {{number}}',
  nameOfVersion: 'Quote {{number}}, version {{revision}}',
  mail: {
    subject: '{{name}} from {{practice}}',
    attached: '{{name}} is attached. It is valid until {{day}}.',
    portal: 'You can read, accept or decline it in the patient portal.',
  },
  subtotal: 'Subtotal',
  discount: 'Discount',
  discountOf: 'Discount, {{percent}}',
  total: 'Total',
  exempt: 'Exempt from tax: {{reason}}',
  schedule: 'Payment schedule',
  deposit: 'Deposit',
  instalment: 'Instalment {{at}} of {{of}}',
  balance: 'Balance',
  fullPayment: 'Full payment',
  timed: { before: '{{payment}}, before surgery', on: '{{payment}}, on the day of surgery', after: '{{payment}}, after surgery' },
  note: 'Please note',
} as const

export const fr = {
  name: 'Soumission {{number}}',
  nameOfVersion: 'Soumission {{number}}, version {{revision}}',
  mail: {
    subject: '{{name}} de {{practice}}',
    attached: 'Pièce jointe : {{name}}. Elle est valide jusqu’au {{day}}.',
    portal: 'Vous pouvez la lire, l’accepter ou la refuser sur le portail des patients.',
  },
  subtotal: 'Sous-total',
  discount: 'Rabais',
  discountOf: 'Rabais de {{percent}}',
  total: 'Total',
  exempt: 'Exonéré de taxe : {{reason}}',
  schedule: 'Calendrier des paiements',
  deposit: 'Acompte',
  instalment: 'Versement {{at}} de {{of}}',
  balance: 'Solde',
  fullPayment: 'Paiement complet',
  timed: {
    before: '{{payment}}, avant la chirurgie',
    on: '{{payment}}, le jour de la chirurgie',
    after: '{{payment}}, après la chirurgie',
  },
  note: 'À noter',
}

export const quoteTexts = translations(en, fr)
