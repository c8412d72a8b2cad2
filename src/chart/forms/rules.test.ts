import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryAnswers, arbitraryDefinition } from '../../../test/chart/forms.ts'
import { blankQuestion, type Condition, type FormDefinition, type Option, type Question } from './definition-rules.ts'
import {
  allQuestions,
  answerLimits,
  applyChanges,
  checkAnswers,
  type GivenAnswers,
  isAnswered,
  isDayOfSigning,
  keptAnswers,
  problemOf,
  progressOf,
  redFlags,
  sectionToContinue,
  severeFirst,
  visibleQuestions,
} from './rules.ts'
import { starters } from './starters.ts'

const today = '2026-11-27'
const both = (text: string) => ({ en: text, fr: text })
const option = (id: string, isExclusive = false): Option => ({ id, label: both(id), isExclusive })
const question = (type: Question['type'], rest: Partial<Question> = {}): Question => ({
  id: 'q',
  type,
  label: both('Question'),
  ...blankQuestion,
  options: [option('a'), option('b'), option('none', true)],
  ...rest,
})
const form = (...questions: Question[]): FormDefinition => ({
  title: both('Form'),
  sections: [{ id: 'section', title: both('Section'), help: null, showIf: null, questions }],
})
const stroke = [100, 400, 300, 500, 500, 400]

describe('the section to continue in', () => {
  const required = (id: string) => question('text', { id, isRequired: true })
  const twoSections: FormDefinition = {
    title: both('Form'),
    sections: ['one', 'two'].map((id) => ({ id, title: both(id), help: null, showIf: null, questions: [required(`${id}-q`)] })),
  }

  it.each([
    ['the first with something missing', { 'one-q': 'yes' }, 'two'],
    ['an earlier one that was left open', { 'two-q': 'yes' }, 'one'],
    ['the last of a complete form', { 'one-q': 'yes', 'two-q': 'yes' }, 'two'],
  ])('is %s', (_, answers, expected) => {
    expect(sectionToContinue(twoSections, answers, today)).toBe(expected)
  })
})

it('sorts red flags by what they do, and otherwise as the form does', () => {
  const flags = [
    { to: 'task', id: 1 },
    { to: 'alert', id: 2 },
    { to: 'checklist', id: 3 },
    { to: 'alert', id: 4 },
  ] as const
  expect(severeFirst(flags).map(({ id }) => id)).toEqual([2, 4, 3, 1])
})

describe('the day of signing', () => {
  const signed = question('signature', { id: 'signature' })
  it.each<[string, Question, Question[], boolean]>([
    ['a day that can only be today, beside a signature', question('date', { earliest: 0, latest: 0 }), [signed], true],
    ['today, or yesterday for a form signed around midnight', question('date', { earliest: -1, latest: 0 }), [signed], true],
    ['a day without a signature in its section', question('date', { earliest: -1, latest: 0 }), [], false],
    ['a day that can be earlier', question('date', { earliest: -10, latest: 0 }), [signed], false],
    ['a birth date beside a signature', question('date', { latest: 0 }), [signed], false],
    ['a day to come', question('date', { earliest: 0 }), [signed], false],
    ['another question beside a signature', question('text', { earliest: 0, latest: 0 }), [signed], false],
  ])('is decided for %s', (_name, asked, others, expected) => {
    expect(isDayOfSigning(form(asked, ...others).sections[0]!, asked)).toBe(expected)
  })

  it('is what each starter with a signature asks for', () => {
    for (const { sections } of Object.values(starters))
      for (const section of sections.filter(({ questions }) => questions.some(({ type }) => type === 'signature')))
        expect(section.questions.filter((asked) => isDayOfSigning(section, asked))).toHaveLength(1)
  })
})

describe('an answer', () => {
  it.each<[string, Question, unknown, string | null]>([
    ['a text', question('text'), 'Aspirin', null],
    ['a number as text', question('text'), 5, 'WRONG_TYPE'],
    ['a long text', question('text'), 'x'.repeat(answerLimits.text + 1), 'TOO_LONG'],
    ['a text with NUL', question('text'), 'a\0b', 'NOT_STORABLE'],
    ['half a character', question('long_text'), 'a\ud800', 'NOT_STORABLE'],
    ['a number', question('number', { min: 1, max: 9 }), 1, null],
    ['too small a number', question('number', { min: 1 }), 0.99, 'TOO_SMALL'],
    ['too large a number', question('number', { max: 9 }), 9.01, 'TOO_LARGE'],
    ['an unbounded number that is too large', question('number'), 1e300, 'TOO_LARGE'],
    ['not a number', question('number'), Number.NaN, 'WRONG_TYPE'],
    ['a number in quotes', question('number'), '5', 'WRONG_TYPE'],
    ['a day', question('date'), '2026-02-28', null],
    ['a day that does not exist', question('date'), '2026-02-29', 'NOT_A_DAY'],
    ['an instant', question('date'), '2026-02-28T10:00:00Z', 'NOT_A_DAY'],
    ['today, where it is the latest', question('date', { latest: 0 }), today, null],
    ['tomorrow, where today is the latest', question('date', { latest: 0 }), '2026-11-28', 'TOO_LATE'],
    ['a day before the earliest', question('date', { earliest: -10 }), '2026-11-16', 'TOO_EARLY'],
    ['a day before a fixed one', question('date', { earliest: '2026-01-01' }), '2025-12-31', 'TOO_EARLY'],
    ['a choice', question('choice'), 'a', null],
    ['a choice that is not offered', question('choice'), 'c', 'UNKNOWN_OPTION'],
    ['a key of every object as a choice', question('choice'), 'constructor', 'UNKNOWN_OPTION'],
    ['several choices', question('choices'), ['b', 'a'], null],
    ['the same choice twice', question('choices'), ['a', 'a'], 'WRONG_TYPE'],
    ['none of these with another', question('choices'), ['a', 'none'], 'EXCLUSIVE_OPTION'],
    ['none of these', question('choices'), ['none'], null],
    ['more choices than are offered', question('choices'), ['a', 'b', 'none', 'a'], 'WRONG_TYPE'],
    ['no', question('yes_no'), false, null],
    ['no as a text', question('yes_no'), 'false', 'WRONG_TYPE'],
    ['the end of the scale', question('scale'), 10, null],
    ['beyond the scale', question('scale'), 11, 'WRONG_TYPE'],
    ['between two marks', question('scale'), 5.5, 'WRONG_TYPE'],
    ['a point', question('body'), [{ view: 'face', x: 0, y: 1000 }], null],
    ['a point outside', question('body'), [{ view: 'face', x: 0, y: 1001 }], 'WRONG_TYPE'],
    ['a point on the back of the hand', question('body'), [{ view: 'hand', x: 0, y: 0 }], 'WRONG_TYPE'],
    ['a point with more than it has', question('body'), [{ view: 'face', x: 0, y: 0, note: 'x' }], 'WRONG_TYPE'],
    ['too many points', question('body'), Array.from({ length: 41 }, () => ({ view: 'face', x: 0, y: 0 })), 'TOO_LONG'],
    ['a typed signature', question('signature'), { kind: 'typed', name: 'Ana' }, null],
    ['a drawn signature', question('signature'), { kind: 'drawn', strokes: [stroke] }, null],
    [
      'a tap instead of a signature',
      question('signature'),
      {
        kind: 'drawn',
        strokes: [
          [500, 500],
          [502, 500, 502, 501],
        ],
      },
      'WRONG_TYPE',
    ],
    ['an odd stroke', question('signature'), { kind: 'drawn', strokes: [[1, 2, 3]] }, 'WRONG_TYPE'],
    ['a stroke of texts', question('signature'), { kind: 'drawn', strokes: [['1', '2']] }, 'WRONG_TYPE'],
    ['a stroke that leaves the pad', question('signature'), { kind: 'drawn', strokes: [[1, 1001]] }, 'WRONG_TYPE'],
    ['an endless signature', question('signature'), { kind: 'drawn', strokes: Array.from({ length: 201 }, () => stroke) }, 'TOO_LONG'],
    ['many long strokes', question('signature'), { kind: 'drawn', strokes: [Array(4_000).fill(1), Array(4_000).fill(1)] }, 'TOO_LONG'],
    ['a file that is no id', question('file'), ['made-up'], 'WRONG_TYPE'],
    ['a file that is not the patient’s', question('file'), ['018f2a4e-0000-7000-8000-000000000001'], 'UNKNOWN_FILE'],
    ['a photo as text', question('photo'), '018f2a4e-0000-7000-8000-000000000001', 'WRONG_TYPE'],
    ['a signature with a picture', question('signature'), { kind: 'typed', name: 'Ana', image: 'x' }, 'WRONG_TYPE'],
  ])('%s', (_name, asked, value, code) => {
    expect(problemOf(asked, value, today)).toBe(code)
  })

  it.each([undefined, null, '', '  \n ', '\u200b\u2800', [], { kind: 'typed', name: ' ' }, { kind: 'drawn', strokes: [] }])(
    'is blank: %j',
    (value) => {
      expect(isAnswered(value)).toBe(false)
      expect(checkAnswers(form(question('text', { isRequired: true })), { q: value }, today)).toEqual([{ question: 'q', code: 'REQUIRED' }])
    },
  )

  it.each([false, 0, 'no', ['a']])('is not blank: %j', (value) => {
    expect(isAnswered(value)).toBe(true)
  })
})

describe('a condition', () => {
  const conditional = (type: Question['type'], condition: Omit<Condition, 'question'>) =>
    form(question(type), question('text', { id: 'more', isRequired: true, showIf: { question: 'q', ...condition } }))
  const isMoreVisible = (definition: FormDefinition, value: unknown) => visibleQuestions(definition, { q: value }).length === 2

  it.each<[Question['type'], Omit<Condition, 'question'>, unknown[], unknown[]]>([
    ['yes_no', { test: 'equals', value: true }, [true], [false, 'true', 1, null, undefined]],
    ['choice', { test: 'equals', value: 'a' }, ['a'], ['b', ['a'], null]],
    ['choices', { test: 'includes', value: 'a' }, [['a'], ['b', 'a']], ['a', ['b'], []]],
    ['number', { test: 'atLeast', value: 2 }, [2, 3], [1.9, '3', Number.NaN, null]],
    ['scale', { test: 'atMost', value: 2 }, [0, 2], [3, '1', null]],
    ['text', { test: 'answered', value: null }, ['x'], ['', ' ', null]],
  ])('%s %j', (type, condition, shown, hidden) => {
    const definition = conditional(type, condition)
    expect(shown.filter((value) => !isMoreVisible(definition, value))).toEqual([])
    expect(hidden.filter((value) => isMoreVisible(definition, value))).toEqual([])
  })

  it('of a hidden question never holds, even if an answer to it is given', () => {
    const definition = form(
      question('yes_no'),
      question('yes_no', { id: 'second', showIf: { question: 'q', test: 'equals', value: true } }),
      question('text', { id: 'third', isRequired: true, showIf: { question: 'second', test: 'equals', value: true } }),
    )
    const answers = { q: false, second: true, third: 'x' }
    expect(visibleQuestions(definition, answers).map(({ id }) => id)).toEqual(['q'])
    expect(keptAnswers(definition, answers)).toEqual({ q: false })
    expect(checkAnswers(definition, answers, today)).toEqual([])
  })
})

describe('changes', () => {
  const definition = form(question('number', { max: 5, isRequired: true }), question('text', { id: 'second' }))
  it('keep what is right and name what is wrong', () => {
    expect(applyChanges(definition, { q: 1 }, { q: 9, second: 'x', unknown: 1 }, today)).toEqual({
      answers: { second: 'x' },
      problems: [{ question: 'q', code: 'TOO_LARGE' }],
    })
  })
  it('remove an answer with null or a blank', () => {
    expect(applyChanges(definition, { q: 1, second: 'x' }, { q: null, second: ' ' }, today)).toEqual({ answers: {}, problems: [] })
  })
  it('leave what they do not name', () => {
    expect(applyChanges(definition, { q: 1 }, { second: 'x' }, today).answers).toEqual({ q: 1, second: 'x' })
  })
})

describe('red flags', () => {
  const flagged = (id: string, value: unknown, answers: object) =>
    redFlags(starters[id as keyof typeof starters], { ...answers, ...(value as object) }).map(({ question: of }) => of)
  it('are raised by the answers of the starters that need attention', () => {
    expect(flagged('medical_history', { has_allergies: true, anaphylaxis: true, blood_thinners: true }, {})).toEqual([
      'anaphylaxis',
      'blood_thinners',
    ])
    expect(flagged('anaesthesia', { had_anaesthesia: true, anaesthesia_problem: true }, {})).toEqual(['anaesthesia_problem'])
    expect(flagged('aesthetic_goals', { hours: 1 }, {})).toEqual(['hours'])
    expect(flagged('aesthetic_goals', { hours: 0.5 }, {})).toEqual([])
    expect(flagged('covid', { tested_positive: true }, {})).toEqual(['tested_positive'])
  })
  it('are not raised by hidden questions', () => {
    expect(flagged('medical_history', { has_allergies: false, anaphylaxis: true }, {})).toEqual([])
  })
})

describe('any form with any answers', () => {
  const cases = fc.tuple(arbitraryDefinition, arbitraryAnswers).chain(([definition, others]) =>
    fc.record({
      definition: fc.constant(definition),
      answers: fc
        .record(Object.fromEntries(allQuestions(definition).map((asked) => [asked.id, others.value(asked)])), { requiredKeys: [] })
        .chain((own) => others.hostile.map((hostile): GivenAnswers => Object.assign(Object.create(null) as object, hostile, own))),
    }),
  )
  const always = (check: (given: { definition: FormDefinition; answers: GivenAnswers }) => void) =>
    fc.assert(fc.property(cases, check), { numRuns: 2_000 })

  it('is decided without an error, and again in the same way', () => {
    always(({ definition, answers }) => {
      const decide = () => [
        checkAnswers(definition, answers, today),
        keptAnswers(definition, answers),
        redFlags(definition, answers),
        progressOf(definition, answers),
        applyChanges(definition, {}, answers, today),
      ]
      expect(decide()).toEqual(decide())
    })
  })

  it('gives the same result without what is dropped', () => {
    always(({ definition, answers }) => {
      const kept = keptAnswers(definition, answers)
      expect(keptAnswers(definition, kept)).toEqual(kept)
      expect(checkAnswers(definition, kept, today)).toEqual(checkAnswers(definition, answers, today))
      expect(redFlags(definition, kept)).toEqual(redFlags(definition, answers))
      expect(progressOf(definition, kept)).toBe(progressOf(definition, answers))
    })
  })

  it('reports every required visible question without an answer', () => {
    always(({ definition, answers }) => {
      const missing = visibleQuestions(definition, answers).filter(({ id, isRequired }) => isRequired && !isAnswered(answers[id]))
      const reported = checkAnswers(definition, answers, today).filter(({ code }) => code === 'REQUIRED')
      expect(reported.map(({ question: of }) => of)).toEqual(missing.map(({ id }) => id))
    })
  })

  it('stores only answers without a problem, so that a complete form is a stored one', () => {
    always(({ definition, answers }) => {
      const stored = applyChanges(definition, {}, answers, today).answers
      expect(checkAnswers(definition, stored, today).filter(({ code }) => code !== 'REQUIRED')).toEqual([])
      expect(applyChanges(definition, stored, {}, today)).toEqual({ answers: stored, problems: [] })
    })
  })
})
