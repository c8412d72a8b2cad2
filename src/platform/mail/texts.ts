import { translations } from '../../shared/translations.ts'

/** What emails to patients have in common. */
export const en = {
  hello: 'Hello,',
  questions: 'If you have a question, please call us at {{phone}}.',
  openPortal: 'Open the portal',
} as const

export const fr = {
  hello: 'Bonjour,',
  questions: 'Des questions? Appelez-nous au {{phone}}.',
  openPortal: 'Ouvrir le portail',
}

export const patientMailTexts = translations(en, fr)
