import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay } from '../../shared/dates.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import {
  asaClasses,
  bloodTypes,
  entryKinds,
  entrySources,
  entryStatuses,
  maxRows,
  maxStopDays,
  measuredFields,
  misplacedFields,
  negativeTopics,
  sections,
  severities,
} from './rules.ts'

export const healthMessages = {
  name: 'Enter a name',
  reason: 'Enter why this was entered in error',
  noReason: 'Only an entry that was made in error has a reason',
  days: `Enter a number of days from 0 to ${maxStopDays}`,
  year: 'Enter a year, such as 2016',
  future: 'This can’t be in the future',
  misplaced: 'This kind of entry has no such value',
  nothing: 'Enter at least one measurement',
  height: 'Enter a height from 30 to 272 cm',
  weight: 'Enter a weight from 1 to 650 kg, with at most one decimal',
  pressure: 'Enter a blood pressure, such as 120 / 80',
  pressures: 'Enter both values of the blood pressure',
  diastolic: 'The second value is lower than the first',
} as const

/** Maximum lengths, in characters. */
export const entryLimits = { name: 200, detail: 500, dose: 200, anaesthesia: 200, reason: 300 } as const

const entry = z.object({
  id: z.uuid(),
  /** Incremented by every change. */
  version: z.number().int(),
  kind: z.enum(entryKinds),
  /** The text of an alert. */
  name: z.string(),
  /** The reaction to an allergen, or anything else worth knowing. */
  detail: z.string().nullable(),
  /** Of allergies. */
  severity: z.enum(severities).nullable(),
  dose: z.string().nullable(),
  /** Days before a surgery on which to stop it. */
  stopDays: z.number().int().nullable(),
  isWeightLoss: z.boolean(),
  /** Of surgeries and implants. */
  year: z.number().int().nullable(),
  anaesthesia: z.string().nullable(),
  status: z.enum(entryStatuses),
  errorReason: z.string().nullable(),
  source: z.enum(entrySources),
  createdBy: z.uuid().nullable(),
  createdAt: z.date(),
  updatedBy: z.uuid().nullable(),
  updatedAt: z.date(),
})

const measurement = z.object({
  id: z.uuid(),
  heightCm: z.number().int().nullable(),
  weightKg: z.number().nullable(),
  systolic: z.number().int().nullable(),
  diastolic: z.number().int().nullable(),
  bloodType: z.enum(bloodTypes).nullable(),
  asaClass: z.number().int().nullable(),
  measuredOn: z.string(),
  source: z.enum(entrySources),
  /** Who measured it, or accepted what the patient reported. */
  measuredBy: z.uuid().nullable(),
})

const health = z.object({
  /** Allergies and alerts; with the rest for those who may see it. */
  entries: z.array(entry),
  /** The newest review of each section. */
  reviews: z.array(
    z.object({
      section: z.enum(sections),
      source: z.enum(entrySources),
      reviewedBy: z.uuid().nullable(),
      reviewedAt: z.date(),
      activeEntries: z.number().int(),
    }),
  ),
  /** What the patient has reported not to have, as long as no entry says otherwise; empty for those who may not see the history. */
  negatives: z.array(
    z.object({
      topic: z.enum(negativeTopics),
      statement: z.string(),
      source: z.enum(entrySources),
      reviewedBy: z.uuid().nullable(),
      reviewedAt: z.date(),
    }),
  ),
  /** Newest first; empty for those who may not see them. */
  measurements: z.array(measurement),
})
export type Health = z.output<typeof health>

const year = z.number(healthMessages.year).int(healthMessages.year).min(1900, healthMessages.year).max(2200, healthMessages.year)

const fields = {
  name: requiredLine(entryLimits.name, healthMessages.name),
  detail: optionalText(entryLimits.detail),
  severity: z.enum(severities, 'Choose a severity').nullable(),
  dose: optionalText(entryLimits.dose),
  stopDays: z
    .number(healthMessages.days)
    .int(healthMessages.days)
    .min(0, healthMessages.days)
    .max(maxStopDays, healthMessages.days)
    .nullable(),
  isWeightLoss: z.boolean('Must be true or false'),
  year: year.nullable(),
  anaesthesia: optionalText(entryLimits.anaesthesia),
}

export const newEntry = z
  .strictObject({
    kind: z.enum(entryKinds, 'Choose a type'),
    name: fields.name,
    detail: fields.detail.default(null),
    severity: fields.severity.default(null),
    dose: fields.dose.default(null),
    stopDays: fields.stopDays.default(null),
    isWeightLoss: fields.isWeightLoss.default(false),
    year: fields.year.default(null),
    anaesthesia: fields.anaesthesia.default(null),
  })
  .superRefine(({ kind, ...given }, context) => {
    for (const field of misplacedFields(kind, given)) context.addIssue({ code: 'custom', path: [field], message: healthMessages.misplaced })
  })

const changedEntry = z
  .strictObject({
    ...fields,
    status: z.enum(entryStatuses, 'Choose a status'),
    errorReason: optionalText(entryLimits.reason),
  })
  .partial()
  .extend({ id: z.uuid(), version: z.number().int().min(1) })
  .superRefine(({ status, errorReason = null }, context) => {
    const isError = status === 'entered_in_error'
    if (isError === (errorReason !== null)) return
    context.addIssue({ code: 'custom', path: ['errorReason'], message: isError ? healthMessages.reason : healthMessages.noReason })
  })

const weight = z
  .number(healthMessages.weight)
  .min(1, healthMessages.weight)
  .max(650, healthMessages.weight)
  .refine((kg) => Math.abs(kg * 10 - Math.round(kg * 10)) < 1e-6, healthMessages.weight)
const whole = (min: number, max: number, message: string) => z.number(message).int(message).min(min, message).max(max, message)

export const newMeasurement = z
  .strictObject({
    heightCm: whole(30, 272, healthMessages.height).nullable().default(null),
    weightKg: weight.nullable().default(null),
    systolic: whole(40, 300, healthMessages.pressure).nullable().default(null),
    diastolic: whole(20, 250, healthMessages.pressure).nullable().default(null),
    bloodType: z.enum(bloodTypes, 'Choose a blood type').nullable().default(null),
    asaClass: z.literal(asaClasses, 'Choose a class from 1 to 5').nullable().default(null),
    measuredOn: calendarDay,
  })
  .superRefine((given, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const { systolic, diastolic } = given
    if (measuredFields.every((field) => given[field] === null)) wrong('heightCm', healthMessages.nothing)
    if (systolic === null && diastolic !== null) wrong('systolic', healthMessages.pressures)
    if (diastolic === null && systolic !== null) wrong('diastolic', healthMessages.pressures)
    if (systolic !== null && diastolic !== null && diastolic >= systolic) wrong('diastolic', healthMessages.diastolic)
  })

const ofContact = { contactId: z.uuid() }
const noPatient = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const full = { FULL: { status: 409, message: `A chart takes at most ${maxRows} of these` } } as const
const invalidFields = {
  INVALID_REFERENCE: { status: 422, message: 'Some fields are not valid', data: z.object({ fields: z.record(z.string(), z.string()) }) },
} as const
const tags = ['Chart']

export const healthContract = {
  get: oc
    .route({
      method: 'GET',
      path: '/contacts/{contactId}/health',
      tags,
      summary: 'Get a patient’s health summary: allergies and alerts, and the rest for those who may see it',
    })
    .input(z.strictObject(ofContact))
    .errors(noPatient)
    .output(health),
  addEntry: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/health/entries',
      tags,
      summary: 'Add an allergy, alert, medication, condition, past surgery or habit to a patient’s health summary',
    })
    .input(newEntry.safeExtend(ofContact))
    .errors({ ...noPatient, ...full, ...invalidFields })
    .output(health),
  changeEntry: oc
    .route({
      method: 'PATCH',
      path: '/health-entries/{id}',
      tags,
      summary: 'Change an entry of a health summary, end it, or mark it as entered in error with a reason; none is deleted',
    })
    .input(changedEntry)
    .errors({
      NOT_FOUND: { status: 404, message: 'This entry does not exist' },
      CONFLICT: { status: 409, message: 'Someone else has changed this entry', data: z.object({ current: entry }) },
      ...invalidFields,
    })
    .output(health),
  reviewed: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/health/reviews',
      tags,
      summary: 'Confirm a section of a health summary: everything in it is right, and nothing is missing',
    })
    .input(z.strictObject({ ...ofContact, section: z.enum(sections, 'Choose a section') }))
    .errors(noPatient)
    .output(health),
  addMeasurement: oc
    .route({
      method: 'POST',
      path: '/contacts/{contactId}/health/measurements',
      tags,
      summary: 'Record a patient’s height, weight, blood pressure, blood type or ASA class',
    })
    .input(newMeasurement.safeExtend(ofContact))
    .errors({ ...noPatient, ...full, ...invalidFields })
    .output(health),
}
