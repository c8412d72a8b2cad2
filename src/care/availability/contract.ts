import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, timeOfDay } from '../../shared/dates.ts'
import { optionalText, requiredLine } from '../../shared/text-shapes.ts'
import { changedMeanwhile, version } from '../../shared/versions.ts'
import { daysFrom } from '../../shared/zoned-time.ts'
import { appointmentTypes, maxMinutes, minMinutes } from '../appointments/rules.ts'
import { idInput, invalidFields, minutesBetween } from '../reservations/contract.ts'
import { hoursLimits, patientKinds, visitLimits } from './rules.ts'
import { depositKinds, type DepositRules, minDepositCents } from './terms-rules.ts'

export const availabilityMessages = {
  name: 'Name the visit type',
  provider: 'Choose at least one provider',
  noProvider: 'One of these people does not see patients',
  noSecond: 'One of these people is no longer active',
  noRoom: 'One of these rooms is no longer in use',
  noEquipment: 'Some of this equipment is no longer in use',
  noForm: 'One of these forms is not available',
  equipmentName: 'Name the equipment',
  closes: 'The end must be after the start',
  deposit: 'Enter an amount from $0.50 to $10,000',
  percent: 'Enter a percentage from 1 to 100',
  price: 'Enter the price of the visit',
  lowDeposit: 'The deposit must be at least $0.50',
  fee: 'Enter an amount up to $10,000',
  seriesWeeks: 'Enter the weeks between two visits',
  seriesVisits: 'Enter the number of visits',
  feeNeedsCard: 'A fee needs a deposit or a card',
  toDay: 'The last day cannot be before the first',
  times: 'Enter both times',
  extra: 'Additional hours need a start and an end',
  noLocation: 'This location is not in use',
} as const

const visitType = z.object({
  id: z.uuid(),
  version: z.number().int(),
  name: z.string(),
  /** As patients read it in French; null: the same name. */
  nameFr: z.string().nullable(),
  description: z.string().nullable(),
  descriptionFr: z.string().nullable(),
  /** The type of the appointments that it books. */
  type: z.enum(appointmentTypes),
  minutes: z.number().int(),
  /** Minutes kept free before and after it. */
  bufferBefore: z.number().int(),
  bufferAfter: z.number().int(),
  /** For patients who book themselves: at least so many hours before it. */
  noticeHours: z.number().int(),
  /** For patients who book themselves: at most so many days ahead. */
  horizonDays: z.number().int(),
  /** Patients may move or cancel it themselves until so many hours before it. */
  changeHours: z.number().int(),
  /** What patients who book it themselves leave. Amounts are in cents. */
  depositKind: z.enum(depositKinds),
  depositCents: z.number().int().nullable(),
  /** Of the price. */
  depositPercent: z.number().int().nullable(),
  /** As patients read it on the booking page. */
  priceCents: z.number().int().nullable(),
  /** Whether patients who have been there before leave nothing. */
  isDepositFirstOnly: z.boolean(),
  /** For a visit that is cancelled after `changeHours`, and for a missed one; 0: none. */
  lateFeeCents: z.number().int(),
  noShowFeeCents: z.number().int(),
  /** Visits of a series, which staff book at once; null: it is one visit. */
  seriesVisits: z.number().int().nullable(),
  /** Weeks between two visits of a series. */
  seriesWeeks: z.number().int().nullable(),
  /** Visits of one provider on a day; null: without a limit. */
  maxPerDay: z.number().int().nullable(),
  patients: z.enum(patientKinds),
  /** Whether patients may book it themselves. */
  isOnline: z.boolean(),
  isActive: z.boolean(),
  /** One of them does it. */
  providerIds: z.array(z.uuid()),
  /** One of them takes part too; empty: no one has to. */
  secondIds: z.array(z.uuid()),
  /** One of them is needed; empty: no room is. */
  roomIds: z.array(z.uuid()),
  /** Of each, one piece is needed. */
  equipmentIds: z.array(z.uuid()),
  /** Patients who book it themselves get these forms to fill in. */
  formIds: z.array(z.uuid()),
})
export type VisitType = z.output<typeof visitType>

/** A month's page with the days around it. */
const maxOpeningDays = 42

const whole = (min: number, max: number) => {
  const message = `Enter a whole number from ${min} to ${max}`
  return z.number(message).int(message).min(min, message).max(max, message)
}
const ids = (max: number) =>
  z
    .array(z.uuid())
    .max(max, `At most ${max}`)
    .transform((all) => [...new Set(all)])

const cents = (message: string, min = 0) => z.number(message).int(message).min(min, message).max(visitLimits.cents, message)

const visitFields = {
  name: requiredLine(100, availabilityMessages.name),
  nameFr: optionalText(100),
  description: optionalText(1_000),
  descriptionFr: optionalText(1_000),
  type: z.enum(appointmentTypes, 'Choose a type'),
  minutes: minutesBetween(minMinutes, maxMinutes),
  bufferBefore: whole(0, visitLimits.buffer),
  bufferAfter: whole(0, visitLimits.buffer),
  noticeHours: whole(0, visitLimits.notice),
  horizonDays: whole(1, visitLimits.horizon),
  changeHours: whole(0, visitLimits.notice),
  depositKind: z.enum(depositKinds, 'Choose a deposit').default('none'),
  depositCents: cents(availabilityMessages.deposit, minDepositCents).nullable().default(null),
  depositPercent: whole(1, 100).nullable().default(null),
  priceCents: cents(availabilityMessages.fee).nullable().default(null),
  isDepositFirstOnly: z.boolean('Must be true or false').default(false),
  lateFeeCents: cents(availabilityMessages.fee).default(0),
  noShowFeeCents: cents(availabilityMessages.fee).default(0),
  seriesVisits: whole(2, visitLimits.seriesVisits).nullable().default(null),
  seriesWeeks: whole(1, visitLimits.seriesWeeks).nullable().default(null),
  maxPerDay: whole(1, visitLimits.maxPerDay).nullable(),
  patients: z.enum(patientKinds, 'Choose who may book it'),
  isOnline: z.boolean('Must be true or false'),
  providerIds: ids(visitLimits.people).refine((all) => all.length > 0, availabilityMessages.provider),
  secondIds: ids(visitLimits.people),
  roomIds: ids(visitLimits.rooms),
  equipmentIds: ids(visitLimits.equipmentOfVisit).default([]),
  formIds: ids(visitLimits.formsOfVisit).default([]),
}

/** Deposits that cannot be charged, by field; undefined: there is none. */
export function depositProblems({
  depositKind,
  depositCents,
  depositPercent,
  priceCents,
  lateFeeCents,
  noShowFeeCents,
}: Omit<DepositRules, 'changeHours' | 'isDepositFirstOnly'>): Partial<Record<keyof DepositRules, string>> {
  const part = ((priceCents ?? 0) * (depositPercent ?? 0)) / 100
  return {
    ...(depositKind === 'amount' && depositCents === null && { depositCents: availabilityMessages.deposit }),
    ...(depositKind === 'percent' && depositPercent === null && { depositPercent: availabilityMessages.percent }),
    ...(depositKind === 'percent' && priceCents === null && { priceCents: availabilityMessages.price }),
    ...(depositKind === 'percent' &&
      depositPercent !== null &&
      priceCents !== null &&
      part < minDepositCents && { depositPercent: availabilityMessages.lowDeposit }),
    ...(depositKind === 'none' && lateFeeCents > 0 && { lateFeeCents: availabilityMessages.feeNeedsCard }),
    ...(depositKind === 'none' && noShowFeeCents > 0 && { noShowFeeCents: availabilityMessages.feeNeedsCard }),
  }
}
/** A series with only one of its numbers, by field. */
const seriesProblems = ({
  seriesVisits,
  seriesWeeks,
}: Pick<VisitType, 'seriesVisits' | 'seriesWeeks'>): Partial<Record<'seriesVisits' | 'seriesWeeks', string>> => ({
  ...(seriesVisits === null && seriesWeeks !== null && { seriesVisits: availabilityMessages.seriesVisits }),
  ...(seriesVisits !== null && seriesWeeks === null && { seriesWeeks: availabilityMessages.seriesWeeks }),
})

type CheckedFields = Parameters<typeof depositProblems>[0] & Parameters<typeof seriesProblems>[0]
const withRules = <Shape extends z.ZodType<CheckedFields>>(shape: Shape) =>
  shape.superRefine((given, context) => {
    const problems = { ...depositProblems(given), ...seriesProblems(given) }
    for (const [field, message] of Object.entries(problems)) context.addIssue({ code: 'custom', path: [field], message })
  })

const span = { opens: z.string(), closes: z.string(), locationId: z.uuid().nullable() }
const weeklySpan = z.object({
  weekday: z.number().int(),
  ...span,
  /** The days that it applies to; null: without a limit. */
  fromDay: z.string().nullable(),
  toDay: z.string().nullable(),
})
const exception = z.object({
  id: z.uuid(),
  kind: z.enum(['off', 'extra']),
  fromDay: z.string(),
  toDay: z.string(),
  /** Null: the whole day. */
  opens: z.string().nullable(),
  closes: z.string().nullable(),
  locationId: z.uuid().nullable(),
  note: z.string().nullable(),
})
export type StaffException = z.output<typeof exception>
const personHours = z.object({
  id: z.uuid(),
  /** Empty: the practice's hours apply. */
  weekly: z.array(weeklySpan),
  /** Those that are not over, in order. */
  exceptions: z.array(exception),
})
export type StaffHours = z.output<typeof personHours>

const inOrder = <Shape extends z.ZodType<{ opens: string | null; closes: string | null; fromDay: string | null; toDay: string | null }>>(
  shape: Shape,
) =>
  shape
    .refine(({ opens, closes }) => (opens === null) === (closes === null), { path: ['closes'], message: availabilityMessages.times })
    .refine(({ opens, closes }) => opens === null || closes === null || opens < closes, {
      path: ['closes'],
      message: availabilityMessages.closes,
    })
    .refine(({ fromDay, toDay }) => fromDay === null || toDay === null || fromDay <= toDay, {
      path: ['toDay'],
      message: availabilityMessages.toDay,
    })
const weeklyInput = inOrder(
  z.strictObject({
    weekday: z.number('Choose a day').int().min(1, 'Choose a day').max(7, 'Choose a day'),
    opens: timeOfDay,
    closes: timeOfDay,
    fromDay: calendarDay.nullable().default(null),
    toDay: calendarDay.nullable().default(null),
    locationId: z.uuid('Choose a location').nullable().default(null),
  }),
)
const exceptionInput = inOrder(
  z.strictObject({
    /** Omitted: the caller. */
    profileId: z.uuid().optional(),
    kind: z.enum(['off', 'extra'], 'Choose time off or additional hours'),
    fromDay: calendarDay,
    toDay: calendarDay,
    opens: timeOfDay.nullable().default(null),
    closes: timeOfDay.nullable().default(null),
    locationId: z.uuid('Choose a location').nullable().default(null),
    note: optionalText(200).default(null),
  }),
)
  .refine(({ kind, opens }) => kind === 'off' || opens !== null, { path: ['opens'], message: availabilityMessages.extra })
  .refine(({ fromDay, toDay }) => !(daysFrom(fromDay, toDay) >= hoursLimits.days), {
    path: ['toDay'],
    message: `At most ${hoursLimits.days} days`,
  })

/** Which days are asked for. */
export const openingDays = {
  from: calendarDay,
  days: z.coerce.number('Choose how many days').int().min(1, 'At least 1 day').max(maxOpeningDays, `At most ${maxOpeningDays} days`),
}
/** The times at which a patient may book a visit. */
export const openingsOfVisit = z.object({
  /** Days with any. */
  days: z.array(z.object({ day: z.string(), starts: z.array(z.date()) })),
  next: z.object({ day: z.string(), startsAt: z.date() }).nullable(),
})

const equipmentItem = z.object({
  id: z.uuid(),
  name: z.string(),
  isActive: z.boolean(),
  /** How many there are, by location; none of the others. */
  units: z.array(z.object({ locationId: z.uuid(), count: z.number().int() })),
})
export type Equipment = z.output<typeof equipmentItem>
const equipmentFields = {
  name: requiredLine(100, availabilityMessages.equipmentName),
  units: z
    .array(z.strictObject({ locationId: z.uuid('Choose a location'), count: whole(0, visitLimits.units) }))
    .max(100, 'At most 100')
    .refine((all) => new Set(all.map(({ locationId }) => locationId)).size === all.length, 'Name each location once'),
}
const equipmentNameTaken = { NAME_TAKEN: { status: 409, message: 'Equipment with this name already exists' } } as const

const nameTaken = { NAME_TAKEN: { status: 409, message: 'A visit type with this name already exists' } } as const
const noVisitType = { NOT_FOUND: { status: 404, message: 'This visit type does not exist' } } as const
const noPerson = { NOT_FOUND: { status: 404, message: 'This person does not exist' } } as const
const tooMany = { TOO_MANY: { status: 409, message: 'There are too many entries. Remove some first.' } } as const
const tags = ['Availability']

export const availabilityContract = {
  visitTypes: oc
    .route({ method: 'GET', path: '/visit-types', tags, summary: 'List visit types in order, inactive ones last' })
    .output(z.array(visitType)),
  addVisitType: oc
    .route({ method: 'POST', path: '/visit-types', tags, summary: 'Add a visit type' })
    .input(withRules(z.strictObject(visitFields)))
    .errors({ ...nameTaken, ...invalidFields, ...tooMany })
    .output(visitType),
  changeVisitType: oc
    .route({ method: 'PUT', path: '/visit-types/{id}', tags, summary: 'Change a visit type or make it inactive' })
    .input(withRules(z.strictObject({ id: z.uuid(), version, ...visitFields, isActive: z.boolean('Must be true or false') })))
    .errors({ ...nameTaken, ...invalidFields, ...noVisitType, ...changedMeanwhile })
    .output(visitType),
  orderVisitTypes: oc
    .route({ method: 'PUT', path: '/visit-types/order', tags, summary: 'Set the order of visit types; others follow' })
    .input(z.strictObject({ ids: ids(visitLimits.visitTypes) }))
    .output(z.array(visitType)),
  equipment: oc
    .route({ method: 'GET', path: '/equipment', tags, summary: 'List the equipment that visits need, inactive items last' })
    .output(z.array(equipmentItem)),
  addEquipment: oc
    .route({ method: 'POST', path: '/equipment', tags, summary: 'Add equipment' })
    .input(z.strictObject(equipmentFields))
    .errors({ ...equipmentNameTaken, ...invalidFields, ...tooMany })
    .output(equipmentItem),
  changeEquipment: oc
    .route({
      method: 'PUT',
      path: '/equipment/{id}',
      tags,
      summary: 'Change equipment and how many there are; visits that are booked keep theirs',
    })
    .input(z.strictObject({ id: z.uuid(), ...equipmentFields, isActive: z.boolean('Must be true or false') }))
    .errors({ ...equipmentNameTaken, ...invalidFields, NOT_FOUND: { status: 404, message: 'This equipment does not exist' } })
    .output(equipmentItem),
  staffHours: oc
    .route({ method: 'GET', path: '/staff-hours', tags, summary: 'List the hours and time off of staff who have any' })
    .output(z.array(personHours)),
  setStaffHours: oc
    .route({
      method: 'PUT',
      path: '/staff-hours/{id}',
      tags,
      summary: 'Set the regular hours of a person; without any, the practice’s apply',
    })
    .input(
      z.strictObject({
        id: z.uuid(),
        weekly: z.array(weeklyInput).max(hoursLimits.spans, `At most ${hoursLimits.spans}`),
      }),
    )
    .errors({ ...noPerson, ...invalidFields })
    .output(personHours),
  addException: oc
    .route({
      method: 'POST',
      path: '/staff-exceptions',
      tags,
      summary: 'Add time off or additional hours of the caller or, for administrators, of anyone',
    })
    .input(exceptionInput)
    .errors({ ...noPerson, ...invalidFields, ...tooMany })
    /** `bookings`: how many appointments and surgeries of the person lie in the time off. */
    .output(exception.extend({ bookings: z.number().int() })),
  removeException: oc
    .route({ method: 'DELETE', path: '/staff-exceptions/{id}', tags, summary: 'Remove time off or additional hours' })
    .input(idInput)
    .errors({ NOT_FOUND: { status: 404, message: 'This entry does not exist' } }),
}
