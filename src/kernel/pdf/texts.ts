import { translations } from '../../shared/translations.ts'

/** What PDFs for patients have in common. */
export const en = {
  patient: 'Patient',
  born: 'Date of birth',
  registration: 'HST registration number: {{number}}',
  page: 'Page {{page}} of {{total}}',
} as const

export const fr = {
  patient: 'Patient ou patiente',
  born: 'Date de naissance',
  registration: 'Numéro d’inscription à la TPS/TVH : {{number}}',
  page: 'Page {{page}} de {{total}}',
}

export const pdfTexts = translations(en, fr)
