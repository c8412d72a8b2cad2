import { translations } from '../../shared/translations.ts'

/** The email with a form's link. */
export const en = {
  subject: 'A form to fill in for {{practice}}',
  intro: 'Before your visit, please fill in a form for {{practice}}.',
  howTo:
    'You can stop at any time and continue on another device. The form stays open for {{days}} days. To protect your information, we first send you a code by email.',
  open: 'Fill in the form',
} as const

export const fr = {
  subject: 'Un formulaire à remplir pour {{practice}}',
  intro: 'Avant votre visite, veuillez remplir un formulaire pour {{practice}}.',
  howTo:
    'Vous pouvez vous arrêter à tout moment et reprendre sur un autre appareil. Le formulaire reste ouvert pendant {{days}} jours. Pour protéger vos renseignements, nous vous envoyons d’abord un code par courriel.',
  open: 'Remplir le formulaire',
}

export const formMailTexts = translations(en, fr)
