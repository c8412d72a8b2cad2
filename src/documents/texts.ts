import { translations } from '../shared/translations.ts'

/** The emails about a document that the patient has sent. */
export const en = {
  acceptedSubject: '{{practice}} has received your document',
  accepted: 'Thank you. We reviewed a document that you sent us and added it to your file.',
  rejectedSubject: '{{practice}} could not use your document',
  rejected: 'We could not use a document that you sent us. The portal explains why, and you can send another one there.',
} as const

export const fr = {
  acceptedSubject: '{{practice}} a reçu votre document',
  accepted: 'Merci. Nous avons examiné un document que vous nous avez envoyé et l’avons ajouté à votre dossier.',
  rejectedSubject: '{{practice}} n’a pas pu utiliser votre document',
  rejected:
    'Nous n’avons pas pu utiliser un document que vous nous avez envoyé. Le portail explique pourquoi, et vous pouvez y envoyer un autre document.',
}

export const documentMailTexts = translations(en, fr)
