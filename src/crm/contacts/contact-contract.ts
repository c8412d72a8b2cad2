/** A contact as it is stored, as its form writes it and as lists show it. */
import { z } from 'zod'
import { calendarDay, instant, timeOfDay } from '../../shared/dates.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText, personName, requiredText } from '../../shared/text-shapes.ts'
import { type Attribution, maxReasonLength } from './rules.ts'
import {
  type ColumnOf,
  columnsOf,
  type ContactFieldName,
  contactFieldNames,
  fieldOf,
  kindOf,
  type KindOf,
  type ListedField,
  listedFields,
  type StoredField,
  storedFields,
} from './derived-fields.ts'
import type { ControlKind, ControlOf } from './declared-fields.ts'

export const contactMessages = {
  firstName: 'First name is required',
  lastName: 'Last name is required',
  email: 'Please enter a valid email address',
  emailTaken: 'A patient with this email already exists',
  emailTwice: 'This email is listed twice',
  otherEmails: 'Use at most 10 other emails',
  phone: 'Enter a phone number',
  phoneTwice: 'This phone number is listed twice',
  otherPhones: 'Use at most 10 other phones',
  sameContact: 'A patient cannot be merged with itself',
  loadFailed: 'Failed to load contacts',
} as const

/** A short reason for losing a lead. */
export const lostReason = optionalText(maxReasonLength)
const contactEmail = optionalText(254).pipe(z.email(contactMessages.email).nullable())
/** Maximum number of emails or phones besides the primary one. */
export const maxOthers = 10

/** The input schema of each kind of field. References accept an id, a name or a stage value, in any case. */
const inputs = {
  name: ({ max }, label) => personName(max, label),
  text: ({ max }) => optionalText(max),
  'long-text': ({ max }) => optionalText(max),
  choice: ({ options }) => z.enum(Object.keys(options)).nullable(),
  day: () => calendarDay.nullable(),
  tick: () => z.boolean(),
  amount: () => z.number().int().min(0).max(100_000_000_00).nullable(),
  moment: () => instant.nullable(),
  time: () => timeOfDay.nullable(),
  email: () => contactEmail,
  emails: () =>
    z.array(requiredText(254, contactMessages.email).pipe(z.email(contactMessages.email))).max(maxOthers, contactMessages.otherEmails),
  phone: () => optionalText(50),
  phones: () => z.array(requiredText(50, contactMessages.phone)).max(maxOthers, contactMessages.otherPhones),
  status: () => requiredText(40, 'Status is required'),
  stage: () => requiredText(200, 'Stage is required'),
  vocabulary: () => optionalText(200),
  staff: () => z.uuid().nullable(),
  details: () =>
    z
      .record(
        z.string().max(100).refine(isStorable, notStorable),
        z.union([z.string().max(2000).refine(isStorable, notStorable), z.number(), z.boolean(), z.null()]),
      )
      .refine((value) => Object.keys(value).length <= 50, 'Use at most 50 entries')
      .nullable(),
} satisfies InputsByKind
type InputsByKind = { [Kind in ControlKind]: (control: ControlOf<Kind>, label: string) => z.ZodType }

const inputsByKind: InputsByKind = inputs
const inputOf = <Kind extends ControlKind>(control: ControlOf<Kind>, label: string) => inputsByKind[control.kind](control, label)

/** The fields of the form. */
export const contactFields = z.strictObject(
  Object.fromEntries(contactFieldNames.map((name) => [name, inputOf(fieldOf(name).control, fieldOf(name).label)])) as {
    [Name in ContactFieldName]: ReturnType<(typeof inputs)[KindOf<Name>]>
  },
)

const nullableText = z.string().nullable()

/** The output schema of each kind of field that is stored under its own name. */
const stored = {
  name: z.string(),
  text: nullableText,
  'long-text': nullableText,
  choice: nullableText,
  day: nullableText,
  tick: z.boolean(),
  amount: z.number().int().nullable(),
  moment: z.date().nullable(),
  time: nullableText,
  email: nullableText,
  emails: z.array(z.string()),
  phone: nullableText,
  phones: z.array(z.string()),
  status: z.string(),
  staff: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
} satisfies Partial<Record<ControlKind, z.ZodType>>

const storedShapes = Object.fromEntries(storedFields.map((name) => [name, stored[kindOf(name)]])) as {
  [Name in StoredField]: (typeof stored)[KindOf<Name>]
}

const attribution = z.object({
  at: z.string(),
  source: nullableText,
  utmSource: nullableText,
  utmMedium: nullableText,
  utmCampaign: nullableText,
  utmTerm: nullableText,
  utmContent: nullableText,
  landingPage: nullableText,
  referrer: nullableText,
  gclid: nullableText,
  fbclid: nullableText,
}) satisfies z.ZodType<Attribution>

/** A stored contact. References are ids; `…Text` is the literal text of a form when nothing has that name. */
export const contact = z.object({
  id: z.uuid(),
  version: z.number().int(),
  ...storedShapes,
  leadSourceId: z.uuid().nullable(),
  leadSourceText: z.string().nullable(),
  funnelStageId: z.uuid(),
  stageEnteredAt: z.date(),
  lostReason: z.string().nullable(),
  procedureId: z.uuid().nullable(),
  procedureText: z.string().nullable(),
  /** Whether the chart states the weight-loss medication; then it cannot be changed here. */
  weightLossFromChart: z.boolean(),
  firstAttribution: attribution.nullable(),
  latestAttribution: attribution.nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})
export type Contact = z.output<typeof contact>

/** The fields that identify a patient. */
export const identity = {
  id: true,
  firstName: true,
  lastName: true,
  email: true,
  otherEmails: true,
  phone: true,
  otherPhones: true,
} as const

const listedColumns = listedFields.flatMap((name) => columnsOf(name)) satisfies (keyof Contact)[]

/** A row of the list: only the data that its columns show. */
export const contactSummary = contact.pick({
  ...identity,
  version: true,
  ...(Object.fromEntries(listedColumns.map((column) => [column, true])) as Record<ColumnOf<ListedField>, true>),
  stageEnteredAt: true,
  createdAt: true,
  updatedAt: true,
})
export type ContactSummary = z.output<typeof contactSummary>
