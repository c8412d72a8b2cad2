import { translations } from '../../shared/translations.ts'

/** The emails with the code that proves an address, about the waiting list, and about a deposit that goes back. */
export const en = {
  subject: '{{code}} is your code for {{practice}}',
  intro: 'Your code to confirm your email address is:',
  expires: 'It works once and expires in {{minutes}} minutes.',
  waitingSubject: 'You are on the waiting list of {{practice}}',
  waiting: 'You are waiting for: {{visit}}. You asked for:',
  waitingOffers: 'When a time that suits you is free, we offer it to you. The first to say yes gets it.',
  leaveList: 'Leave the waiting list',
  notBookedSubject: 'Your visit at {{practice}} was not booked',
  notBooked: 'The time that you chose was taken before your payment went through.',
  givenBack: 'All of your deposit, {{amount}}, goes back to {{card}}. Banks take a few days to show it.',
  bookAgain: 'Choose another time',
  closing: 'We never ask for this code by phone or email. If you did not ask for it, you can ignore this email.',
} as const

export const fr = {
  subject: '{{code}} est votre code pour {{practice}}',
  intro: 'Votre code pour confirmer votre adresse courriel est :',
  expires: 'Il sert une seule fois et expire dans {{minutes}} minutes.',
  waitingSubject: 'Vous êtes sur la liste d’attente de {{practice}}',
  waiting: 'Vous attendez : {{visit}}. Vos disponibilités :',
  waitingOffers: 'Lorsqu’une place qui vous convient se libère, nous vous la proposons. Elle va à la première personne qui accepte.',
  leaveList: 'Quitter la liste d’attente',
  notBookedSubject: 'Votre rendez-vous chez {{practice}} n’a pas été pris',
  notBooked: 'L’heure que vous aviez choisie a été prise avant que votre paiement soit accepté.',
  givenBack: 'Votre acompte de {{amount}} est remboursé en entier sur {{card}}. Les banques mettent quelques jours à l’afficher.',
  bookAgain: 'Choisir une autre heure',
  closing:
    'Nous ne demandons jamais ce code par téléphone ni par courriel. Si vous ne l’avez pas demandé, vous pouvez ignorer ce courriel.',
}

export const bookingMailTexts = translations(en, fr)
