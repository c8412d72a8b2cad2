import { translations } from '../../shared/translations.ts'

/** The email with the code that proves an address. */
export const en = {
  subject: '{{code}} is your code for {{practice}}',
  intro: 'Your code to book a visit is:',
  expires: 'It works once and expires in {{minutes}} minutes.',
  closing: 'We never ask for this code by phone or email. If you did not ask for it, you can ignore this email.',
} as const

export const fr = {
  subject: '{{code}} est votre code pour {{practice}}',
  intro: 'Votre code pour prendre rendez-vous est :',
  expires: 'Il sert une seule fois et expire dans {{minutes}} minutes.',
  closing:
    'Nous ne demandons jamais ce code par téléphone ni par courriel. Si vous ne l’avez pas demandé, vous pouvez ignorer ce courriel.',
}

export const bookingMailTexts = translations(en, fr)
