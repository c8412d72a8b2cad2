import { createInstance } from 'i18next'

/** The languages of everything that patients read. */
export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]
/** The language of that name; null if it is none of them. */
export const toLanguage = (name: string | null | undefined): Language | null => languages.find((language) => language === name) ?? null
/** Each in its own language. */
export const languageNames: Record<Language, string> = { en: 'English', fr: 'Français' }
/** A text that the practice writes, in both languages. */
export type Words = Record<Language, string>

/** What the practice wrote: in French where it has both languages, otherwise in English. Its French text is kept beside the English one, as `nameFr` beside `name`. */
export const inLanguage = (language: Language, english: string, french: string | null): string =>
  language === 'fr' && french !== null && french.trim() !== '' ? french : english

interface Texts {
  readonly [key: string]: string | Texts
}
/** The same keys in another language. */
type Translated<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]> }
/** The path of each text, such as 'problems.REQUIRED'. */
type Path<T> = { [K in keyof T & string]: T[K] extends string ? K : `${K}.${Path<T[K]>}` }[keyof T & string]
type Key<T> = Path<T> extends infer P ? (P extends `${infer Base}_one` | `${infer Base}_other` ? Base : P) : never
type TextAt<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? K extends keyof T
    ? TextAt<T[K], Rest>
    : never
  : P extends keyof T
    ? T[P]
    : `${P}_other` extends keyof T
      ? T[`${P}_other`]
      : never
type Variable<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Variable<Rest> : never
type Values<Name extends string> = [Name] extends [never] ? [] : [values: { [N in Name]: N extends 'count' ? number : string | number }]

/** The text of a key, with the values of its {{variables}}. `count` chooses between `key_one` and `key_other`. */
export type Translate<T extends Texts> = <K extends Key<T> & string>(key: K, ...values: Values<Variable<TextAt<T, K>>>) => string

/**
 * The texts of a page, email or PDF in each language. Keep both languages in a file called texts.ts, as `en` and `fr`: the type check finds
 * missing keys and variables, `npm run check -- translations` finds texts that were left in English. See docs/decisions/translations.md.
 */
export function translations<const English extends Texts>(en: English, fr: Translated<English>): Record<Language, Translate<English>> {
  const engine = createInstance()
  void engine.init({
    resources: { en: { translation: en }, fr: { translation: withFrenchSpaces(fr) } },
    lng: 'en',
    initAsync: false,
    // React escapes what it shows, and emails their HTML.
    interpolation: { escapeValue: false },
  })
  // The library's own types know one set of texts for the whole program.
  const t: (key: string, options: Record<string, unknown>) => string = engine.t
  const translate =
    (lng: Language): Translate<English> =>
    (key, ...[values]) =>
      t(key, { lng, ...values })
  return { en: translate('en'), fr: translate('fr') }
}

/** No line breaks before a colon, % or $, or inside « ». In texts.ts these spaces are ordinary ones, because others cannot be seen. */
const withFrenchSpaces = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string' ? text.replace(/ (?=[:»%$])|(?<=«) /g, '\u00a0') : withFrenchSpaces(text),
    ]),
  )

/** In French the first day of a month is '1er', which Intl does not know. */
function formatDay(at: Date | string, parts: Intl.DateTimeFormatOptions, language: Language, timeZone: string): string {
  const text = new Intl.DateTimeFormat(`${language}-CA`, { ...parts, timeZone }).format(new Date(at))
  return language === 'fr' ? text.replace(/(?<!\d)1(?= \p{L})/u, '1er') : text
}

/** A day as patients read it: 'November 27, 2026', '27 novembre 2026'. */
export const formatLongDay = (day: string, language: Language): string =>
  formatDay(`${day}T00:00:00Z`, { dateStyle: 'long' }, language, 'UTC')

/** A day, or an instant in a time zone, in short: 'Nov 27, 2026', '27 nov. 2026'. */
export const formatMediumDay = (at: Date | string, language: Language, timeZone = 'UTC'): string =>
  formatDay(at, { dateStyle: 'medium' }, language, timeZone)

/** The day of an instant with its name: 'Thursday, December 17, 2026', 'jeudi 17 décembre 2026'. */
export const formatFullDay = (at: Date | string, language: Language, timeZone: string): string =>
  formatDay(at, { dateStyle: 'full' }, language, timeZone)

/** The day of an upcoming visit, without the year: 'Thursday, December 17', 'jeudi 17 décembre'. */
export const formatVisitDay = (at: Date | string, language: Language, timeZone: string): string =>
  formatDay(at, { weekday: 'long', month: 'long', day: 'numeric' }, language, timeZone)

/** The time of an instant: '10:15 a.m.', '10 h 15'. */
export const formatClockTime = (at: Date | string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(`${language}-CA`, { hour: 'numeric', minute: '2-digit', timeZone })
    .format(new Date(at))
    .replace(/[\u202f\u00a0]/g, language === 'en' ? ' ' : '\u00a0')

/** An instant in short: 'Nov 27, 2026, 2:30 p.m.', '27 nov. 2026, 14 h 30'. */
export const formatMediumInstant = (at: Date | string, language: Language, timeZone: string): string =>
  `${formatMediumDay(at, language, timeZone)}, ${formatClockTime(at, language, timeZone)}`

/** The name of a day of the week, 1 (Monday) to 7. */
export const formatWeekday = (weekday: number, language: Language): string =>
  // January 1, 2024 was a Monday.
  new Intl.DateTimeFormat(`${language}-CA`, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 0, weekday))

/** Cents as patients read them: '$1,234.50', '1 234,50 $'. */
export const formatCents = (cents: number, language: Language): string =>
  new Intl.NumberFormat(`${language}-CA`, { style: 'currency', currency: 'CAD' }).format(cents / 100).replace('-', '−')

/** A number as patients read it: '1.5', '1,5'. */
export const formatDecimal = (value: number, language: Language): string =>
  new Intl.NumberFormat(`${language}-CA`, { maximumFractionDigits: 10 }).format(value)

/** A percentage as patients read it: 13 gives '13%', '13 %'. */
export const formatPercent = (percent: number, language: Language): string =>
  new Intl.NumberFormat(`${language}-CA`, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100)
