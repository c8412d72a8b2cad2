import { z } from 'zod'

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

// Line ends, other control characters, and what turns the direction of the text behind it or is not seen at all. Joiners within words stay.
const outOfLine = /[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** A text on one line, without what cannot be seen or turns the direction of what follows. */
export const inOneLine = (value: string): string => value.replace(outOfLine, ' ').trim()

/** `requiredText` on one line, such as a title that becomes a mail's subject. */
export const requiredLine = (max: number, message: string) => text(max).transform(inOneLine).pipe(z.string().min(1, message))

/** `text` on one line that may be empty. */
export const anyLine = (max: number) => text(max).transform(inOneLine)

/** `text` in which an empty value means "none". */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const notStorable = 'This contains characters that cannot be stored'

/** Whether PostgreSQL can keep this text and return it unchanged. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
