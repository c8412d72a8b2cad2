import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalText } from '../../shared/text-shapes.ts'
import {
  bookingMessages,
  invalidFields,
  minutesBetween,
  notPossible,
  contactIdInput,
  idInput,
  overlapData,
  patientSummary,
  statusFields,
  version,
  withinDays,
  withReason,
} from '../reservations/contract.ts'
import { checklistItem, itemFields, itemNote, templatesContract } from './checklist-contract.ts'
import { itemKinds } from './checklist-rules.ts'
import { safetyState } from './safety-contract.ts'
import { safetyPhases } from './safety-rules.ts'
import { anaesthesias, maxMinutes, minMinutes, shownStatuses, surgeryStatuses } from './rules.ts'

export const surgeryMessages = {
  ...bookingMessages,
  procedures: 'Choose at least one procedure',
  twice: 'A procedure is listed twice',
  anaesthesia: 'Select anaesthesia',
  noReason: 'Only a cancelled surgery has a reason',
  noProcedure: 'Procedure not found',
  noSurgeon: 'This person does not operate',
  noAssistant: 'Staff member not found',
  surgeonAssists: 'The surgeon cannot also assist',
  price: 'Enter a price in cents',
} as const

/** The most days that one call may cover. */
const maxDays = 100
/** The most cases that one call returns. */
export const maxShown = 1_000

const missing = z.object({ id: z.uuid(), kind: z.enum(itemKinds), words: z.string(), dueOn: z.string() })

const surgeryInList = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: patientSummary,
  procedures: z.array(z.object({ id: z.uuid(), name: z.string() })),
  surgeonId: z.uuid().nullable(),
  assistantIds: z.array(z.uuid()),
  anaesthesia: z.enum(anaesthesias),
  roomId: z.uuid().nullable(),
  startsAt: z.date(),
  endsAt: z.date(),
  status: z.enum(surgeryStatuses),
  /** 'ready' if confirmed with nothing missing. */
  shownStatus: z.enum(shownStatuses),
  cancelReason: z.string().nullable(),
  implants: z.string().nullable(),
  priceCents: z.number().int().nullable(),
  notes: z.string().nullable(),
  /** Calendar days from today; negative in the past. */
  daysToGo: z.number().int(),
  /** Open items that the surgery needs to be ready. */
  missing: z.array(missing),
  /** How far the surgical safety checklist is: one entry for each phase. */
  safety: z.array(safetyState),
})

const surgery = surgeryInList.extend({ items: z.array(checklistItem) })
export type Surgery = z.output<typeof surgery>

const fields = {
  procedureIds: z
    .array(z.uuid())
    .min(1, surgeryMessages.procedures)
    .max(10, 'Choose at most 10 procedures')
    .refine((ids) => new Set(ids).size === ids.length, surgeryMessages.twice),
  surgeonId: z.uuid().nullable(),
  assistantIds: z.array(z.uuid()).max(10, 'Choose at most 10 people'),
  anaesthesia: z.enum(anaesthesias, surgeryMessages.anaesthesia),
  roomId: z.uuid().nullable(),
  startsAt: instant,
  minutes: minutesBetween(minMinutes, maxMinutes),
  implants: optionalText(1_000),
  /** In cents. */
  priceCents: z
    .number(surgeryMessages.price)
    .int('The price must be in whole cents')
    .min(0, 'The price cannot be negative')
    .max(100_000_000_00, 'The price can be at most $100,000,000')
    .nullable(),
  notes: optionalText(5_000),
}

const refusals = {
  /** `what` is booked at that time; a patient only by another surgery. */
  OVERLAP: { status: 409, message: 'The surgeon, the room or the patient is already booked at that time', data: overlapData },
  ...invalidFields,
} as const
const changed = {
  CONFLICT: { status: 409, message: 'Someone has changed this surgery in the meantime', data: z.object({ current: surgery }) },
} as const
const noSurgery = { NOT_FOUND: { status: 404, message: 'This surgery does not exist' } } as const
const noItem = { NOT_FOUND: { status: 404, message: 'Checklist item not found' } } as const
const tooEarly = { TOO_EARLY: { status: 409, message: 'A surgery can only be completed on or after its day' } } as const
const unsafe = {
  SAFETY_CHECKLIST: {
    status: 409,
    message: 'Finish the surgical safety checklist, or waive it with a reason, before you complete the surgery',
    data: z.object({ open: z.array(z.enum(safetyPhases)) }),
  },
} as const
const automatic = {
  AUTOMATIC: { status: 409, message: 'This item completes automatically', data: z.object({ reason: z.string() }) },
} as const
/** The rule is in policy.ts. */
const notTheirs = { FORBIDDEN: { status: 403, message: 'Only a provider or an administrator can complete this item' } } as const
const tags = ['Surgeries']

export const surgeriesContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/surgeries',
      tags,
      summary: `List surgeries in a period of at most ${maxDays} days, or upcoming ones, with missing items`,
    })
    .input(
      withinDays(
        z
          .strictObject({
            from: instant.optional(),
            to: instant.optional(),
            surgeonId: z.uuid().optional(),
            roomId: z.uuid().optional(),
            /** Ready surgeries are also confirmed. By default, the statuses that occupy a time. */
            status: z.enum(shownStatuses, 'Choose a status').optional(),
            /** Only surgeries with missing items. */
            missing: z.enum(['true', 'false'], 'Must be true or false').default('false'),
          })
          .refine(({ from, to }) => (from === undefined) === (to === undefined), {
            path: ['to'],
            message: 'Enter both a start and an end',
          }),
        maxDays,
      ),
    )
    .output(z.object({ data: z.array(surgeryInList), isTruncated: z.boolean() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/surgeries', tags, summary: 'List a patient’s surgeries, newest first' })
    .input(contactIdInput)
    .errors({ NOT_FOUND: { status: 404, message: surgeryMessages.noPatient } })
    .output(z.array(surgery)),
  get: oc
    .route({ method: 'GET', path: '/surgeries/{id}', tags, summary: 'Get a surgery with its checklist' })
    .input(idInput)
    .errors(noSurgery)
    .output(surgery),
  create: oc
    .route({ method: 'POST', path: '/surgeries', tags, summary: 'Book a surgery; the patient moves to Surgery Booked' })
    .input(
      z.strictObject({
        ...fields,
        contactId: z.uuid(surgeryMessages.patient),
        surgeonId: fields.surgeonId.default(null),
        assistantIds: fields.assistantIds.default([]),
        roomId: fields.roomId.default(null),
        implants: fields.implants.default(null),
        priceCents: fields.priceCents.default(null),
        notes: fields.notes.default(null),
        status: z.enum(['tentative', 'confirmed'], 'Choose a status').default('tentative'),
        idempotencyKey: idempotencyKeyShape,
      }),
    )
    .errors({ ...refusals, KEY_REUSED: { status: 409, message: 'This key belongs to another surgery' } })
    .output(surgery),
  change: oc
    .route({ method: 'PATCH', path: '/surgeries/{id}', tags, summary: 'Move or edit a surgery' })
    .input(z.strictObject(fields).partial().extend({ id: z.uuid(), version }))
    .errors({
      ...noSurgery,
      ...changed,
      ...refusals,
      ...tooEarly,
      NOT_HOLDING: { status: 409, message: 'A cancelled surgery cannot be rescheduled' },
    })
    .output(surgery),
  setStatus: oc
    .route({
      method: 'POST',
      path: '/surgeries/{id}/status',
      tags,
      summary: 'Change the status: tentative, confirmed, completed, postponed or cancelled',
    })
    .input(withReason(z.strictObject(statusFields(surgeryStatuses)), surgeryMessages.noReason))
    .errors({
      ...noSurgery,
      ...changed,
      ...refusals,
      ...notPossible,
      ...tooEarly,
      DEVICES_OPEN: {
        status: 409,
        message: 'Devices were opened for this surgery and are neither placed, wasted nor returned yet',
        data: z.object({ pieces: z.number().int() }),
      },
      ...unsafe,
    })
    .output(surgery),
  addItem: oc
    .route({ method: 'POST', path: '/surgeries/{id}/items', tags, summary: 'Add an item to a surgery’s checklist' })
    .input(z.strictObject({ ...itemFields, id: z.uuid(), note: itemNote.default(null) }))
    .errors({ ...noSurgery, EXISTS: { status: 409, message: 'The checklist already has this item' } })
    .output(surgery),
  changeItem: oc
    .route({
      method: 'PATCH',
      path: '/surgeries/{id}/items/{itemId}',
      tags,
      summary: 'Tick or untick an item, or change its note',
    })
    .input(
      z.strictObject({ id: z.uuid(), itemId: z.uuid(), isDone: z.boolean('Must be true or false').optional(), note: itemNote.optional() }),
    )
    .errors({ ...noItem, ...automatic, ...notTheirs })
    .output(surgery),
  removeItem: oc
    .route({ method: 'DELETE', path: '/surgeries/{id}/items/{itemId}', tags, summary: 'Remove an item from a surgery’s checklist' })
    .input(z.strictObject({ id: z.uuid(), itemId: z.uuid() }))
    .errors({ ...noItem, ...notTheirs, FIXED: { status: 409, message: 'Every case needs an item for a specialist consult' } })
    .output(surgery),
  ...templatesContract,
}
