import fc from 'fast-check'
import {
  type Condition,
  type FormDefinition,
  type Question,
  questionTypes,
  type Section,
  testsFor,
} from '../../src/chart/forms/definition-rules.ts'

/* Forms and answers by chance, for tests of the rules in Node and in the browser. */

const both = (text: string) => ({ en: text, fr: text })
const options = ['a', 'b', 'c', 'none'].map((id) => ({ id, label: both(id), isExclusive: id === 'none' }))

/** A test that fits the answers to a question. */
const testOf = (question: Question): fc.Arbitrary<Omit<Condition, 'question'>> =>
  fc.constantFrom(...testsFor(question)).chain((test): fc.Arbitrary<Omit<Condition, 'question'>> => {
    if (test === 'answered') return fc.constant({ test, value: null })
    if (question.type === 'yes_no') return fc.boolean().map((value) => ({ test, value }))
    if (question.type === 'choice' || question.type === 'choices') return fc.constantFrom(...options).map(({ id }) => ({ test, value: id }))
    return fc.integer({ min: 0, max: 10 }).map((value) => ({ test, value }))
  })

const bareQuestion = (id: string): fc.Arbitrary<Question> =>
  fc.record({
    id: fc.constant(id),
    type: fc.constantFrom(...questionTypes),
    label: fc.constant(both(`Question ${id}`)),
    help: fc.constant(null),
    isRequired: fc.boolean(),
    showIf: fc.constant(null),
    mapsTo: fc.constant(null),
    redFlag: fc.constant(null),
    min: fc.constantFrom(null, 0, 3),
    max: fc.constantFrom(null, 5, 8),
    unit: fc.constant(null),
    earliest: fc.constantFrom(null, -3, '2026-01-01'),
    latest: fc.constantFrom(null, 0, 30, '2199-12-31'),
    options: fc.constant(options),
    ends: fc.constant({ low: both('low'), high: both('high') }),
  })

/** Adds conditions on earlier questions, and a red flag now and then. */
const conditioned = (questions: readonly Question[]): fc.Arbitrary<Question[]> =>
  fc.tuple(
    ...questions.map((question, at) => {
      const showIf: fc.Arbitrary<Condition | null> =
        at === 0
          ? fc.constant(null)
          : fc.oneof(
              fc.constant(null),
              fc.constantFrom(...questions.slice(0, at)).chain((asked) => testOf(asked).map((test) => ({ question: asked.id, ...test }))),
            )
      const redFlag = fc.option(testOf(question).map((when) => ({ when, message: both(`Flag ${question.id}`), to: 'alert' as const })))
      return fc.tuple(showIf, redFlag).map(([condition, flag]): Question => ({ ...question, showIf: condition, redFlag: flag }))
    }),
  )

/** A form that could be published, of up to three sections. */
export const arbitraryDefinition: fc.Arbitrary<FormDefinition> = fc
  .integer({ min: 1, max: 9 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, at) => bareQuestion(`q${at}`))))
  .chain(conditioned)
  .map((questions) => {
    const sections: Section[] = []
    for (let at = 0; at < questions.length; at += 3)
      sections.push({ id: `s${at}`, title: both(`Section ${at}`), help: null, showIf: null, questions: questions.slice(at, at + 3) })
    return { title: both('Form'), sections }
  })

const point = fc.record({
  view: fc.constantFrom('front', 'back', 'face', 'hand'),
  x: fc.integer({ min: -1, max: 1001 }),
  y: fc.integer({ min: 0, max: 1000 }),
})

/** A value that someone may send as the answer to a question: often a right one. */
function valueOf(question: Question): fc.Arbitrary<unknown> {
  const right: Record<Question['type'], fc.Arbitrary<unknown>> = {
    text: fc.string({ maxLength: 10 }),
    long_text: fc.string({ maxLength: 30 }),
    number: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.double({ noNaN: true, min: -10, max: 10 })),
    date: fc.constantFrom('2026-11-27', '2026-11-20', '2026-02-30', '2025-12-31', '2199-12-31', 'soon'),
    choice: fc.constantFrom('a', 'b', 'none', 'z'),
    choices: fc.oneof(fc.subarray(['a', 'b', 'c']), fc.subarray(['a', 'none', 'z'])),
    // No file is known to the rules here: each is refused on both sides.
    file: fc.array(fc.uuid(), { maxLength: 6 }),
    photo: fc.array(fc.constantFrom('made-up', '018f2a4e-0000-7000-8000-000000000001'), { maxLength: 2 }),
    yes_no: fc.boolean(),
    scale: fc.integer({ min: -1, max: 11 }),
    body: fc.array(point, { maxLength: 3 }),
    signature: fc.oneof(
      fc.record({ kind: fc.constant('typed'), name: fc.string({ maxLength: 8 }) }),
      fc.record({
        kind: fc.constant('drawn'),
        strokes: fc.array(fc.array(fc.integer({ min: 0, max: 1001 }), { maxLength: 6 }), { maxLength: 3 }),
      }),
    ),
  }
  return fc.oneof({ weight: 6, arbitrary: right[question.type] }, { weight: 1, arbitrary: hostileValue })
}

/** Shapes that no page sends. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({ maxDepth: 3, withNullPrototype: true }),
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    Infinity,
    '',
    ' ',
    'x'.repeat(5_000),
    'a\0',
    '\ud800',
    [],
    {},
    [[]],
    { kind: 'drawn' },
    { kind: 'typed', name: 5 },
  ),
)

export const arbitraryAnswers = fc.constant({
  value: valueOf,
  /** Answers to questions that do not exist, with names that every object has. */
  hostile: fc.dictionary(
    fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('constructor', 'toString', '__proto__', 'hasOwnProperty')),
    hostileValue,
    {
      maxKeys: 3,
    },
  ),
})
