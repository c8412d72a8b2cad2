/** Parses input with Zod and maps the first issue to QuickBooks' error. */
import { z } from 'zod'
import { decimalPattern } from './fraction.ts'
import { missing, validationFault } from './refusal.ts'

/** @throws Refusal, codes 2010, 2020, 2050 and 2210. */
export function parseInput<Shape extends z.ZodType>(shape: Shape, value: unknown): z.output<Shape> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') ?? ''
  if (issue?.code === 'too_big' && issue.origin === 'string') {
    throw validationFault(2050, `String length specified does not match the supported length. Max:${issue.maximum} supported.`, field)
  }
  if (issue?.code === 'invalid_format' && issue.format === 'email') {
    throw validationFault(2210, 'Email Address does not conform to the RFC822 standard.', field)
  }
  // The wording of issues is the program's, which may have changed it.
  if (issue?.code === 'invalid_type' && valueAt(value, issue.path) === undefined) throw missing(field)
  throw validationFault(2010, `Property Name:${field || 'the request'} specified is unsupported or invalid`, field)
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)

export const reference = z.looseObject({ value: z.union([z.string(), z.number()]).transform(String) })

/** A number, optionally in quotes; kept as text for exact arithmetic. */
export const decimalNumber = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => decimalPattern.test(text))
