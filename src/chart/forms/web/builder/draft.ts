import {
  blankQuestion,
  type Condition,
  type FormDefinition,
  type Question,
  type QuestionType,
  type Section,
} from '../../definition-rules.ts'
import type { Words } from '../../../../shared/translations.ts'

/* Changes of a definition in the editor. None changes the one that it is given. */

const blank: Words = { en: '', fr: '' }

const idsOf = ({ sections }: FormDefinition): Set<string> =>
  new Set(sections.flatMap(({ id, questions }) => [id, ...questions.map((one) => one.id)]))

/** The first free id with this prefix. */
function freeId(definition: FormDefinition, prefix: string): string {
  const used = idsOf(definition)
  for (let number = used.size + 1; ; number++) if (!used.has(`${prefix}_${number}`)) return `${prefix}_${number}`
}

export const newQuestion = (definition: FormDefinition): Question => ({
  id: freeId(definition, 'question'),
  type: 'text',
  label: blank,
  ...blankQuestion,
})

export const newSection = (definition: FormDefinition): Section => ({
  id: freeId(definition, 'section'),
  title: blank,
  help: null,
  showIf: null,
  questions: [{ ...newQuestion(definition) }],
})

export const newOption = ({ options }: Pick<Question, 'options'>) => {
  const used = new Set(options.map(({ id }) => id))
  let number = options.length + 1
  while (used.has(`answer_${number}`)) number++
  return { id: `answer_${number}`, label: blank, isExclusive: false }
}

/** Another type: what belongs to the former one is cleared, and a test of the answer no longer fits. */
export function withType(question: Question, type: QuestionType): Question {
  const hasOptions = type === 'choice' || type === 'choices'
  const options =
    hasOptions && question.options.length === 0
      ? [newOption({ options: [] }), { ...newOption({ options: [] }), id: 'answer_2' }]
      : question.options
  return {
    ...question,
    type,
    redFlag: null,
    options: hasOptions ? options.map((option) => ({ ...option, isExclusive: type === 'choices' && option.isExclusive })) : [],
    ends: type === 'scale' ? { low: blank, high: blank } : null,
    ...(type !== 'number' && { min: null, max: null, unit: null }),
    ...(type !== 'date' && { earliest: null, latest: null }),
  }
}

export const setSection = (definition: FormDefinition, id: string, change: Partial<Section>): FormDefinition => ({
  ...definition,
  sections: definition.sections.map((section) => (section.id === id ? { ...section, ...change } : section)),
})

export const setQuestion = (definition: FormDefinition, changed: Question): FormDefinition => ({
  ...definition,
  sections: definition.sections.map((section) => ({
    ...section,
    questions: section.questions.map((question) => (question.id === changed.id ? changed : question)),
  })),
})

/** Removes a section or question, and the conditions that ask for what is gone. */
export function remove(definition: FormDefinition, id: string): FormDefinition {
  const left: FormDefinition = {
    ...definition,
    sections: definition.sections
      .filter((section) => section.id !== id)
      .map((section) => ({ ...section, questions: section.questions.filter((question) => question.id !== id) })),
  }
  const known = idsOf(left)
  const kept = (condition: Condition | null) => (condition && known.has(condition.question) ? condition : null)
  return {
    ...left,
    sections: left.sections.map((section) => ({
      ...section,
      showIf: kept(section.showIf),
      questions: section.questions.map((question) => ({ ...question, showIf: kept(question.showIf) })),
    })),
  }
}

/**
 * Takes back a removal: everything as it was before if nothing has changed since, else the section or question at its place. Nothing if its place
 * is gone or its id is used again.
 */
export function restore(
  now: FormDefinition,
  { before, after, id }: { before: FormDefinition; after: FormDefinition; id: string },
): FormDefinition {
  if (now === after) return before
  const at = before.sections.findIndex((section) => section.id === id)
  const removed = before.sections[at]
  const used = idsIn(now.sections)
  if (removed) {
    const isUsed = idsIn([removed]).some((one) => used.includes(one))
    return isUsed ? now : { ...now, sections: now.sections.toSpliced(at, 0, removed) }
  }
  const from = before.sections.find(({ questions }) => questions.some((question) => question.id === id))
  const into = now.sections.find((section) => section.id === from?.id)
  if (!from || !into || used.includes(id)) return now
  const place = from.questions.findIndex((question) => question.id === id)
  return setSection(now, into.id, { questions: into.questions.toSpliced(place, 0, from.questions[place]!) })
}

const idsIn = (sections: readonly Section[]): string[] =>
  sections.flatMap((section) => [section.id, ...section.questions.map((question) => question.id)])

/** Moves a section, or a question within and between sections, up (-1) or down (1). At the end of the form nothing moves. */
export function move(definition: FormDefinition, id: string, by: -1 | 1): FormDefinition {
  const { sections } = definition
  const at = sections.findIndex((section) => section.id === id)
  if (at >= 0) return { ...definition, sections: swap(sections, at, at + by) }
  const within = sections.findIndex(({ questions }) => questions.some((question) => question.id === id))
  const section = sections[within]
  if (!section) return definition
  const index = section.questions.findIndex((question) => question.id === id)
  if (section.questions[index + by]) return setSection(definition, section.id, { questions: swap(section.questions, index, index + by) })
  const neighbour = sections[within + by]
  if (!neighbour) return definition
  const question = section.questions[index]!
  const taken = setSection(definition, section.id, { questions: section.questions.filter((one) => one !== question) })
  return setSection(taken, neighbour.id, { questions: by === 1 ? [question, ...neighbour.questions] : [...neighbour.questions, question] })
}

function swap<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const [first, second] = [items[from], items[to]]
  if (first === undefined || second === undefined) return [...items]
  return items.map((item, index) => (index === from ? second : index === to ? first : item))
}

/** The questions before a section or question, which its condition may ask for. */
export function questionsBefore({ sections }: FormDefinition, id: string): Question[] {
  const before: Question[] = []
  for (const section of sections) {
    if (section.id === id) return before
    for (const question of section.questions) {
      if (question.id === id) return before
      before.push(question)
    }
  }
  return before
}
