import { describe, expect, it } from 'vitest'
import { blankQuestion, type ChartField, type FormDefinition, type Question } from './definition-rules.ts'
import { type ChartNow, chartTexts, proposalsOf, splitPhone, stateOf, typedNumber, yearIn } from './review-rules.ts'
import { starters } from './starters.ts'

const both = (text: string) => ({ en: text, fr: text })
const formOf = (...questions: Partial<Question>[]): FormDefinition => ({
  title: both('Form'),
  sections: [
    {
      id: 'section',
      title: both('Section'),
      help: null,
      showIf: null,
      questions: questions.map((question, at) => ({
        ...blankQuestion,
        id: `q${at}`,
        type: 'long_text',
        label: both('Label?'),
        ...question,
      })),
    },
  ],
})
const option = (id: string, isExclusive = false) => ({ id, label: both(`Option ${id}`), isExclusive })
const nothing: ChartNow = {
  entries: [],
  none: [],
  heightCm: null,
  weightKg: null,
  contact: {
    preferredName: null,
    pronouns: null,
    dateOfBirth: null,
    sexAtBirth: null,
    gender: null,
    preferredLanguage: null,
    familyPhysician: null,
    pharmacy: null,
    emergencyContactName: null,
    emergencyContactPhone: null,
    emergencyContactRelationship: null,
    phone: null,
  },
}
const entry = (kind: ChartNow['entries'][number]['kind'], name: string, status: 'active' | 'past' = 'active') => ({
  kind,
  name,
  status,
  dose: null,
  year: null,
  anaesthesia: null,
  detail: null,
})

describe('what an answer proposes', () => {
  it.each<[string, Partial<Question>, unknown, string[]]>([
    [
      'each line and each part between semicolons',
      { mapsTo: 'allergies' },
      ' Penicillin, hives\n\nLatex; Tape ',
      ['Penicillin, hives', 'Latex', 'Tape'],
    ],
    ['nothing for "none" in both languages', { mapsTo: 'medications' }, 'None.\naucun\nN/A', []],
    [
      'nothing for "no known allergies" in both languages',
      { mapsTo: 'allergies' },
      'No known allergies\nNKDA\nNone known\nAucune allergie connue\nPas d’allergies connues',
      [],
    ],
    ['one text for a field that has one value', { type: 'text', mapsTo: 'pharmacy' }, 'Main Street; Oakville', ['Main Street; Oakville']],
    [
      'the label of each choice, and not the one that excludes the others',
      { type: 'choices', mapsTo: 'conditions', options: [option('asthma'), option('heart'), option('none_of_these', true)] },
      ['asthma', 'heart'],
      ['Option asthma', 'Option heart'],
    ],
    [
      'nothing for an exclusive choice',
      { type: 'choices', mapsTo: 'conditions', options: [option('a'), option('rest', true)] },
      ['rest'],
      [],
    ],
    ['nothing for never', { type: 'choice', mapsTo: 'nicotine', options: [option('never'), option('now')] }, 'never', []],
    [
      'the topic of nicotine',
      { type: 'choice', mapsTo: 'nicotine', options: [option('never'), option('now')] },
      'now',
      ['Nicotine: Option now'],
    ],
    ['nicotine once', { type: 'yes_no', mapsTo: 'nicotine', label: { en: 'Do you use nicotine?', fr: '' } }, true, ['Do you use nicotine']],
    ['the code of a language', { type: 'choice', mapsTo: 'preferred_language', options: [option('en'), option('fr')] }, 'fr', ['fr']],
    ['the code of a sex', { type: 'choice', mapsTo: 'sex_at_birth', options: [option('female'), option('male')] }, 'female', ['female']],
    ['the question of a yes', { type: 'yes_no', mapsTo: 'implants' }, true, ['Label']],
    ['nothing for a no', { type: 'yes_no', mapsTo: 'implants' }, false, []],
    [
      'a number with its unit where the kind says too little',
      { type: 'number', unit: 'a week', mapsTo: 'alcohol' },
      4,
      ['Alcohol: 4 a week'],
    ],
    ['a plain number for a measurement', { type: 'number', unit: 'cm', mapsTo: 'height' }, 172.4, ['172.4']],
    ['nothing for goals', { mapsTo: 'goals' }, 'My nose', []],
    ['nothing without a field', {}, 'Anything', []],
  ])('is %s', (_name, question, answer, expected) => {
    expect(proposalsOf(formOf(question), { q0: answer }).flatMap(({ text, isNone }) => (isNone ? [] : text))).toEqual(expected)
  })

  it.each<[string, Partial<Question>, unknown, string | null]>([
    ['no known allergies for a no', { type: 'yes_no', mapsTo: 'allergies' }, false, 'No known allergies'],
    ['no medication for "none"', { mapsTo: 'medications' }, 'None.\naucun', 'Takes no medication'],
    [
      'no conditions for the choice that excludes the others',
      { type: 'choices', mapsTo: 'conditions', options: [option('rest', true)] },
      ['rest'],
      'No medical conditions',
    ],
    [
      'never for that choice',
      { type: 'choice', mapsTo: 'nicotine', options: [option('never'), option('now')] },
      'never',
      'Never used nicotine',
    ],
    ['no nicotine for a no', { type: 'yes_no', mapsTo: 'nicotine' }, false, 'Does not smoke or use nicotine'],
    ['not pregnant for a no', { type: 'yes_no', mapsTo: 'pregnancy' }, false, 'Not pregnant or breastfeeding'],
    ['no alcohol for zero', { type: 'number', mapsTo: 'alcohol' }, 0, 'Drinks no alcohol'],
    ['nothing for a no about something that has one value', { type: 'text', mapsTo: 'pharmacy' }, 'none', null],
    ['nothing for a no about one kind of medication', { mapsTo: 'weight_loss_medications' }, 'none', null],
    ['nothing without an answer', { type: 'yes_no', mapsTo: 'allergies' }, undefined, null],
  ])('is that there is none: %s', (_name, question, answer, expected) => {
    const given = proposalsOf(formOf(question), { q0: answer })
    expect(given.map(({ text, isNone }) => [text, isNone])).toEqual(expected === null ? [] : [[expected, true]])
  })

  it('is not that there is none if another answer names something', () => {
    const form = formOf(
      { type: 'yes_no', mapsTo: 'medications' },
      { mapsTo: 'weight_loss_medications' },
      { type: 'yes_no', mapsTo: 'allergies' },
    )
    const given = proposalsOf(form, { q0: false, q1: 'Semaglutide', q2: false })
    expect(given.map(({ text }) => text)).toEqual(['Semaglutide', 'No known allergies'])
  })

  it('is not the yes of a question whose answer is asked further', () => {
    const showIf = { question: 'q0', test: 'equals', value: true } as const
    const form = formOf({ type: 'yes_no', mapsTo: 'allergies' }, { mapsTo: 'allergies', showIf })
    expect(proposalsOf(form, { q0: true, q1: 'Latex' }).map(({ text }) => text)).toEqual(['Latex'])
    expect(proposalsOf(form, { q0: false, q1: 'Latex' }).map(({ text }) => text)).toEqual(['No known allergies'])
  })

  it('is the message of a red flag that a yes raises', () => {
    const { definition, answers } = { definition: starters.medical_history, answers: { pregnancy: true } }
    expect(proposalsOf(definition, answers)).toEqual([
      { question: 'pregnancy', part: 0, field: 'pregnancy', text: 'May be pregnant or breastfeeding', isNone: false },
    ])
  })

  it('leaves out hidden questions', () => {
    const texts = proposalsOf(starters.medical_history, { has_allergies: false, allergy_list: 'Latex' }).map(({ text }) => text)
    expect(texts).toEqual(['No known allergies'])
  })
})

describe('what the chart says beside an answer', () => {
  it('writes an entry with its dose, and the facts of a surgery', () => {
    const entries = [
      { ...entry('medication', 'Ibuprofen'), dose: 'As needed' },
      { ...entry('surgery', 'Knee arthroscopy', 'past'), year: 2016, anaesthesia: 'spinal', detail: 'no complications' },
    ]
    expect(chartTexts('medications', { ...nothing, entries })).toEqual(['Ibuprofen as needed'])
    expect(chartTexts('past_surgeries', { ...nothing, entries })).toEqual(['Knee arthroscopy (2016, spinal, no complications)'])
  })
})

describe('the comparison with the chart', () => {
  it.each<[ChartField, string, Partial<ChartNow>, string]>([
    ['allergies', 'latex', {}, 'new'],
    ['allergies', ' LATEX. ', { entries: [entry('allergy', 'Latex')] }, 'same'],
    ['allergies', 'Penicillin', { entries: [entry('allergy', 'Latex')] }, 'new'],
    ['allergies', 'Latex', { entries: [entry('allergy', 'Latex', 'past')] }, 'new'],
    ['past_surgeries', 'Césarienne 2016', { entries: [entry('surgery', 'Cesarienne, 2016', 'past')] }, 'same'],
    ['nicotine', 'Yes', { entries: [entry('nicotine', 'Vapes')] }, 'different'],
    ['alcohol', 'Alcohol: 4', { entries: [entry('condition', 'Asthma')] }, 'new'],
    ['alcohol', 'Alcohol: 4', { entries: [entry('condition', 'Alcohol: 2')] }, 'different'],
    ['height', '172.4', { heightCm: 172 }, 'same'],
    ['height', '173', { heightCm: 172 }, 'different'],
    ['weight', '70', {}, 'new'],
    ['pharmacy', 'main street', { contact: { ...nothing.contact, pharmacy: 'Main Street' } }, 'same'],
    ['family_doctor', 'Dr. Roy', { contact: { ...nothing.contact, familyPhysician: 'Dr. Ng' } }, 'different'],
    ['phone', '(905) 555-0142', { contact: { ...nothing.contact, phone: '+1 905 555 0142' } }, 'same'],
    ['phone', '(905) 555-0143', { contact: { ...nothing.contact, phone: '+1 905 555 0142' } }, 'different'],
    [
      'emergency_contact',
      'Bo, (905) 555-0142',
      { contact: { ...nothing.contact, emergencyContactName: 'Bo', emergencyContactPhone: '+19055550142' } },
      'same',
    ],
    [
      'emergency_contact',
      'Bo, 905 555 0143',
      { contact: { ...nothing.contact, emergencyContactName: 'Bo', emergencyContactPhone: '+19055550142' } },
      'different',
    ],
  ])('of %s "%s" with %j is "%s"', (field, text, chart, expected) => {
    expect(stateOf({ question: 'q', part: 0, field, text, isNone: false }, { ...nothing, ...chart })).toBe(expected)
  })

  it.each<[ChartField, string, Partial<ChartNow>, string]>([
    ['allergies', 'No known allergies', {}, 'new'],
    ['allergies', 'No known allergies', { none: [{ topic: 'allergies', statement: 'No known allergies' }] }, 'same'],
    ['allergies', 'No known allergies', { entries: [entry('allergy', 'Latex')] }, 'contradiction'],
    ['allergies', 'No known allergies', { entries: [entry('allergy', 'Latex', 'past')] }, 'new'],
    ['past_surgeries', 'No past surgeries', { entries: [entry('surgery', 'Hip', 'past')] }, 'contradiction'],
    ['nicotine', 'Never used nicotine', { none: [{ topic: 'nicotine', statement: 'Does not smoke or use nicotine' }] }, 'different'],
    // An entry about something else of the same kind says nothing about it.
    ['conditions', 'No medical conditions', { entries: [entry('condition', 'Alcohol: 4 a week')] }, 'new'],
    ['conditions', 'No medical conditions', { entries: [entry('condition', 'Asthma')] }, 'contradiction'],
    ['family_history', 'No family history', { entries: [entry('condition', 'Family: clots')] }, 'contradiction'],
    ['family_history', 'No family history', { entries: [entry('condition', 'Asthma')] }, 'new'],
  ])('of "none" for %s, "%s" with %j is "%s"', (field, text, chart, expected) => {
    expect(stateOf({ question: 'q', part: 0, field, text, isNone: true }, { ...nothing, ...chart })).toBe(expected)
  })

  it('of an entry where the chart says that there is none is "different"', () => {
    const none = [{ topic: 'allergies', statement: 'No known allergies' }] as const
    expect(stateOf({ question: 'q', part: 0, field: 'allergies', text: 'Latex', isNone: false }, { ...nothing, none })).toBe('different')
  })
})

it.each([
  ['Bo Lavoie, 905 555 0142', { name: 'Bo Lavoie', phone: '905 555 0142' }],
  ['Bo', { name: 'Bo', phone: null }],
])('parts %s into a name and a phone number', (text, expected) => {
  expect(splitPhone(text)).toEqual(expected)
})

it.each([
  ['168', 168],
  ['71,2', 71.2],
  [' 71.2 ', 71.2],
  ['tall', Number.NaN],
  ['1e3', Number.NaN],
  ['-4', Number.NaN],
])('reads %s as the number %d', (text, expected) => expect(typedNumber(text)).toBe(expected))

it.each([
  ['Caesarean section 2016, spinal', 2016],
  ['Appendix, as a child', null],
  ['120160', null],
])('finds the year in %s', (text, year) => expect(yearIn(text)).toBe(year))
