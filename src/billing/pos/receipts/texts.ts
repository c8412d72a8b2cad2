import { type Language, translations } from '../../../shared/translations.ts'

/** A receipt as a PDF, and the email with it. */
export const en = {
  receipt: 'Receipt {{number}}',
  refund: 'Refund receipt {{number}}',
  subject: '{{receipt}} from {{practice}}',
  hello: 'Hello,',
  attached: '{{receipt}} is attached. Thank you for your payment.',
  refundAttached: '{{receipt}} is attached.',
  states: { pending: 'Not recorded yet', failed: 'Refused', cancelled: 'Cancelled' },
  customer: 'Customer',
  date: 'Date',
  number: 'Number',
  refundOf: 'Refund of',
  reason: 'Reason',
  refundMethod: 'Refund method',
  paidBy: 'Paid by',
  methods: { Cash: 'Cash', Cheque: 'Cheque', Debit: 'Debit', Transfer: 'Transfer', Other: 'Other' },
  description: 'Description',
  deposit: 'Deposit for future treatment',
  memo: 'Memo',
  item: 'Item',
  tax: 'Tax',
  price: 'Quantity × price',
  amount: 'Amount',
  subtotal: 'Subtotal',
  discount: 'Discount {{percent}}',
  taxOn: '{{tax}} on {{amount}}',
  total: 'Total',
  totalRefunded: 'Total refunded',
  exempt: 'Exempt: {{reason}}',
} as const

export const fr = {
  receipt: 'Reçu {{number}}',
  refund: 'Reçu de remboursement {{number}}',
  subject: '{{receipt}} de {{practice}}',
  hello: 'Bonjour,',
  attached: 'Pièce jointe : {{receipt}}. Merci de votre paiement.',
  refundAttached: 'Pièce jointe : {{receipt}}.',
  states: { pending: 'Pas encore enregistré', failed: 'Refusé', cancelled: 'Annulé' },
  customer: 'Facturé à',
  date: 'Date',
  number: 'Numéro',
  refundOf: 'Remboursement de',
  reason: 'Motif',
  refundMethod: 'Mode de remboursement',
  paidBy: 'Mode de paiement',
  methods: { Cash: 'Argent comptant', Cheque: 'Chèque', Debit: 'Carte de débit', Transfer: 'Virement', Other: 'Autre' },
  description: 'Description',
  deposit: 'Acompte pour un traitement à venir',
  memo: 'Note',
  item: 'Article',
  tax: 'Taxe',
  price: 'Quantité × prix',
  amount: 'Montant',
  subtotal: 'Sous-total',
  discount: 'Rabais de {{percent}}',
  taxOn: '{{tax}} sur {{amount}}',
  total: 'Total',
  totalRefunded: 'Total remboursé',
  exempt: 'Exonéré : {{reason}}',
}

export const receiptTexts = translations(en, fr)

/** The point of sale's own methods; another name stays. */
export function formatMethod(method: string, language: Language): string {
  const known = (Object.keys(en.methods) as (keyof typeof en.methods)[]).find((own) => own === method)
  return known ? receiptTexts[language](`methods.${known}`) : method
}
