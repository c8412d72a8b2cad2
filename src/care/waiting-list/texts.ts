import { translations } from '../../shared/translations.ts'

/** A time from the waiting list, as the patient sees it behind the link in an offer. */
export const en = {
  titles: {
    open: 'A time is free for you',
    accepted: 'Your visit is booked',
    declined: 'You passed on this time',
    expired: 'This offer has ended',
    gone: 'This time is gone',
  },
  hello: 'Hello {{name}},',
  minutes: '{{minutes}} minutes',
  withProvider: 'With {{provider}}',
  until: 'You can answer until {{at}}. Others may have this offer too: the first to say yes gets it.',
  depositNow:
    'A deposit of {{amount}} is due with the booking. You read its terms and pay on the next page, where the time is held for you.',
  cardNow: 'A card is asked for with the booking. You read the terms on the next page, where the time is held for you.',
  continue: 'Yes, continue',
  accept: 'Yes, book it',
  accepting: 'Booking…',
  decline: 'No, keep me on the list',
  stop: 'Take me off the list',
  declining: 'Sending…',
  accepted: 'We will send you the details. We look forward to seeing you.',
  manage: 'Your appointment',
  declinedBefore: 'You told us that this time does not suit you.',
  declined: 'You stay on the waiting list. We will write to you when another time is free.',
  stopped: 'You are off the waiting list. If you need a visit later, please call us.',
  expired: 'If you are still on the waiting list, we will write to you when another time is free.',
  gone: 'Someone else was faster. If you are still on the waiting list, we will write to you when another time is free.',
  unknown: 'This link no longer works. Please use the link in our latest message, or call {{practice}}.',
  problems: {
    tooMany: 'Too many attempts. Please wait 15 minutes, or call us.',
    unexpected: 'Something went wrong. Please try again.',
    connection: 'Something went wrong. Please check your connection and try again.',
  },
} as const

export const fr = {
  titles: {
    open: 'Une place se libère pour vous',
    accepted: 'Votre rendez-vous est pris',
    declined: 'Vous avez laissé cette place',
    expired: 'Cette offre est terminée',
    gone: 'Cette place est prise',
  },
  hello: 'Bonjour {{name}},',
  minutes: '{{minutes}} min',
  withProvider: 'Avec {{provider}}',
  until: 'Vous pouvez répondre jusqu’au {{at}}. D’autres personnes ont peut-être reçu cette offre : la place va à la première qui accepte.',
  depositNow:
    'Un acompte de {{amount}} est demandé à la réservation. Vous lisez ses conditions et payez à la page suivante, où la place vous est réservée.',
  cardNow: 'Une carte est demandée à la réservation. Vous lisez les conditions à la page suivante, où la place vous est réservée.',
  continue: 'Oui, continuer',
  accept: 'Oui, je la prends',
  accepting: 'Réservation…',
  decline: 'Non, gardez-moi sur la liste',
  stop: 'Retirez-moi de la liste',
  declining: 'Envoi…',
  accepted: 'Nous vous enverrons les détails. Au plaisir de vous voir.',
  manage: 'Votre rendez-vous',
  declinedBefore: 'Vous nous avez dit que cette heure ne vous convient pas.',
  declined: 'Vous restez sur la liste d’attente. Nous vous écrirons lorsqu’une autre place se libérera.',
  stopped: 'Vous n’êtes plus sur la liste d’attente. Si vous avez besoin d’un rendez-vous plus tard, appelez-nous.',
  expired: 'Si vous êtes toujours sur la liste d’attente, nous vous écrirons lorsqu’une autre place se libérera.',
  gone: 'Quelqu’un d’autre a été plus rapide. Si vous êtes toujours sur la liste d’attente, nous vous écrirons lorsqu’une autre place se libérera.',
  unknown: 'Ce lien ne fonctionne plus. Utilisez le lien de notre dernier message, ou appelez {{practice}}.',
  problems: {
    tooMany: 'Trop d’essais. Veuillez attendre 15 minutes ou nous appeler.',
    unexpected: 'Une erreur est survenue. Veuillez réessayer.',
    connection: 'Une erreur est survenue. Vérifiez votre connexion et réessayez.',
  },
}

export const offerTexts = translations(en, fr)
