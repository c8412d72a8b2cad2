import { z } from 'zod'

/** What is taken already, from when to when, and by what. */
export const overlapData = z.object({
  what: z.enum(['provider', 'room', 'patient']),
  startsAt: z.date(),
  endsAt: z.date(),
  by: z.enum(['appointment', 'surgery']),
})
export type OverlapData = z.output<typeof overlapData>
