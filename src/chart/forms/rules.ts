import { inOneLine, isStorable, isUuid } from '../../shared/text.ts'
import { daysLater } from '../../shared/zoned-time.ts'
import {
  type DayLimit,
  type FormDefinition,
  isDay,
  numberLimit,
  type Question,
  type RedFlag,
  scaleRange,
  type Section,
  type Test,
} from './definition-rules.ts'

/*
 * What answers mean. The browser and the server decide with these functions, so that both agree on what is visible, wrong and missing. They
 * take any value: what arrives from outside is not trusted to have the shape of an answer.
 */

export const answerLimits = { text: 300, longText: 4_000, points: 40, strokes: 200, strokeNumbers: 6_000, name: 120, files: 5 } as const
/** Positions on an outline and in a signature are thousandths of its width and height. */
export const gridSize = 1_000
export const bodyViews = ['front', 'back', 'face'] as const
export type BodyView = (typeof bodyViews)[number]
export interface Point {
  view: BodyView
  x: number
  y: number
}
/** Strokes are x, y, x, y… */
export type Signature = { kind: 'drawn'; strokes: number[][] } | { kind: 'typed'; name: string }
export type Answer = string | number | boolean | string[] | Point[] | Signature
export type Answers = Record<string, Answer>
/** What someone claims to be answers. */
export type GivenAnswers = Readonly<Record<string, unknown>>

export const answerProblemCodes = [
  'REQUIRED',
  'WRONG_TYPE',
  'TOO_LONG',
  'NOT_STORABLE',
  'TOO_SMALL',
  'TOO_LARGE',
  'NOT_A_DAY',
  'TOO_EARLY',
  'TOO_LATE',
  'UNKNOWN_OPTION',
  'EXCLUSIVE_OPTION',
  'UNKNOWN_FILE',
] as const
export type AnswerProblemCode = (typeof answerProblemCodes)[number]
export interface AnswerProblem {
  question: string
  code: AnswerProblemCode
}

/** The documents of the patient that answers may name. Those of other patients, deleted ones and those with a virus are not among them. */
export type OwnFiles = ReadonlyMap<string, { isPicture: boolean }>
const noFiles: OwnFiles = new Map()

const given = (answers: GivenAnswers, id: string): unknown => (Object.hasOwn(answers, id) ? answers[id] : undefined)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isInteger = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max

/** Whether a value says anything: blank or invisible text, an empty list and an empty signature do not. */
export function isAnswered(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'string') return inOneLine(value) !== ''
  if (Array.isArray(value)) return value.length > 0
  if (isObject(value) && value.kind === 'typed') return isAnswered(value.name)
  if (isObject(value) && value.kind === 'drawn') return isAnswered(value.strokes)
  return true
}

function passes(value: unknown, { test, value: expected }: Test): boolean {
  switch (test) {
    case 'answered':
      return isAnswered(value)
    case 'equals':
      return isAnswered(value) && value === expected
    case 'includes':
      return Array.isArray(value) && value.includes(expected)
    case 'atLeast':
      return typeof value === 'number' && typeof expected === 'number' && value >= expected
    case 'atMost':
      return typeof value === 'number' && typeof expected === 'number' && value <= expected
  }
}

/** The visible sections with their visible questions, in order. A hidden question counts as not answered, whatever was given. */
export function visibleSections(definition: FormDefinition, answers: GivenAnswers): { section: Section; questions: Question[] }[] {
  const seen = new Map<string, unknown>()
  const isShown = ({ showIf }: Pick<Question, 'showIf'>) => showIf === null || passes(seen.get(showIf.question), showIf)
  return definition.sections.flatMap((section) => {
    if (!isShown(section)) return []
    const questions = section.questions.filter((question) => {
      if (!isShown(question)) return false
      seen.set(question.id, given(answers, question.id))
      return true
    })
    return [{ section, questions }]
  })
}

export const visibleQuestions = (definition: FormDefinition, answers: GivenAnswers): Question[] =>
  visibleSections(definition, answers).flatMap(({ questions }) => questions)

export const allQuestions = ({ sections }: FormDefinition): Question[] => sections.flatMap(({ questions }) => questions)

/** The answers that a form keeps: those to visible questions, in their order. Hidden, unknown and blank ones are dropped. */
export function keptAnswers(definition: FormDefinition, answers: GivenAnswers): Answers {
  const kept = visibleQuestions(definition, answers)
    .map(({ id }) => [id, given(answers, id)] as const)
    .filter(([, value]) => isAnswered(value))
  return Object.fromEntries(kept) as Answers
}

/** What is wrong with each visible answer, and which are missing, in the order of the form. `today`: the practice's day. */
export function checkAnswers(definition: FormDefinition, answers: GivenAnswers, today: string, files: OwnFiles = noFiles): AnswerProblem[] {
  return visibleQuestions(definition, answers).flatMap((question) => {
    const value = given(answers, question.id)
    const code = isAnswered(value) ? problemOf(question, value, today, files) : question.isRequired ? 'REQUIRED' : null
    return code === null ? [] : [{ question: question.id, code }]
  })
}

/**
 * Stored answers with changes made, of which blank ones (null, '', []) remove an answer. A wrong one does too, because the patient has
 * replaced what was there; it is in `problems`.
 */
export function applyChanges(
  definition: FormDefinition,
  stored: GivenAnswers,
  changes: GivenAnswers,
  today: string,
  files: OwnFiles = noFiles,
) {
  const merged = new Map<string, unknown>()
  const problems: AnswerProblem[] = []
  for (const question of allQuestions(definition)) {
    const isChanged = Object.hasOwn(changes, question.id)
    const value = given(isChanged ? changes : stored, question.id)
    if (!isAnswered(value)) continue
    const code = isChanged ? problemOf(question, value, today, files) : null
    if (code === null) merged.set(question.id, value)
    else problems.push({ question: question.id, code })
  }
  return { answers: keptAnswers(definition, Object.fromEntries(merged)), problems }
}

/**
 * Whether a question asks for the day of signing: a day no earlier than yesterday and no later than today, in a section with a signature. It is
 * today, so the page fills it in and it can't be edited; yesterday stays valid for a form that is signed shortly before midnight.
 */
export const isDayOfSigning = ({ questions }: Section, { type, earliest, latest }: Question): boolean =>
  type === 'date' && (earliest === 0 || earliest === -1) && latest === 0 && questions.some((other) => other.type === 'signature')

/** The section to continue a started form in: the first with something missing or wrong, otherwise the last. Null if no question is visible. */
export function sectionToContinue(
  definition: FormDefinition,
  answers: GivenAnswers,
  today: string,
  files: OwnFiles = noFiles,
): string | null {
  const open = new Set(checkAnswers(definition, answers, today, files).map(({ question }) => question))
  const sections = visibleSections(definition, answers).filter(({ questions }) => questions.length > 0)
  const next = sections.find(({ questions }) => questions.some(({ id }) => open.has(id))) ?? sections.at(-1)
  return next?.section.id ?? null
}

/** Percent of the required visible questions that are answered; of all visible ones if none is required. */
export function progressOf(definition: FormDefinition, answers: GivenAnswers): number {
  const visible = visibleQuestions(definition, answers)
  const required = visible.filter(({ isRequired }) => isRequired)
  const counted = required.length > 0 ? required : visible
  const done = counted.filter(({ id }) => isAnswered(given(answers, id))).length
  return counted.length === 0 ? 0 : Math.floor((100 * done) / counted.length)
}

export type RaisedFlag = Pick<RedFlag, 'message' | 'to'> & { question: string }

/** The red flags that the answers raise, in the order of the form. */
export const redFlags = (definition: FormDefinition, answers: GivenAnswers): RaisedFlag[] =>
  visibleQuestions(definition, answers).flatMap(({ id, redFlag }) =>
    redFlag && passes(given(answers, id), redFlag.when) ? [{ question: id, message: redFlag.message, to: redFlag.to }] : [],
  )

const flagOrder: readonly RedFlag['to'][] = ['alert', 'checklist', 'task']
/** Those that warn everyone who looks after the patient first, then those that hold back a surgery; otherwise in the order of the form. */
export const severeFirst = <Flag extends Pick<RaisedFlag, 'to'>>(flags: readonly Flag[]): Flag[] =>
  flags.toSorted((a, b) => flagOrder.indexOf(a.to) - flagOrder.indexOf(b.to))

/** What is wrong with an answer that is not blank; null if nothing is. */
export function problemOf(question: Question, value: unknown, today: string, files: OwnFiles = noFiles): AnswerProblemCode | null {
  switch (question.type) {
    case 'text':
      return textProblem(value, answerLimits.text)
    case 'long_text':
      return textProblem(value, answerLimits.longText)
    case 'yes_no':
      return typeof value === 'boolean' ? null : 'WRONG_TYPE'
    case 'number':
      return numberProblem(question, value)
    case 'scale':
      return isInteger(value, scaleRange.min, scaleRange.max) ? null : 'WRONG_TYPE'
    case 'date':
      return dateProblem(question, value, today)
    case 'choice':
      if (typeof value !== 'string') return 'WRONG_TYPE'
      return question.options.some(({ id }) => id === value) ? null : 'UNKNOWN_OPTION'
    case 'choices':
      return choicesProblem(question, value)
    case 'body':
      return bodyProblem(value)
    case 'signature':
      return signatureProblem(value)
    case 'file':
    case 'photo':
      return filesProblem(question, value, files)
  }
}

function textProblem(value: unknown, max: number): AnswerProblemCode | null {
  if (typeof value !== 'string') return 'WRONG_TYPE'
  if (value.length > max) return 'TOO_LONG'
  return isStorable(value) ? null : 'NOT_STORABLE'
}

function numberProblem({ min, max }: Question, value: unknown): AnswerProblemCode | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'WRONG_TYPE'
  if (value < (min ?? -numberLimit)) return 'TOO_SMALL'
  return value > (max ?? numberLimit) ? 'TOO_LARGE' : null
}

/** The day that a limit stands for. */
export const limitDay = (limit: DayLimit, today: string): string => (typeof limit === 'number' ? daysLater(today, limit) : limit)

function dateProblem({ earliest, latest }: Question, value: unknown, today: string): AnswerProblemCode | null {
  if (typeof value !== 'string') return 'WRONG_TYPE'
  if (!isDay(value)) return 'NOT_A_DAY'
  if (earliest !== null && value < limitDay(earliest, today)) return 'TOO_EARLY'
  return latest !== null && value > limitDay(latest, today) ? 'TOO_LATE' : null
}

function choicesProblem({ options }: Question, value: unknown): AnswerProblemCode | null {
  if (!Array.isArray(value) || value.length > options.length) return 'WRONG_TYPE'
  if (!value.every((one) => options.some(({ id }) => id === one))) return 'UNKNOWN_OPTION'
  if (new Set(value).size < value.length) return 'WRONG_TYPE'
  const isAlone = value.length === 1
  return isAlone || !options.some(({ id, isExclusive }) => isExclusive && value.includes(id)) ? null : 'EXCLUSIVE_OPTION'
}

function bodyProblem(value: unknown): AnswerProblemCode | null {
  if (!Array.isArray(value)) return 'WRONG_TYPE'
  if (value.length > answerLimits.points) return 'TOO_LONG'
  const isPoint = (point: unknown) =>
    isObject(point) &&
    Object.keys(point).length === 3 &&
    (bodyViews as readonly unknown[]).includes(point.view) &&
    isInteger(point.x, 0, gridSize) &&
    isInteger(point.y, 0, gridSize)
  return value.every(isPoint) ? null : 'WRONG_TYPE'
}

function filesProblem({ type }: Question, value: unknown, files: OwnFiles): AnswerProblemCode | null {
  if (!Array.isArray(value)) return 'WRONG_TYPE'
  if (value.length > answerLimits.files) return 'TOO_LONG'
  if (!value.every((id) => typeof id === 'string' && isUuid(id)) || new Set(value).size < value.length) return 'WRONG_TYPE'
  const found = (value as string[]).map((id) => files.get(id))
  if (found.includes(undefined)) return 'UNKNOWN_FILE'
  return type === 'photo' && found.some((file) => !file?.isPicture) ? 'WRONG_TYPE' : null
}

export function signatureProblem(value: unknown): AnswerProblemCode | null {
  if (!isObject(value) || Object.keys(value).length !== 2) return 'WRONG_TYPE'
  if (value.kind === 'typed') return textProblem(value.name, answerLimits.name)
  if (value.kind !== 'drawn' || !Array.isArray(value.strokes)) return 'WRONG_TYPE'
  const strokes: unknown[] = value.strokes
  if (strokes.length > answerLimits.strokes) return 'TOO_LONG'
  const isStroke = (stroke: unknown) =>
    Array.isArray(stroke) && stroke.length >= 2 && stroke.length % 2 === 0 && stroke.length <= answerLimits.strokeNumbers
  if (!strokes.every(isStroke)) return 'WRONG_TYPE'
  const numbers = (strokes as unknown[][]).flat()
  if (numbers.length > answerLimits.strokeNumbers) return 'TOO_LONG'
  if (!numbers.every((number) => isInteger(number, 0, gridSize))) return 'WRONG_TYPE'
  return lengthOf(strokes as number[][]) < minSignature ? 'WRONG_TYPE' : null
}

/** A tap or a speck is no signature: how long the strokes are together, in thousandths of the pad. */
const minSignature = 100
const lengthOf = (strokes: readonly number[][]): number =>
  strokes
    .flatMap((stroke) =>
      stroke.flatMap((at, place) =>
        place >= 2 && place % 2 === 0 ? [Math.hypot(at - stroke[place - 2]!, stroke[place + 1]! - stroke[place - 1]!)] : [],
      ),
    )
    .reduce((sum, one) => sum + one, 0)

/** The documents that answers name. */
export const fileIdsOf = (definition: FormDefinition, answers: GivenAnswers): string[] =>
  allQuestions(definition)
    .filter(asksForFiles)
    .flatMap(({ id }) => (Array.isArray(answers[id]) ? (answers[id] as string[]) : []))

export const asksForFiles = ({ type }: Pick<Question, 'type'>): boolean => type === 'file' || type === 'photo'
