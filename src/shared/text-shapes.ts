import { z } from 'zod'
import { inOneLine, isStorable, notStorable } from './text.ts'

/** Text as a person may type it: trimmed, well-formed Unicode, no NUL (which PostgreSQL cannot store), at most `max` characters. */
function text(max: number) {
  return z
    .string()
    .max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
    .refine(isStorable, notStorable)
    .transform((value) => value.trim())
}

/** `text` that must not be empty; `message` is what the person reads when it is. */
export const requiredText = (max: number, message: string) => text(max).pipe(z.string().min(1, message))

/** `requiredText` on one line, such as a title that becomes a mail's subject. */
export const requiredLine = (max: number, message: string) => text(max).transform(inOneLine).pipe(z.string().min(1, message))

/** `text` on one line that may be empty. */
export const anyLine = (max: number) => text(max).transform(inOneLine)

/** `text` in which an empty value means "none". */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()
