import type { Env } from '../../kernel/env.ts'
import { linkMail, type Mail } from '../../platform/mail/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { formLinkPath, openDays } from './status-rules.ts'

interface Linked {
  id: string
  language: Language
}

/** The link names the form and is no secret: a code from the patient's email opens what is behind it. */
export const formLink = ({ APP_URL }: Pick<Env, 'APP_URL'>, { id, language }: Linked): string =>
  `${APP_URL}${formLinkPath}/${id}?language=${language}`

/** Does not name the form: subjects and first lines appear where others may read them. */
export function formMail(env: Env, form: Linked, to: string): Mail {
  const { PRACTICE_NAME, PRACTICE_PHONE } = env
  const url = `${formLink(env, form)}&email=${encodeURIComponent(to)}`
  if (form.language === 'fr') {
    return linkMail(to, {
      subject: `Un formulaire à remplir pour ${PRACTICE_NAME}`,
      paragraphs: [
        'Bonjour,',
        `Avant votre visite, veuillez remplir un formulaire pour ${PRACTICE_NAME}.`,
        `Vous pouvez vous arrêter à tout moment et reprendre sur un autre appareil. Le formulaire reste ouvert pendant ${openDays} jours. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.`,
      ],
      link: { label: 'Remplir le formulaire', url },
      closing: `${PRACTICE_PHONE === '' ? '' : `Des questions? Appelez-nous au ${PRACTICE_PHONE}. `}${PRACTICE_NAME}`,
    })
  }
  return linkMail(to, {
    subject: `A form to fill in for ${PRACTICE_NAME}`,
    paragraphs: [
      'Hello,',
      `Before your visit, please fill in a form for ${PRACTICE_NAME}.`,
      `You can stop at any time and continue on another device. The form stays open for ${openDays} days. To protect your information, we first send you a code by email.`,
    ],
    link: { label: 'Fill in the form', url },
    closing: `${PRACTICE_PHONE === '' ? '' : `If you have a question, please call us at ${PRACTICE_PHONE}. `}${PRACTICE_NAME}`,
  })
}
