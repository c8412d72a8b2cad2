import type { z } from 'zod'
import { type Reader, wrong } from './rows.ts'
import { readBoolean, readDay, readTime } from './values.ts'

/** Checks a text by the rule that the form has for the field. */
export function byRule(rule: z.ZodType): Reader {
  return (text) => {
    const parsed = rule.safeParse(text)
    return parsed.success ? (parsed.data as string) : wrong(parsed.error.issues[0]!.message)
  }
}

export const day: Reader = (text, order) => readDay(text, order) ?? wrong('This is not a date')
export const time: Reader = (text) => readTime(text) ?? wrong('This is not a time')
export const boolean: Reader = (text) => readBoolean(text) ?? wrong('Write yes or no')
