import { translations } from '../../shared/translations.ts'

/** The email that photos are in the portal. */
export const en = {
  releasedSubject: 'Photos are ready in your portal at {{practice}}',
  released: 'Photos are ready for you in the patient portal.',
} as const

export const fr = {
  releasedSubject: 'Des photos vous attendent dans votre portail chez {{practice}}',
  released: 'Des photos vous attendent dans le portail des patients.',
}

export const photoMailTexts = translations(en, fr)
