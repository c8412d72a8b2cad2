import { z } from 'zod'

export const outcome = z.object({
  isOk: z.boolean(),
  /** What was asked and what was answered. */
  said: z.string(),
  /** What to do about it; null where nothing has to be done. */
  advice: z.string().nullable(),
})
export type Outcome = z.output<typeof outcome>

/** Each test is a call to someone else's system, some a mail. */
export const tooManyTests = {
  TOO_MANY_REQUESTS: { status: 429, message: 'This was tested a few times just now. Please wait a minute.' },
} as const
