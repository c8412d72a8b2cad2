import { translations } from '../../shared/translations.ts'

/** What patients read about the money of a visit: in the emails about it, on the receipt of a fee, and when their card was refused. */
export const en = {
  receipt: 'Fee for a visit',
  paid: 'You paid a deposit of {{amount}} with {{card}}.',
  kept: 'You left {{card}} when you booked, and nothing was charged to it.',
  wentBack: 'Your deposit of {{amount}} went back to {{card}}, so nothing is paid for this appointment.',
  back: 'The full amount goes back to that card. Banks take a few days to show it.',
  rest: 'The rest, {{amount}}, goes back to {{card}}. Banks take a few days to show it.',
  mayCost: 'As you agreed when you booked, there may be a fee of {{fee}} for cancelling late. We will write to you once that is decided.',
  keptUntilThen: 'Until then, we keep the deposit.',
  waived: 'We charge no fee, and nothing is due.',
  fee: {
    late_cancel: 'As you agreed when you booked, there is a fee of {{fee}} for cancelling late.',
    no_show: 'As you agreed when you booked, there is a fee of {{fee}} for missing the appointment.',
  },
  earlier: 'A fee of {{fee}} was charged for this appointment before. There is no other fee.',
  fromDeposit: 'It is taken from the deposit.',
  partFromDeposit: 'Your deposit covers {{amount}}.',
  toCharge: '{{amount}} is charged to {{card}}.',
  charged: '{{amount}} was charged to {{card}}.',
  open: '{{amount}} is still to be paid.',
  about: 'This is about your appointment on {{day}}.',
  chargedSubject: 'The fee for your appointment at {{practice}}',
  waivedSubject: 'No fee for your appointment at {{practice}}',
  dueSubject: 'A fee at {{practice}} is due',
  refusedSubject: 'Your card at {{practice}} was refused',
  refused: 'The card that you left was refused. Please pay with another card.',
  noCard: 'Please pay it by card.',
  pay: 'Pay now',
} as const

export const fr = {
  receipt: 'Frais de rendez-vous',
  paid: 'Vous avez payé un acompte de {{amount}} avec {{card}}.',
  kept: 'Vous avez laissé {{card}} à la réservation; rien n’y a été porté.',
  wentBack: 'Votre acompte de {{amount}} a été remboursé sur {{card}} : rien n’est payé pour ce rendez-vous.',
  back: 'Il est remboursé en entier sur cette carte. Les banques mettent quelques jours à l’afficher.',
  rest: 'Le reste, {{amount}}, est remboursé sur {{card}}. Les banques mettent quelques jours à l’afficher.',
  mayCost:
    'Comme vous l’avez accepté à la réservation, des frais de {{fee}} peuvent s’appliquer à une annulation tardive. Nous vous écrirons quand ce sera décidé.',
  keptUntilThen: 'D’ici là, nous gardons l’acompte.',
  waived: 'Aucuns frais ne vous sont demandés; vous ne devez rien.',
  fee: {
    late_cancel: 'Comme vous l’avez accepté à la réservation, des frais de {{fee}} s’appliquent à l’annulation tardive.',
    no_show: 'Comme vous l’avez accepté à la réservation, des frais de {{fee}} s’appliquent au rendez-vous manqué.',
  },
  earlier: 'Des frais de {{fee}} ont déjà été portés à votre compte pour ce rendez-vous. Il n’y en a pas d’autres.',
  fromDeposit: 'Ils sont pris sur l’acompte.',
  partFromDeposit: 'Votre acompte en couvre {{amount}}.',
  toCharge: '{{amount}} sont portés à {{card}}.',
  charged: '{{amount}} ont été portés à {{card}}.',
  open: 'Il reste {{amount}} à payer.',
  about: 'Ce message concerne votre rendez-vous du {{day}}.',
  chargedSubject: 'Les frais de votre rendez-vous chez {{practice}}',
  waivedSubject: 'Aucuns frais pour votre rendez-vous chez {{practice}}',
  dueSubject: 'Des frais sont dus chez {{practice}}',
  refusedSubject: 'Votre carte chez {{practice}} a été refusée',
  refused: 'La carte que vous aviez laissée a été refusée. Veuillez payer avec une autre carte.',
  noCard: 'Veuillez les payer par carte.',
  pay: 'Payer maintenant',
}

export const feeTexts = translations(en, fr)
