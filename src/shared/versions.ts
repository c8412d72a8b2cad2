import { z } from 'zod'

/** The version that an edit is based on. */
export const version = z.number('Version is required').int().min(1).max(2_147_483_647)

/** The refusal of an edit based on an outdated version. */
export const changedMeanwhile = {
  CHANGED_MEANWHILE: {
    status: 409,
    message: 'Someone else has changed this in the meantime. Close this to see the current version, then try again.',
  },
} as const
