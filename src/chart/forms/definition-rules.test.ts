import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryDefinition } from '../../../test/chart/forms.ts'
import { formDefinition } from './contract.ts'
import { checkDefinition, type FormDefinition, isDay, type Question } from './definition-rules.ts'
import { starters } from './starters.ts'

const codesOf = (definition: FormDefinition) => checkDefinition(definition).map(({ at, field, code }) => `${at} ${field} ${code}`)
/** The COVID-19 form with a change to its first question, or to its third, which has a condition. */
function changed(change: Partial<Question>, at = 0): FormDefinition {
  const [section] = starters.covid.sections
  const questions = section!.questions.map((question, index) => (index === at ? { ...question, ...change } : question))
  return { ...starters.covid, sections: [{ ...section!, questions }] }
}

describe('a definition', () => {
  it.each(Object.entries(starters))('of the starter %s has the shape of the contract and can be published', (_key, definition) => {
    expect(formDefinition.safeParse(definition).error).toBeUndefined()
    expect(checkDefinition(definition)).toEqual([])
  })

  it.each<[string, FormDefinition, string[]]>([
    ['without a section', { ...starters.covid, sections: [] }, ['null sections NO_SECTION']],
    ['without a French title', { ...starters.covid, title: { en: 'Form', fr: ' ' } }, ['null title NO_FRENCH']],
    ['without an English label', changed({ label: { en: '', fr: 'Question' } }), ['symptoms label NO_ENGLISH']],
    ['with text that cannot be stored', changed({ label: { en: 'a\0', fr: 'a' } }), ['symptoms label NOT_STORABLE']],
    ['with the same id twice', changed({ id: 'tested_positive' }), ['tested_positive id SAME_ID']],
    ['with a bad id', changed({ id: '__proto__' }), ['__proto__ id BAD_ID']],
    [
      'with a condition on a later question',
      changed({ showIf: { question: 'close_contact', test: 'equals', value: true } }),
      ['symptoms showIf BAD_CONDITION'],
    ],
    [
      'with a condition on itself',
      changed({ showIf: { question: 'symptoms', test: 'answered', value: null } }),
      ['symptoms showIf BAD_CONDITION'],
    ],
    [
      'with a condition that does not fit the question',
      changed({ showIf: { question: 'tested_positive', test: 'atLeast', value: 1 } }, 2),
      ['tested_on showIf BAD_CONDITION'],
    ],
    [
      'with a value that the question does not have',
      changed({ showIf: { question: 'tested_positive', test: 'equals', value: 'yes' } }, 2),
      ['tested_on showIf BAD_CONDITION'],
    ],
    [
      'with a red flag that does not fit',
      changed({ redFlag: { when: { test: 'atLeast', value: 1 }, message: { en: 'a', fr: 'b' }, to: 'alert' } }),
      ['symptoms redFlag BAD_RED_FLAG'],
    ],
    [
      'with one option',
      changed({ type: 'choice', redFlag: null, options: [{ id: 'a', label: { en: 'a', fr: 'a' }, isExclusive: false }] }),
      ['symptoms options NO_OPTION'],
    ],
    ['with a scale without ends', changed({ type: 'scale', redFlag: null }), ['symptoms ends NO_ENDS']],
    ['with limits the wrong way round', changed({ type: 'number', redFlag: null, min: 5, max: 4 }), ['symptoms limits BAD_LIMITS']],
    ['with a limit that is no day', changed({ type: 'date', redFlag: null, earliest: '2026-02-30' }), ['symptoms limits BAD_LIMITS']],
    [
      'with too many questions',
      {
        ...starters.covid,
        sections: [0, 1].map((at) => ({
          ...starters.covid.sections[0]!,
          id: `section_${at}`,
          questions: Array.from({ length: 101 }, (_, index) => ({ ...changed({}).sections[0]!.questions[0]!, id: `q${at}_${index}` })),
        })),
      },
      ['null sections TOO_MANY_QUESTIONS'],
    ],
  ])('%s', (_name, definition, problems) => {
    expect(codesOf(definition)).toEqual(problems)
  })

  it('made by chance can be published, and is refused with any condition on a later question', () => {
    fc.assert(
      fc.property(arbitraryDefinition, (definition) => {
        expect(checkDefinition(definition)).toEqual([])
        expect(formDefinition.safeParse(definition).success).toBe(true)
        const [first] = definition.sections
        const later = definition.sections.at(-1)!.questions.at(-1)!
        const turned = {
          ...definition,
          sections: [
            { ...first!, showIf: { question: later.id, test: 'answered' as const, value: null } },
            ...definition.sections.slice(1),
          ],
        }
        expect(codesOf(turned)).toContain(`${first!.id} showIf BAD_CONDITION`)
      }),
    )
  })
})

describe('a day', () => {
  it.each([
    ['2026-02-28', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['1899-12-31', false],
    ['2200-01-01', false],
    ['2026-1-1', false],
    ['', false],
  ])('%s', (text, isOne) => {
    expect(isDay(text)).toBe(isOne)
  })
})
