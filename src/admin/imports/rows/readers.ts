import type { z } from 'zod'
import { futureMessage } from '../../../crm/contacts/rules.ts'
import { normalizeWord } from '../column-rules.ts'
import { type Reader, invalid } from '../reading/rows.ts'
import { readBoolean, readDay, readTime } from './values.ts'

/** Validates a text with the form's rule for the field. */
export function byRule(rule: z.ZodType): Reader {
  return (text) => {
    const parsed = rule.safeParse(text)
    return parsed.success ? (parsed.data as string) : invalid(parsed.error.issues[0]!.message)
  }
}

export const day: Reader = (text, order) => readDay(text, order) ?? invalid('This is not a date')
/** A day that cannot be in the future; a year like '65' is the most recent one. */
export const pastDay =
  (today: string, label: string): Reader =>
  (text, order) => {
    const read = readDay(text, order, Number(today.slice(0, 4)))
    if (read === undefined) return invalid('This is not a date')
    return read > today ? invalid(futureMessage(label)) : read
  }
/** One of the options, by value or label, or by the beginning of only one label, such as 'F' for 'Female'. */
export const option =
  (options: Readonly<Record<string, string>>): Reader =>
  (text) => {
    const word = normalizeWord(text)
    const all = Object.entries(options)
    const found = all.find((names) => names.some((name) => normalizeWord(name) === word))
    const begun = all.filter(([, label]) => word !== '' && normalizeWord(label).startsWith(word))
    return found?.[0] ?? (begun.length === 1 ? begun[0]![0] : invalid('This is not one of the choices'))
  }
export const time: Reader = (text) => readTime(text) ?? invalid('This is not a time')
export const boolean: Reader = (text) => readBoolean(text) ?? invalid('Enter yes or no')
