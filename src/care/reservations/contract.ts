import { z } from 'zod'
import { requiredText } from '../../shared/text-shapes.ts'

export const bookingMessages = {
  patient: 'Choose a patient',
  noPatient: 'This patient does not exist',
  noRoom: 'This room is no longer in use',
  reason: 'Say why it is cancelled',
} as const

/** What is taken already, from when to when, and by what. */
export const overlapData = z.object({
  what: z.enum(['provider', 'room', 'patient']),
  startsAt: z.date(),
  endsAt: z.date(),
  by: z.enum(['appointment', 'surgery']),
})
export type OverlapData = z.output<typeof overlapData>

/** The patient of a booking. */
export const party = z.object({ id: z.uuid(), firstName: z.string(), lastName: z.string() })

export const one = z.strictObject({ id: z.uuid() })
export const ofContact = z.strictObject({ contactId: z.uuid() })
export const version = z.number('The version is missing').int().min(1)

/** How long one takes. */
export const minutesBetween = (shortest: number, longest: number) =>
  z
    .number('Choose how long it takes')
    .int()
    .min(shortest, `At least ${shortest} minutes`)
    .max(longest, `At most ${longest / 60} hours`)

interface Period {
  from?: Date | undefined
  to?: Date | undefined
}

/** A list's input for a time of at most so many days. What is no instant is still the text that was sent here, and refused already. */
export const withinDays = <Shape extends z.ZodType<Period>>(shape: Shape, maxDays: number) =>
  shape
    .refine(({ from, to }) => !(Number(to) <= Number(from)), { path: ['to'], message: 'The end is before the beginning' })
    .refine(({ from, to }) => !(Number(to) - Number(from) > maxDays * 86_400_000), { path: ['to'], message: `At most ${maxDays} days` })

/** The input that gives a booking another status. */
export const statusFields = <const Statuses extends readonly string[]>(statuses: Statuses) => ({
  id: z.uuid(),
  version,
  status: z.enum(statuses, 'Choose a status'),
  reason: requiredText(500, bookingMessages.reason).optional(),
})

/** What is cancelled has a reason, and nothing else has one: `noReason` says so. */
export const withReason = <Shape extends z.ZodType<{ status: string; reason?: string | undefined }>>(shape: Shape, noReason: string) =>
  shape
    .refine(({ status, reason }) => status !== 'cancelled' || reason !== undefined, { path: ['reason'], message: bookingMessages.reason })
    .refine(({ status, reason }) => status === 'cancelled' || reason === undefined, { path: ['reason'], message: noReason })

export const invalidFields = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
export const notPossible = { NOT_POSSIBLE: { status: 409, message: 'This status cannot follow on the one it has' } } as const
