import type { Env } from '../../kernel/env.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { consentLinkPath } from './status-rules.ts'

interface Linked {
  id: string
  language: Language
}

/** The link names the consent form and is no secret: a code from the patient's email opens what is behind it. */
export const consentLink = ({ APP_URL }: Pick<Env, 'APP_URL'>, { id, language }: Linked): string =>
  `${APP_URL}${consentLinkPath}/${id}?language=${language}`

const closingOf = ({ PRACTICE_NAME, PRACTICE_PHONE }: Env, language: Language): string => {
  if (PRACTICE_PHONE === '') return PRACTICE_NAME
  return language === 'fr'
    ? `Des questions? Appelez-nous au ${PRACTICE_PHONE}. ${PRACTICE_NAME}`
    : `If you have a question, please call us at ${PRACTICE_PHONE}. ${PRACTICE_NAME}`
}

/** Names neither the form nor a procedure: subjects and first lines appear where others may read them. */
export function consentMail(env: Env, consent: Linked, to: string): Mail {
  const { PRACTICE_NAME } = env
  const url = `${consentLink(env, consent)}&email=${encodeURIComponent(to)}`
  if (consent.language === 'fr') {
    return linkMail(to, {
      subject: `Un document à lire pour ${PRACTICE_NAME}`,
      paragraphs: [
        'Bonjour,',
        `Avant votre visite, veuillez lire un document de ${PRACTICE_NAME} et le signer si vous êtes d’accord.`,
        'Prenez le temps qu’il vous faut : vous pouvez poser une question ou ne pas signer aujourd’hui. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
      ],
      link: { label: 'Lire le document', url },
      closing: closingOf(env, 'fr'),
    })
  }
  return linkMail(to, {
    subject: `A document to read for ${PRACTICE_NAME}`,
    paragraphs: [
      'Hello,',
      `Before your visit, please read a document from ${PRACTICE_NAME}, and sign it if you agree.`,
      'Take the time that you need: you can ask a question, or decide not to sign today. To protect your information, we first send you a code by email.',
    ],
    link: { label: 'Read the document', url },
    closing: closingOf(env, 'en'),
  })
}

/** Says that a sealed copy is in the portal. */
export function copyMail(env: Env, language: Language, to: string): Mail {
  const { PRACTICE_NAME } = env
  const url = `${env.APP_URL}/PatientDocuments?email=${encodeURIComponent(to)}`
  if (language === 'fr') {
    return linkMail(to, {
      subject: `Votre copie d’un document de ${PRACTICE_NAME}`,
      paragraphs: [
        'Bonjour,',
        `Une copie scellée d’un document que vous avez signé se trouve sur le portail des patients de ${PRACTICE_NAME}. Vous pouvez la lire, l’enregistrer et changer d’avis à cet endroit.`,
      ],
      link: { label: 'Ouvrir le portail', url },
      closing: closingOf(env, 'fr'),
    })
  }
  return linkMail(to, {
    subject: `Your copy of a document from ${PRACTICE_NAME}`,
    paragraphs: [
      'Hello,',
      `A sealed copy of a document that you signed is in the patient portal of ${PRACTICE_NAME}. You can read it, save it, and change your mind there.`,
    ],
    link: { label: 'Open the portal', url },
    closing: closingOf(env, 'en'),
  })
}
