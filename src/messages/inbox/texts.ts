import { translations } from '../../shared/translations.ts'

/** The end of a commercial email, and the email about an answer in the portal. */
export const en = {
  sentBy: '{{practice}} ({{contact}}) sent you this email.',
  unsubscribe: 'Unsubscribe',
  unsubscribeAt: 'Unsubscribe: {{link}}',
  answerSubject: 'New message from {{practice}}',
  answerIntro: '{{practice}} has answered your message in the patient portal.',
  answerHowTo: 'To protect your privacy, the message is not in this email. Open the portal to read it and to reply.',
} as const

export const fr = {
  sentBy: 'Ce courriel vous est envoyé par {{practice}} ({{contact}}).',
  unsubscribe: 'Se désabonner',
  unsubscribeAt: 'Se désabonner : {{link}}',
  answerSubject: 'Nouveau message de {{practice}}',
  answerIntro: '{{practice}} a répondu à votre message dans le portail des patients.',
  answerHowTo:
    'Pour protéger vos renseignements personnels, le message ne figure pas dans ce courriel. Ouvrez le portail pour le lire et y répondre.',
}

export const inboxTexts = translations(en, fr)
