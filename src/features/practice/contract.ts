import { oc } from '@orpc/contract'
import { z } from 'zod'
import { timeOfDay } from '../../shared/dates.ts'
import { optionalText, requiredLine } from '../../shared/text.ts'
import { roomKinds } from './rules.ts'

const room = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(roomKinds),
  location: z.string().nullable(),
  isActive: z.boolean(),
})
export type Room = z.output<typeof room>

const dayHours = z.object({ weekday: z.number().int(), opens: z.string(), closes: z.string() })
const hoursOfDay = z
  .strictObject({
    weekday: z.number('Choose a day').int().min(1, 'Choose a day').max(7, 'Choose a day'),
    opens: timeOfDay,
    closes: timeOfDay,
  })
  .refine(({ opens, closes }) => opens < closes, { path: ['closes'], message: 'It closes after it opens' })

const fields = {
  name: requiredLine(80, 'Name the room'),
  kind: z.enum(roomKinds, 'Choose what the room is for'),
  location: optionalText(200).default(null),
}
const taken = { NAME_TAKEN: { status: 409, message: 'There is a room of this name' } } as const
const noRoom = { NOT_FOUND: { status: 404, message: 'This room does not exist' } } as const
const tags = ['Practice']

export const practiceContract = {
  rooms: oc.route({ method: 'GET', path: '/rooms', tags, summary: 'The rooms, those not used any more last' }).output(z.array(room)),
  addRoom: oc
    .route({ method: 'POST', path: '/rooms', tags, summary: 'Add a room' })
    .input(z.strictObject(fields))
    .errors(taken)
    .output(room),
  changeRoom: oc
    .route({ method: 'PATCH', path: '/rooms/{id}', tags, summary: 'Rename a room, or say that it is not used any more' })
    .input(z.strictObject({ ...fields, location: optionalText(200), id: z.uuid(), isActive: z.boolean('Say yes or no') }))
    .errors({ ...taken, ...noRoom })
    .output(room),
  hours: oc
    .route({ method: 'GET', path: '/practice-hours', tags, summary: 'When the practice is open, by day of the week' })
    .output(z.array(dayHours)),
  setHours: oc
    .route({ method: 'PUT', path: '/practice-hours', tags, summary: 'Say when the practice is open; a day that is missing is closed' })
    .input(
      z.strictObject({
        days: z
          .array(hoursOfDay)
          .max(7, 'A week has seven days')
          .refine((days) => new Set(days.map(({ weekday }) => weekday)).size === days.length, 'A day is named twice'),
      }),
    )
    .output(z.array(dayHours)),
}
