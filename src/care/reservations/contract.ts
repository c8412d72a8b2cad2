import { z } from 'zod'
import { requiredText } from '../../shared/text-shapes.ts'

export const bookingMessages = {
  patient: 'Choose a patient',
  noPatient: 'This patient does not exist',
  noRoom: 'This room is no longer in use',
  reason: 'Enter a reason for the cancellation',
} as const

/** The existing booking that overlaps. */
export const overlapData = z.object({
  what: z.enum(['provider', 'second', 'room', 'equipment', 'patient']),
  startsAt: z.date(),
  endsAt: z.date(),
  /** `booking`: a patient who is booking at this moment. */
  by: z.enum(['appointment', 'surgery', 'booking']),
})
export type OverlapData = z.output<typeof overlapData>

/** The patient of a booking. */
export const patientSummary = z.object({
  id: z.uuid(),
  firstName: z.string(),
  lastName: z.string(),
  preferredName: z.string().nullable(),
  dateOfBirth: z.string().nullable(),
  /** Other patients with the same name who have an appointment or a surgery on the same day. */
  namesakes: z.array(z.object({ id: z.uuid(), dateOfBirth: z.string().nullable() })),
})

export const idInput = z.strictObject({ id: z.uuid() })
export const contactIdInput = z.strictObject({ contactId: z.uuid() })
export const version = z.number('The version is missing').int().min(1)

/** A duration in minutes. */
export const minutesBetween = (min: number, max: number) =>
  z
    .number('Choose a duration')
    .int()
    .min(min, `At least ${min} minutes`)
    .max(max, `At most ${max / 60} hours`)

interface Period {
  from?: Date | undefined
  to?: Date | undefined
}

/** Limits the period of a list. An invalid instant is still text here, and has been refused already. */
export const withinDays = <Shape extends z.ZodType<Period>>(shape: Shape, maxDays: number) =>
  shape
    .refine(({ from, to }) => !(Number(to) <= Number(from)), { path: ['to'], message: 'The end must be after the start' })
    .refine(({ from, to }) => !(Number(to) - Number(from) > maxDays * 86_400_000), { path: ['to'], message: `At most ${maxDays} days` })

/** The input of a status change. */
export const statusFields = <const Statuses extends readonly string[]>(statuses: Statuses) => ({
  id: z.uuid(),
  version,
  status: z.enum(statuses, 'Choose a status'),
  reason: requiredText(500, bookingMessages.reason).optional(),
})

/** Requires a reason for a cancellation and forbids it otherwise (`noReason` is that message). */
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
export const notPossible = { NOT_POSSIBLE: { status: 409, message: 'This status change is not allowed' } } as const
