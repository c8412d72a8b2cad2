import type { Language } from '../../../shared/translations.ts'
import { firstText } from './attribution.ts'
import type { Fields } from './field-labels.ts'
import { fieldSets } from './read-body.ts'

const names = ['language', 'lang', 'preferred_language', 'preferredLanguage', 'locale']

/** The language in which a form was filled in, such as a hidden field `language` with 'fr' or 'fr-CA'; null if it does not say. */
export function leadLanguage(body: Fields): Language | null {
  const sent = firstText(fieldSets(body), names) ?? ''
  if (/^fr/i.test(sent)) return 'fr'
  return /^(?:en|anglais)/i.test(sent) ? 'en' : null
}
