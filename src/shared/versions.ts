import { z } from 'zod'

/** The version that the writer of a change has read. */
export const version = z.number('Say which version you have read').int().min(1).max(2_147_483_647)

/** The refusal of a change that was made on something older than what is there by now. */
export const changedMeanwhile = {
  CHANGED_MEANWHILE: {
    status: 409,
    message: 'Someone else has changed this in the meantime. Close this to see what it is now, and try again.',
  },
} as const
