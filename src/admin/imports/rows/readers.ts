import type { z } from 'zod'
import { futureMessage } from '../../../crm/contacts/rules.ts'
import { plainWord } from '../column-rules.ts'
import { type Reader, wrong } from '../reading/rows.ts'
import { readBoolean, readDay, readTime } from './values.ts'

/** Checks a text by the rule that the form has for the field. */
export function byRule(rule: z.ZodType): Reader {
  return (text) => {
    const parsed = rule.safeParse(text)
    return parsed.success ? (parsed.data as string) : wrong(parsed.error.issues[0]!.message)
  }
}

export const day: Reader = (text, order) => readDay(text, order) ?? wrong('This is not a date')
/** A day that cannot lie in the future. Of '65' it takes the last year that was. */
export const pastDay =
  (today: string, label: string): Reader =>
  (text, order) => {
    const read = readDay(text, order, Number(today.slice(0, 4)))
    if (read === undefined) return wrong('This is not a date')
    return read > today ? wrong(futureMessage(label)) : read
  }
/** One of the options by its value or by what it is called. */
export const option =
  (options: Readonly<Record<string, string>>): Reader =>
  (text) => {
    const word = plainWord(text)
    const found = Object.entries(options).find((names) => names.some((name) => plainWord(name) === word))
    return found?.[0] ?? wrong('This is not one of the choices')
  }
export const time: Reader = (text) => readTime(text) ?? wrong('This is not a time')
export const boolean: Reader = (text) => readBoolean(text) ?? wrong('Write yes or no')
