import { oc } from '@orpc/contract'
import { z } from 'zod'
import { timeOfDay } from '../../shared/dates.ts'
import { anyLine, optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { asDomain, domainMessages, domainProblem, senderProblem } from '../../shared/domains.ts'
import { roomKinds } from '../../platform/practice/rules.ts'
import { hstNumberMessage, toHstNumber } from '../../shared/hst-number.ts'

const room = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(roomKinds),
  locationId: z.uuid(),
  /** The name of the location; null while only one location is active, because it need not be shown then. */
  location: z.string().nullable(),
  isActive: z.boolean(),
})
export type Room = z.output<typeof room>

const location = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Null: the practice's own address. */
  address: z.string().nullable(),
  phone: z.string().nullable(),
  isActive: z.boolean(),
})
export type Location = z.output<typeof location>

const dayHours = z.object({ weekday: z.number().int(), opens: z.string(), closes: z.string() })
const hoursOfDay = z
  .strictObject({
    weekday: z.number('Choose a day').int().min(1, 'Choose a day').max(7, 'Choose a day'),
    opens: timeOfDay,
    closes: timeOfDay,
  })
  .refine(({ opens, closes }) => opens < closes, { path: ['closes'], message: 'Closing time must be after opening time' })

/** A null value falls back to the server's own settings. */
const settings = z.object({
  name: z.string().nullable(),
  subtitle: z.string().nullable(),
  /** In French. Patients who read French get the English text where this is empty. */
  subtitleFr: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  hours: z.string().nullable(),
  hoursFr: z.string().nullable(),
  /** The GST/HST registration number, '123456789 RT0001'. */
  hstNumber: z.string().nullable(),
  timeZone: z.string().nullable(),
  brandHue: z.number().int().nullable(),
  companyDomains: z.array(z.string()).nullable(),
  mailFrom: z.string().nullable(),
  mailReplyTo: z.string().nullable(),
  /** Whether copies of photos at screen size show who looks at them, and when. */
  photoWatermark: z.boolean().nullable(),
  /** HH:mm in the patient's time zone: automatic text messages wait until the second. Equal: no quiet hours. */
  textQuietFrom: z.string().nullable(),
  textQuietTo: z.string().nullable(),
  /** How many automatic text messages one patient gets in a day, and all patients together. */
  textsPerPatient: z.number().int().nullable(),
  textsPerDay: z.number().int().nullable(),
  /** What a segment costs, in hundredths of a cent. */
  textSegmentPrice: z.number().int().nullable(),
})
export type PracticeSettings = z.output<typeof settings>

const settingsMessages = {
  timeZone: 'Choose a time zone',
  hue: 'Choose a number from 0 to 360',
  email: 'Enter a valid email address',
} as const
/** In bytes. */
export const logoLimit = 2 * 1024 * 1024
const maxDomains = 20

const line = (max: number) =>
  anyLine(max)
    .transform((value) => (value === '' ? null : value))
    .nullable()
    .optional()
const email = z
  .union([z.literal('').transform(() => null), z.email(settingsMessages.email).max(254, settingsMessages.email)], settingsMessages.email)
  .nullable()
  .optional()
const hstNumber = anyLine(40).transform((value, issue) => {
  if (value === '') return null
  const hst = toHstNumber(value)
  if (hst === null) issue.addIssue({ code: 'custom', message: hstNumberMessage })
  return hst
})
const wholeNumber = (
  min: number,
  max: number,
  message = `Enter a whole number from ${min.toLocaleString('en-CA')} to ${max.toLocaleString('en-CA')}`,
) => z.number(message).int(message).min(min, message).max(max, message).nullable().optional()
const sender = email.superRefine((value, issue) => {
  const message = value && senderProblem(value)
  if (message) issue.addIssue({ code: 'custom', message })
})
const domain = z
  .string()
  .max(260, domainMessages.domain)
  .transform(asDomain)
  .superRefine((value, issue) => {
    const message = domainProblem(value)
    if (message) issue.addIssue({ code: 'custom', message })
  })
const changedSettings = z.strictObject({
  name: line(80),
  subtitle: line(80),
  subtitleFr: line(80),
  address: line(200),
  phone: line(40),
  hours: line(120),
  hoursFr: line(120),
  hstNumber: hstNumber.nullable().optional(),
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
  companyDomains: z.array(domain).max(maxDomains, `At most ${maxDomains} domains`).nullable().optional(),
  mailFrom: sender,
  mailReplyTo: email,
  photoWatermark: z.boolean('Choose yes or no').nullable().optional(),
  textQuietFrom: timeOfDay.nullable().optional(),
  textQuietTo: timeOfDay.nullable().optional(),
  textsPerPatient: wholeNumber(1, 100),
  textsPerDay: wholeNumber(1, 1_000_000),
  textSegmentPrice: wholeNumber(0, 10_000, 'Enter a price in cents up to 100, with at most two decimals'),
})
export type ChangedSettings = z.output<typeof changedSettings>

/** The stored settings (`set`), and the server's values used where they are null (`otherwise`). */
const settingsOutput = z.object({ set: settings, otherwise: settings, logo: z.string().nullable() })

const fields = {
  name: requiredLine(80, 'Name the room'),
  kind: z.enum(roomKinds, 'Choose what the room is used for'),
  /** Defaults to the first location. */
  locationId: z.uuid('Choose a location').optional(),
}
const locationFields = {
  name: requiredLine(80, 'Name the location'),
  address: optionalText(200),
  phone: optionalText(40),
}
const roomNameTaken = { NAME_TAKEN: { status: 409, message: 'A room with this name already exists' } } as const
const locationNameTaken = { NAME_TAKEN: { status: 409, message: 'A location with this name already exists' } } as const
const noLocation = { NOT_FOUND: { status: 404, message: 'This location does not exist' } } as const
const badLocation = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'This location cannot be used',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const noRoom = { NOT_FOUND: { status: 404, message: 'This room does not exist' } } as const
const tags = ['Practice']

export const practiceContract = {
  rooms: oc.route({ method: 'GET', path: '/rooms', tags, summary: 'List rooms, inactive ones last' }).output(z.array(room)),
  addRoom: oc
    .route({ method: 'POST', path: '/rooms', tags, summary: 'Add a room' })
    .input(z.strictObject(fields))
    .errors({ ...roomNameTaken, ...badLocation })
    .output(room),
  changeRoom: oc
    .route({ method: 'PATCH', path: '/rooms/{id}', tags, summary: 'Change a room or make it inactive' })
    .input(z.strictObject({ ...fields, id: z.uuid(), isActive: z.boolean('Choose yes or no') }))
    .errors({ ...roomNameTaken, ...noRoom, ...badLocation })
    .output(room),
  locations: oc.route({ method: 'GET', path: '/locations', tags, summary: 'List locations, inactive ones last' }).output(z.array(location)),
  addLocation: oc
    .route({ method: 'POST', path: '/locations', tags, summary: 'Add a location' })
    .input(z.strictObject(locationFields))
    .errors(locationNameTaken)
    .output(location),
  changeLocation: oc
    .route({ method: 'PATCH', path: '/locations/{id}', tags, summary: 'Change a location or make it inactive' })
    .input(z.strictObject({ ...locationFields, id: z.uuid(), isActive: z.boolean('Choose yes or no') }))
    .errors({
      ...locationNameTaken,
      ...noLocation,
      IN_USE: { status: 409, message: 'This location has active rooms. Make them inactive or move them first.' },
      LAST: { status: 409, message: 'A practice needs at least one active location. Activate another one first.' },
    })
    .output(location),
  settings: oc.route({ method: 'GET', path: '/practice', tags, summary: 'Get the practice settings' }).output(settingsOutput),
  changeSettings: oc
    .route({ method: 'PATCH', path: '/practice', tags, summary: 'Change the practice settings' })
    .input(changedSettings)
    .output(settingsOutput),
  removeLogo: oc.route({ method: 'DELETE', path: '/practice/logo', tags, summary: 'Remove the logo' }).output(settingsOutput),
  hours: oc
    .route({ method: 'GET', path: '/practice-hours', tags, summary: 'Get the practice hours by day of the week' })
    .output(z.array(dayHours)),
  setHours: oc
    .route({ method: 'PUT', path: '/practice-hours', tags, summary: 'Set the practice hours; a missing day is closed' })
    .input(
      z.strictObject({
        days: z
          .array(hoursOfDay)
          .max(7, 'A week has seven days')
          .refine((days) => new Set(days.map(({ weekday }) => weekday)).size === days.length, 'A day is listed twice'),
      }),
    )
    .output(z.array(dayHours)),
}
