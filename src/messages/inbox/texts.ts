import { translations } from '../../shared/translations.ts'

/** The email about an answer in the portal. */
export const en = {
  subject: 'New message from {{practice}}',
  intro: '{{practice}} has answered your message in the patient portal.',
  howTo: 'To protect your privacy, the message is not in this email. Open the portal to read it and to reply.',
} as const

export const fr = {
  subject: 'Nouveau message de {{practice}}',
  intro: '{{practice}} a répondu à votre message dans le portail des patients.',
  howTo:
    'Pour protéger vos renseignements personnels, le message ne figure pas dans ce courriel. Ouvrez le portail pour le lire et y répondre.',
}

export const answerNoticeTexts = translations(en, fr)
