import { oc } from '@orpc/contract'
import { z } from 'zod'
import { timeOfDay } from '../../shared/dates.ts'
import { anyLine, optionalText, requiredLine } from '../../shared/text-shapes.ts'
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

/** An empty one is as the server's own settings have it. */
const settings = z.object({
  name: z.string().nullable(),
  subtitle: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  hours: z.string().nullable(),
  timeZone: z.string().nullable(),
  brandHue: z.number().int().nullable(),
  companyDomains: z.array(z.string()).nullable(),
  mailFrom: z.string().nullable(),
  mailReplyTo: z.string().nullable(),
})
export type PracticeSettings = z.output<typeof settings>

const settingsMessages = {
  timeZone: 'Choose a time zone',
  hue: 'Choose a number from 0 to 360',
  domain: 'Enter domains like clinic.example',
  email: 'Enter a valid email address',
} as const
/** In bytes. */
export const logoLimit = 2 * 1024 * 1024
const mostDomains = 20

const line = (max: number) =>
  anyLine(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional()
const email = z
  .union([z.literal('').transform(() => null), z.email(settingsMessages.email).max(254, settingsMessages.email)], settingsMessages.email)
  .nullable()
  .optional()
const domain = z
  .string()
  .max(253, settingsMessages.domain)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(value), settingsMessages.domain)
const changedSettings = z.strictObject({
  name: line(80),
  subtitle: line(80),
  address: line(200),
  phone: line(40),
  hours: line(120),
  timeZone: z
    .string()
    .max(60, settingsMessages.timeZone)
    .refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone), settingsMessages.timeZone)
    .nullable()
    .optional(),
  brandHue: z
    .number(settingsMessages.hue)
    .int(settingsMessages.hue)
    .min(0, settingsMessages.hue)
    .max(360, settingsMessages.hue)
    .nullable()
    .optional(),
  companyDomains: z.array(domain).max(mostDomains, `At most ${mostDomains} domains`).nullable().optional(),
  mailFrom: email,
  mailReplyTo: email,
})
export type ChangedSettings = z.output<typeof changedSettings>

/** As they are set, and what stands in for what is not. */
const settingsAnswer = z.object({ set: settings, otherwise: settings, logo: z.string().nullable() })

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
  settings: oc
    .route({ method: 'GET', path: '/practice', tags, summary: 'What the practice is called and how it is reached' })
    .output(settingsAnswer),
  changeSettings: oc
    .route({ method: 'PATCH', path: '/practice', tags, summary: 'Change what was changed; null is as the server is set up' })
    .input(changedSettings)
    .output(settingsAnswer),
  removeLogo: oc.route({ method: 'DELETE', path: '/practice/logo', tags, summary: 'Take the logo away' }).output(settingsAnswer),
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
