import { expect, it } from 'vitest'
import {
  formatCents,
  formatClockTime,
  formatDecimal,
  formatFullDay,
  formatLongDay,
  formatMediumDay,
  formatMediumInstant,
  formatPercent,
  formatWeekday,
  translations,
} from './translations.ts'

const texts = translations(
  {
    hello: 'Hello {{name}}',
    forms_one: 'One form',
    forms_other: '{{count}} forms',
    problems: { LATE: 'Enter {{day}} or earlier' },
    answer: 'Answer “{{name}}”',
  },
  {
    hello: 'Bonjour {{name}}',
    forms_one: 'Un formulaire',
    forms_other: '{{count}} formulaires',
    problems: { LATE: 'Entrez le {{day}} ou avant' },
    answer: 'Répondez : « {{name}} »',
  },
)

it('fills in values as they are, in either language', () => {
  expect([texts.en('hello', { name: 'Zoë <b>' }), texts.fr('hello', { name: 'Zoë <b>' })]).toEqual(['Hello Zoë <b>', 'Bonjour Zoë <b>'])
  expect(texts.fr('problems.LATE', { day: '27 novembre' })).toBe('Entrez le 27 novembre ou avant')
})

it('keeps the spaces of French punctuation on one line', () => {
  expect(texts.fr('answer', { name: 'a : b' })).toBe('Répondez\u00a0: «\u00a0a : b\u00a0»')
})

it('does not fill in what a value contains', () => {
  expect(texts.en('hello', { name: '{{count}} $t(forms)' })).toBe('Hello {{count}} $t(forms)')
})

it('chooses the plural of the language: French has one for zero', () => {
  expect([0, 1, 2].map((count) => texts.en('forms', { count }))).toEqual(['0 forms', 'One form', '2 forms'])
  expect([0, 1, 2].map((count) => texts.fr('forms', { count }))).toEqual(['Un formulaire', 'Un formulaire', '2 formulaires'])
})

it('formats days and numbers as in Canada', () => {
  expect([formatLongDay('2026-11-27', 'en'), formatLongDay('2026-11-27', 'fr')]).toEqual(['November 27, 2026', '27 novembre 2026'])
  expect([formatLongDay('2026-12-01', 'fr'), formatFullDay('2026-12-01T15:00:00Z', 'fr', 'America/Toronto')]).toEqual([
    '1er décembre 2026',
    'mardi 1er décembre 2026',
  ])
  expect(['2026-12-11', '2026-12-21', '2026-12-31'].map((day) => formatLongDay(day, 'fr').slice(0, 2))).toEqual(['11', '21', '31'])
  expect([formatPercent(31, 'en'), formatPercent(31, 'fr')]).toEqual(['31%', '31\u00a0%'])
  expect([formatDecimal(70.5, 'en'), formatDecimal(70.5, 'fr')]).toEqual(['70.5', '70,5'])
})

it('formats amounts, percentages and times of the practice’s clock as in Canada', () => {
  const at = '2026-12-17T12:30:00Z'
  const all = (language: 'en' | 'fr') =>
    [
      formatCents(-123_450, language),
      formatPercent(14.975, language),
      formatFullDay(at, language, 'America/Toronto'),
      formatClockTime(at, language, 'America/Toronto'),
      formatMediumDay('2026-12-17', language),
      formatMediumInstant(new Date('2026-11-22T04:30:00Z'), language, 'America/Toronto'),
      formatWeekday(1, language),
    ].map((text) => text.replaceAll('\u00a0', ' '))
  expect(all('en')).toEqual([
    '−$1,234.50',
    '14.975%',
    'Thursday, December 17, 2026',
    '7:30 a.m.',
    'Dec 17, 2026',
    'Nov 21, 2026, 11:30 p.m.',
    'Monday',
  ])
  expect(all('fr')).toEqual([
    '−1 234,50 $',
    '14,975 %',
    'jeudi 17 décembre 2026',
    '7 h 30',
    '17 déc. 2026',
    '21 nov. 2026, 23 h 30',
    'lundi',
  ])
})
