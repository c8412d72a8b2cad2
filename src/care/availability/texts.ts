import { translations } from '../../shared/translations.ts'

/** The terms of a visit that needs a deposit or a card, as the patient reads and accepts them. */
export const en = {
  deposit: 'You pay a deposit of {{amount}} now. It counts towards your visit.',
  card: 'You leave a card, and nothing is charged to it now.',
  change: 'You can move or cancel the visit until {{hours}} hours before it at no charge.',
  changeOver: 'The visit is soon, so it can no longer be moved online.',
  changeAnytime: 'You can move or cancel the visit until it begins at no charge.',
  refund: 'If you cancel by then, the deposit goes back to your card.',
  refundAlways: 'If you cancel, the deposit goes back to your card.',
  late: 'If you cancel later, there is a fee of {{fee}}.',
  lateNow: 'If you cancel it, there is a fee of {{fee}}.',
  noShow: 'If you miss the visit, there is a fee of {{fee}}.',
  paidFrom: 'A fee is taken from the deposit first, then charged to this card.',
  paidBy: 'A fee is charged to this card.',
} as const

export const fr = {
  deposit: 'Vous payez maintenant un acompte de {{amount}}. Il est déduit du prix de votre rendez-vous.',
  card: 'Vous laissez une carte; rien n’y est porté maintenant.',
  change: 'Vous pouvez déplacer ou annuler le rendez-vous sans frais jusqu’à {{hours}} heures avant.',
  changeOver: 'Le rendez-vous est proche : il ne peut plus être déplacé en ligne.',
  changeAnytime: 'Vous pouvez déplacer ou annuler le rendez-vous sans frais jusqu’à son début.',
  refund: 'Si vous annulez d’ici là, l’acompte est remboursé sur votre carte.',
  refundAlways: 'Si vous annulez, l’acompte est remboursé sur votre carte.',
  late: 'Si vous annulez plus tard, des frais de {{fee}} s’appliquent.',
  lateNow: 'Si vous l’annulez, des frais de {{fee}} s’appliquent.',
  noShow: 'Si vous manquez le rendez-vous, des frais de {{fee}} s’appliquent.',
  paidFrom: 'Les frais sont d’abord pris sur l’acompte, puis portés à cette carte.',
  paidBy: 'Les frais sont portés à cette carte.',
}

export const termsTexts = translations(en, fr)
