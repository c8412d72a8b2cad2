import { translations } from '../../../../shared/translations.ts'

/** The steps of those who join the waiting list, loaded with them. */
export const en = {
  waitIntro: 'We write to you when a time that suits you is free.',
  waitDays: 'Days',
  waitTimes: 'Times of day',
  allIfNone: '(all if you choose none)',
  waitUntil: 'I can wait until',
  waitLate: 'Choose a day within the next year',
  waiting: 'When a time that suits you is free, we offer it to you by email to {{email}}. The first to say yes gets it.',
  waitingText: 'When a time that suits you is free, we offer it to you by email to {{email}} or by text. The first to say yes gets it.',
  waitingFor: 'What you wait for',
  waitingEnd: 'If you no longer need it, follow the link in our email, or call us.',
} as const

export const fr = {
  waitIntro: 'Nous vous écrivons lorsqu’une place qui vous convient se libère.',
  waitDays: 'Jours',
  waitTimes: 'Moments de la journée',
  allIfNone: '(tous si vous n’en choisissez aucun)',
  waitUntil: 'Je peux attendre jusqu’au',
  waitLate: 'Choisissez un jour d’ici un an',
  waiting:
    'Lorsqu’une place qui vous convient se libère, nous vous la proposons par courriel à {{email}}. Elle va à la première personne qui accepte.',
  waitingText:
    'Lorsqu’une place qui vous convient se libère, nous vous la proposons par courriel à {{email}} ou par texto. Elle va à la première personne qui accepte.',
  waitingFor: 'Ce que vous attendez',
  waitingEnd: 'Si vous n’en avez plus besoin, suivez le lien de notre courriel ou appelez-nous.',
}

export const waitTexts = translations(en, fr)
