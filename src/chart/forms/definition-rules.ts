import { isStorable } from '../../shared/text.ts'
import type { Words } from '../../shared/translations.ts'
import { parseDay } from '../../shared/zoned-time.ts'

/*
 * What a form asks. A definition is data: the browser draws it, and both sides decide with the same functions (rules.ts) what is visible,
 * valid and missing. See docs/decisions/intake-forms.md.
 */

export const conditionTests = ['answered', 'equals', 'includes', 'atLeast', 'atMost'] as const
export type ConditionTest = (typeof conditionTests)[number]
/** `value`: an option's id, true or false, or a number; null for 'answered'. */
export interface Test {
  test: ConditionTest
  value: string | number | boolean | null
}
/** A test of the answer to an earlier question. */
export type Condition = Test & { question: string }

/** The fields of the chart that an answer can be proposed for. */
export const chartFields = {
  allergies: 'Allergies',
  medications: 'Medications',
  weight_loss_medications: 'Weight-loss medications',
  conditions: 'Conditions',
  past_surgeries: 'Past surgeries',
  anaesthesia_history: 'Anaesthesia history',
  family_history: 'Family history',
  nicotine: 'Nicotine',
  alcohol: 'Alcohol',
  pregnancy: 'Pregnancy',
  implants: 'Implants',
  height: 'Height',
  weight: 'Weight',
  phone: 'Phone',
  emergency_contact: 'Emergency contact',
  emergency_relationship: 'Emergency contact relationship',
  family_doctor: 'Family physician',
  pharmacy: 'Pharmacy',
  preferred_name: 'Preferred name',
  pronouns: 'Pronouns',
  birth_date: 'Birth date',
  sex_at_birth: 'Sex at birth',
  gender: 'Gender',
  preferred_language: 'Preferred language',
  goals: 'Goals (not in the chart)',
} as const
export type ChartField = keyof typeof chartFields

export const redFlagTargets = ['alert', 'task', 'checklist'] as const
/** An answer that staff must see. The message is for staff, and is shown to patients nowhere. */
export interface RedFlag {
  when: Test
  message: Words
  to: (typeof redFlagTargets)[number]
}

export interface Option {
  id: string
  label: Words
  /** Choosing it clears the others, such as 'None of these'. */
  isExclusive: boolean
}

/** A day, or a number of days after today. */
export type DayLimit = string | number

export const questionTypes = [
  'text',
  'long_text',
  'number',
  'date',
  'choice',
  'choices',
  'yes_no',
  'scale',
  'body',
  'signature',
  'file',
  'photo',
] as const
export type QuestionType = (typeof questionTypes)[number]

/** Every question has every field, so that the editor can change its type and back. Those of other types are null or empty. */
export interface Question {
  id: string
  type: QuestionType
  label: Words
  help: Words | null
  isRequired: boolean
  showIf: Condition | null
  mapsTo: ChartField | null
  redFlag: RedFlag | null
  /** Of 'number'. */
  min: number | null
  max: number | null
  unit: string | null
  /** Of 'date'. */
  earliest: DayLimit | null
  latest: DayLimit | null
  /** Of 'choice' and 'choices'. */
  options: Option[]
  /** Of 'scale': the labels of 0 and 10. */
  ends: { low: Words; high: Words } | null
}

/** What a question has before anything is set. */
export const blankQuestion: Omit<Question, 'id' | 'type' | 'label'> = {
  help: null,
  isRequired: false,
  showIf: null,
  mapsTo: null,
  redFlag: null,
  min: null,
  max: null,
  unit: null,
  earliest: null,
  latest: null,
  options: [],
  ends: null,
}

export interface Section {
  id: string
  title: Words
  help: Words | null
  showIf: Condition | null
  questions: Question[]
}

export interface FormDefinition {
  title: Words
  sections: Section[]
}

export const definitionLimits = { sections: 30, questions: 200, options: 100, label: 500, help: 2_000, title: 120, unit: 20 } as const
export const scaleRange = { min: 0, max: 10 } as const
/** The largest limit of a number, so that answers stay exact and printable. */
export const numberLimit = 1_000_000_000
/** The most days that a limit is away from today. */
export const dayLimit = 60_000
const idPattern = /^[a-z][a-z0-9_]{0,39}$/

/** Whether this is a day of the calendar from 1900 to 2199. */
export const isDay = (text: string): boolean => /^(19|20|21)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(parseDay(text).getTime())

const hasOptions = (type: QuestionType): boolean => type === 'choice' || type === 'choices'

export const definitionProblems = {
  NO_SECTION: 'Add a section',
  NO_QUESTION: 'Add a question to this section',
  TOO_MANY_SECTIONS: `A form has at most ${definitionLimits.sections} sections`,
  TOO_MANY_QUESTIONS: `A form has at most ${definitionLimits.questions} questions`,
  TOO_MANY_OPTIONS: `A question has at most ${definitionLimits.options} answers`,
  NO_OPTION: 'Add at least two answers',
  BAD_ID: 'This ID is not valid',
  SAME_ID: 'This ID is used twice',
  NO_ENGLISH: 'The English text is missing',
  NO_FRENCH: 'The French text is missing',
  TOO_LONG: 'This text is too long',
  NOT_STORABLE: 'This text contains characters that cannot be stored',
  BAD_CONDITION: 'The condition needs an earlier question and a value that fits it',
  BAD_RED_FLAG: 'The red flag needs a value that fits the question',
  BAD_LIMITS: 'The limits do not fit together',
  NO_ENDS: 'Label both ends of the scale',
} as const
export type DefinitionProblemCode = keyof typeof definitionProblems
/** `at`: the id of the section or question; null for the form. `field`: which part of it. */
export interface DefinitionProblem {
  at: string | null
  field: string
  code: DefinitionProblemCode
}

/** Everything that keeps a definition from being published. Its shape is checked before (contract.ts). */
export function checkDefinition(definition: FormDefinition): DefinitionProblem[] {
  const problems: DefinitionProblem[] = []
  const add = (at: string | null, field: string, code: DefinitionProblemCode) => problems.push({ at, field, code })
  const checkWords = (at: string | null, field: string, words: Words | null, max: number) => {
    if (words === null) return
    if (words.en.trim() === '') add(at, field, 'NO_ENGLISH')
    if (words.fr.trim() === '') add(at, field, 'NO_FRENCH')
    if (Math.max(words.en.length, words.fr.length) > max) add(at, field, 'TOO_LONG')
    if (!isStorable(words.en) || !isStorable(words.fr)) add(at, field, 'NOT_STORABLE')
  }

  checkWords(null, 'title', definition.title, definitionLimits.title)
  const { sections } = definition
  if (sections.length === 0) add(null, 'sections', 'NO_SECTION')
  if (sections.length > definitionLimits.sections) add(null, 'sections', 'TOO_MANY_SECTIONS')
  if (sections.reduce((sum, { questions }) => sum + questions.length, 0) > definitionLimits.questions)
    add(null, 'sections', 'TOO_MANY_QUESTIONS')

  const usedIds = new Set<string>()
  const checkId = (id: string) => {
    if (!idPattern.test(id)) add(id, 'id', 'BAD_ID')
    if (usedIds.has(id)) add(id, 'id', 'SAME_ID')
    usedIds.add(id)
  }
  const earlier = new Map<string, Question>()
  const checkCondition = (at: string, condition: Condition | null) => {
    if (condition === null) return
    const asked = earlier.get(condition.question)
    if (!asked || !fits(asked, condition)) add(at, 'showIf', 'BAD_CONDITION')
  }

  for (const section of sections) {
    checkId(section.id)
    checkWords(section.id, 'title', section.title, definitionLimits.title)
    checkWords(section.id, 'help', section.help, definitionLimits.help)
    checkCondition(section.id, section.showIf)
    if (section.questions.length === 0) add(section.id, 'questions', 'NO_QUESTION')
    for (const question of section.questions) {
      const { id, redFlag, options, ends } = question
      checkId(id)
      checkWords(id, 'label', question.label, definitionLimits.label)
      checkWords(id, 'help', question.help, definitionLimits.help)
      checkCondition(id, question.showIf)
      if (redFlag) {
        checkWords(id, 'redFlag', redFlag.message, definitionLimits.label)
        if (!fits(question, redFlag.when)) add(id, 'redFlag', 'BAD_RED_FLAG')
      }
      if (!hasFittingLimits(question)) add(id, 'limits', 'BAD_LIMITS')
      if (question.unit !== null && (question.unit.length > definitionLimits.unit || !isStorable(question.unit)))
        add(id, 'unit', 'TOO_LONG')
      if (hasOptions(question.type)) {
        if (options.length < 2) add(id, 'options', 'NO_OPTION')
        if (options.length > definitionLimits.options) add(id, 'options', 'TOO_MANY_OPTIONS')
        const optionIds = new Set<string>()
        for (const option of options) {
          if (!idPattern.test(option.id)) add(id, 'options', 'BAD_ID')
          if (optionIds.has(option.id)) add(id, 'options', 'SAME_ID')
          optionIds.add(option.id)
          checkWords(id, 'options', option.label, definitionLimits.label)
        }
      }
      if (question.type === 'scale') {
        if (ends === null) add(id, 'ends', 'NO_ENDS')
        else for (const words of [ends.low, ends.high]) checkWords(id, 'ends', words, definitionLimits.label)
      }
      if (!earlier.has(id)) earlier.set(id, question)
    }
  }
  return problems
}

/** The tests that make sense for a question, in the order in which the editor offers them. */
export function testsFor({ type }: Pick<Question, 'type'>): readonly ConditionTest[] {
  switch (type) {
    case 'yes_no':
    case 'choice':
      return ['equals', 'answered']
    case 'choices':
      return ['includes', 'answered']
    case 'number':
    case 'scale':
      return ['atLeast', 'atMost', 'answered']
    default:
      return ['answered']
  }
}

/** Whether a test can be made of the answers to a question. */
function fits(question: Question, { test, value }: Test): boolean {
  if (!testsFor(question).includes(test)) return false
  if (test === 'answered') return true
  if (question.type === 'yes_no') return typeof value === 'boolean'
  if (hasOptions(question.type)) return question.options.some(({ id }) => id === value)
  return typeof value === 'number' && Number.isFinite(value)
}

function hasFittingLimits({ type, min, max, earliest, latest }: Question): boolean {
  if (type === 'number')
    return [min, max].every((limit) => limit === null || Math.abs(limit) <= numberLimit) && (min ?? -Infinity) <= (max ?? Infinity)
  if (type === 'date') {
    const isLimit = (limit: DayLimit | null) =>
      limit === null || (typeof limit === 'number' ? Number.isInteger(limit) && Math.abs(limit) <= dayLimit : isDay(limit))
    if (!isLimit(earliest) || !isLimit(latest)) return false
    // A day and a number of days can only be compared once a day is today.
    return earliest === null || latest === null || typeof earliest !== typeof latest || earliest <= latest
  }
  return true
}
