import type { Question } from '../../definition-rules.ts'
import { type AnswerProblemCode, answerLimits, limitDay } from '../../rules.ts'
import { formatDecimal, formatLongDay, type Language } from '../../../../shared/translations.ts'
import { formTexts } from '../embed/texts.ts'

/** What to say of a problem with the answer to a question, with the limit that it misses. */
export function problemMessage(question: Question, code: AnswerProblemCode, language: Language, today: string): string {
  const t = formTexts[language]
  if (code === 'REQUIRED' && question.type === 'signature') return t('signatureMissing')
  if (code === 'WRONG_TYPE' && question.type === 'number') return t('notANumber')
  if (code === 'TOO_LONG' && (question.type === 'text' || question.type === 'long_text')) {
    const limit = question.type === 'text' ? answerLimits.text : answerLimits.longText
    return t('textTooLong', { limit: formatDecimal(limit, language) })
  }
  const { min, max, earliest, latest, unit } = question
  const number = (limit: number | null) => `${formatDecimal(limit ?? 0, language)}${unit === null ? '' : `\u00a0${unit}`}`
  const day = (limit: Question['latest']) => (limit === null ? '' : formatLongDay(limitDay(limit, today), language))
  const limits = { TOO_SMALL: number(min), TOO_LARGE: number(max), TOO_EARLY: day(earliest), TOO_LATE: day(latest) }
  return t(`problems.${code}`, { limit: limits[code as keyof typeof limits] ?? '' })
}
