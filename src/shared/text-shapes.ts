import { z } from 'zod'
import { hasWebAddress, inOneLine, isStorable, notStorable, visibleText } from './text.ts'

/** An error message for missing values only; other invalid values have their own. */
const ifMissing = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? message : undefined

/** The idempotency key of a call that is carried out once. */
export const idempotencyKeyShape = z.uuid({
  error: ({ input }) =>
    input === undefined || input === null
      ? 'Idempotency key is required'
      : 'Idempotency key must be a UUID, such as 3f2a8c1e-5b7d-4e9f-8a6b-1c2d3e4f5a6b',
})

/** Typed text: trimmed, well-formed Unicode, no NUL (which PostgreSQL cannot store), at most `max` characters. */
function text(max: number, required?: string) {
  return z
    .string(required === undefined ? {} : { error: ifMissing(required) })
    .max(max, `Use at most ${max.toLocaleString('en-CA')} characters`)
    .refine(isStorable, notStorable)
    .transform((value) => value.trim())
}

/** `text` in which something must be visible; `message` is shown if nothing is. */
export const requiredText = (max: number, message: string) => text(max, message).transform(visibleText).pipe(z.string().min(1, message))

/** `requiredText` on one line, such as a title that becomes an email subject. */
export const requiredLine = (max: number, message: string) => text(max, message).transform(inOneLine).pipe(z.string().min(1, message))

const nameText = (max: number, label: string, required?: string) =>
  text(max, required)
    .refine((name) => !hasWebAddress(name) && !/[\r\n\u2028\u2029]/.test(name), `${label} can't contain a web address or a line break`)
    .transform(inOneLine)

/** A person's name. Spammers fill in forms so that others send their ads, so a name has no web address and no line break. */
export const personName = (max: number, label: string, required = `${label} is required`) =>
  nameText(max, label, required).pipe(z.string().min(1, required))

/** `personName` in which an empty value means "none". */
export const optionalPersonName = (max: number, label: string) =>
  nameText(max, label)
    .transform((name) => name || null)
    .nullable()

/** `text` that may be empty, but not missing; `message` is shown if it is. */
export const anyText = (max: number, message?: string) => text(max, message)

/** `text` on one line that may be empty, but not missing; `message` is shown if it is. */
export const anyLine = (max: number, message?: string) => text(max, message).transform(inOneLine)

/** `text` in which an empty value means "none". */
export const optionalText = (max: number) =>
  text(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()
