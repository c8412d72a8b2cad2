import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arbitraryDefinition } from '../../../../../test/chart/forms.ts'
import { checkDefinition, questionTypes } from '../../definition-rules.ts'
import { allQuestions } from '../../rules.ts'
import { move, newOption, newQuestion, newSection, questionsBefore, remove, restore, setQuestion, setSection, withType } from './draft.ts'

const idsIn = (definition: Parameters<typeof allQuestions>[0]) => allQuestions(definition).map(({ id }) => id)
const problemsOf = (definition: Parameters<typeof checkDefinition>[0]) =>
  checkDefinition(definition).map(({ field, code }) => `${field} ${code}`)

describe('the editor of a form', () => {
  it('adds sections and questions with ids of their own, which lack only their texts', () => {
    fc.assert(
      fc.property(arbitraryDefinition, (definition) => {
        const section = newSection(definition)
        const more = { ...definition, sections: [...definition.sections, section] }
        const again = setSection(more, section.id, { questions: [...section.questions, newQuestion(more)] })
        expect(new Set(idsIn(again)).size).toBe(idsIn(again).length)
        expect(problemsOf(again).filter((problem) => !/NO_(ENGLISH|FRENCH)$/.test(problem))).toEqual([])
      }),
    )
  })

  it('removes a question or section without leaving a condition on it', () => {
    fc.assert(
      fc.property(arbitraryDefinition, fc.nat(), (definition, at) => {
        const ids = [...definition.sections.map(({ id }) => id), ...idsIn(definition)]
        const left = remove(definition, ids[at % ids.length]!)
        expect(problemsOf(left).filter((problem) => !/NO_(QUESTION|SECTION)$/.test(problem))).toEqual([])
      }),
    )
  })

  it('takes back the removal of a question or section, also after something else has changed', () => {
    fc.assert(
      fc.property(arbitraryDefinition, fc.nat(), (before, at) => {
        const ids = [...before.sections.map(({ id }) => id), ...idsIn(before)]
        const id = ids[at % ids.length]!
        const after = remove(before, id)
        expect(restore(after, { before, after, id })).toBe(before)
        const changed = { ...after, title: { en: 'New', fr: 'Nouveau' } }
        const back = restore(changed, { before, after, id })
        expect(back.sections.map((section) => [section.id, ...section.questions.map((question) => question.id)])).toEqual(
          before.sections.map((section) => [section.id, ...section.questions.map((question) => question.id)]),
        )
        expect(back.title.en).toBe('New')
        // Once is enough.
        expect(restore(back, { before, after, id })).toBe(back)
      }),
    )
  })

  it('moves a question without losing any, and back', () => {
    fc.assert(
      fc.property(arbitraryDefinition, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (definition, at, by) => {
        const ids = idsIn(definition)
        const id = ids[at % ids.length]!
        const moved = move(definition, id, by)
        expect(idsIn(moved).toSorted()).toEqual(ids.toSorted())
        if (moved !== definition) expect(idsIn(move(moved, id, by === 1 ? -1 : 1))).toEqual(ids)
      }),
    )
  })

  it('gives a question any type without what belongs to another', () => {
    fc.assert(
      fc.property(arbitraryDefinition, fc.constantFrom(...questionTypes), (definition, type) => {
        const [question] = allQuestions(definition)
        const changed = setQuestion(
          { ...definition, sections: [{ ...definition.sections[0]!, questions: [question!] }] },
          withType(question!, type),
        )
        expect(problemsOf(changed).filter((problem) => !/NO_(ENGLISH|FRENCH)$/.test(problem))).toEqual([])
      }),
    )
  })

  it('offers the questions before another one for its condition', () => {
    fc.assert(
      fc.property(arbitraryDefinition, (definition) => {
        const ids = idsIn(definition)
        expect(questionsBefore(definition, ids.at(-1)!).map(({ id }) => id)).toEqual(ids.slice(0, -1))
        expect(questionsBefore(definition, definition.sections[0]!.id)).toEqual([])
      }),
    )
  })

  it('names a new answer differently from the others', () => {
    const options = [{ id: 'answer_3', label: { en: '', fr: '' }, isExclusive: false }, newOption({ options: [] })]
    expect(newOption({ options }).id).toBe('answer_4')
  })
})
