import { z } from 'zod'

export const outcome = z.object({
  isOk: z.boolean(),
  /** The request and the response. */
  message: z.string(),
  /** What to do about it; null if no action is needed. */
  advice: z.string().nullable(),
})
export type Outcome = z.output<typeof outcome>

/** Each test calls an external system; some send an email. */
export const tooManyTests = {
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many tests in a row. Please wait a minute.' },
} as const
