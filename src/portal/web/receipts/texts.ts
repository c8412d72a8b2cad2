import { translations } from '../../../shared/translations.ts'

/** What the patient has paid and owes. */
export const en = {
  title: 'Receipts and balance',
  intro: 'What you have paid at {{practice}}, and what is left to pay.',
  failed: 'Couldn’t load your receipts.',
  balance: 'Balance',
  owed: '{{amount}} to pay',
  nothingOwed: 'You have nothing to pay.',
  due: 'Due {{day}}',
  dueBeforeSurgery: 'Due {{day}}, before your surgery',
  overdue: 'Was due {{day}}',
  payHow: 'Please call us to pay, or pay at your next visit.',
  payByCard: 'Pay by card',
  underWay: '{{amount}} paid by card is being recorded. Its receipt appears below in a few minutes.',
  receipts: 'Receipts',
  none: 'No receipts yet. They appear here after each payment.',
  sale: 'Receipt {{number}}',
  refund: 'Refund {{number}}',
  paidBy: '{{day}}, payment method: {{method}}',
  refundedTo: '{{day}}, refund method: {{method}}',
  view: 'View',
  viewName: 'View {{name}}',
  download: 'Couldn’t download the PDF. Please try again.',
} as const

export const fr = {
  title: 'Reçus et solde',
  intro: 'Ce que vous avez payé chez {{practice}} et ce qu’il vous reste à payer.',
  failed: 'Impossible de charger vos reçus.',
  balance: 'Solde',
  owed: '{{amount}} à payer',
  nothingOwed: 'Vous n’avez rien à payer.',
  due: 'À payer d’ici le {{day}}',
  dueBeforeSurgery: 'À payer d’ici le {{day}}, avant votre chirurgie',
  overdue: 'Devait être payé le {{day}}',
  payHow: 'Appelez-nous pour payer, ou payez lors de votre prochain rendez-vous.',
  payByCard: 'Payer par carte',
  underWay: 'Un paiement par carte de {{amount}} est en cours d’inscription. Son reçu apparaîtra ci-dessous d’ici quelques minutes.',
  receipts: 'Reçus',
  none: 'Aucun reçu pour le moment. Ils apparaissent ici après chaque paiement.',
  sale: 'Reçu {{number}}',
  refund: 'Remboursement {{number}}',
  paidBy: '{{day}}, mode de paiement : {{method}}',
  refundedTo: '{{day}}, mode de remboursement : {{method}}',
  view: 'Voir',
  viewName: 'Voir {{name}}',
  download: 'Le PDF n’a pas pu être téléchargé. Veuillez réessayer.',
}

export const receiptsTexts = translations(en, fr)
