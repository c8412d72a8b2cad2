import type { Language, Question } from '../../definition-rules.ts'
import { type AnswerProblemCode, limitDay } from '../../rules.ts'
import { formatFormDay, formatFormNumber, formWords } from '../embed/words.ts'

/** What to say of a problem with the answer to a question, with the limit that it misses. */
export function problemMessage(question: Question, code: AnswerProblemCode, language: Language, today: string): string {
  const words = formWords[language]
  if (code === 'WRONG_TYPE' && question.type === 'number') return words.notANumber
  const message = words.problems[code]
  if (typeof message === 'string') return message
  const { min, max, earliest, latest, unit } = question
  const number = (limit: number | null) => `${formatFormNumber(limit ?? 0, language)}${unit === null ? '' : `\u00a0${unit}`}`
  const day = (limit: Question['latest']) => (limit === null ? '' : formatFormDay(limitDay(limit, today), language))
  return message({ TOO_SMALL: number(min), TOO_LARGE: number(max), TOO_EARLY: day(earliest), TOO_LATE: day(latest) }[code as 'TOO_SMALL'])
}
