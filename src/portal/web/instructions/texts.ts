import { translations } from '../../../shared/translations.ts'

/** What to do before and after a surgery. */
export const en = {
  aheadTitle: 'How to prepare',
  afterTitle: 'Aftercare',
  aheadOn: 'Your surgery is on {{day}}, at {{time}}.',
  plannedOn: 'Your surgery is planned for {{day}}. This date is not final yet.',
  afterOn: 'Your surgery was on {{day}}.',
  preparation: 'Before your surgery',
  aftercare: 'After your surgery',
  inOther: 'This text is available in French only.',
  ask: 'These are general instructions. What your care team told you comes first; if something is unclear or worries you, call us.',
  print: 'Print',
  title: 'Instructions',
  none: 'There are no longer any instructions for this surgery. Please call us if you have a question.',
  failed: 'Couldn’t load the instructions.',
} as const

export const fr = {
  aheadTitle: 'Comment vous préparer',
  afterTitle: 'Soins après l’intervention',
  aheadOn: 'Votre chirurgie a lieu le {{day}}, à {{time}}.',
  plannedOn: 'Votre chirurgie est prévue le {{day}}. Cette date n’est pas encore définitive.',
  afterOn: 'Votre chirurgie a eu lieu le {{day}}.',
  preparation: 'Avant votre chirurgie',
  aftercare: 'Après votre chirurgie',
  inOther: 'Ce texte n’est offert qu’en anglais.',
  ask: 'Ces consignes sont générales. Ce que votre équipe soignante vous a dit passe en premier; si quelque chose n’est pas clair ou vous inquiète, appelez-nous.',
  print: 'Imprimer',
  title: 'Consignes',
  none: 'Il n’y a plus de consignes pour cette chirurgie. Appelez-nous si vous avez une question.',
  failed: 'Impossible de charger les consignes.',
}

export const instructionsTexts = translations(en, fr)
