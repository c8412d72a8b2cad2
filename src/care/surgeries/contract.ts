import { oc } from '@orpc/contract'
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { idempotencyKeyShape, optionalText } from '../../shared/text-shapes.ts'
import {
  bookingMessages,
  invalidFields,
  minutesBetween,
  notPossible,
  ofContact,
  one,
  overlapData,
  party,
  statusFields,
  version,
  withinDays,
  withReason,
} from '../reservations/contract.ts'
import { checklistItem, itemFields, itemNote, templatesContract } from './checklist-contract.ts'
import { itemKinds } from './checklist-rules.ts'
import { anaesthesias, longest, shortest, shownStatuses, surgeryStatuses } from './rules.ts'

export const surgeryMessages = {
  ...bookingMessages,
  procedures: 'Choose at least one procedure',
  twice: 'A procedure is named twice',
  anaesthesia: 'Select anaesthesia',
  noReason: 'Only a cancelled surgery has a reason',
  noProcedure: 'Procedure not found',
  noSurgeon: 'This person does not operate',
  noAssistant: 'Staff member not found',
  surgeonAssists: 'The surgeon does not assist as well',
  price: 'Enter a price in cents',
} as const

/** Days that one call may look at. */
const maxDays = 100
/** Cases that one call may answer. */
export const maxShown = 1_000

const missing = z.object({ id: z.uuid(), kind: z.enum(itemKinds), words: z.string(), dueOn: z.string() })

const surgeryInList = z.object({
  id: z.uuid(),
  version: z.number().int(),
  contact: party,
  procedures: z.array(z.object({ id: z.uuid(), name: z.string() })),
  surgeonId: z.uuid().nullable(),
  assistantIds: z.array(z.uuid()),
  anaesthesia: z.enum(anaesthesias),
  roomId: z.uuid().nullable(),
  startsAt: z.date(),
  endsAt: z.date(),
  status: z.enum(surgeryStatuses),
  /** 'ready' of one that is confirmed and lacks nothing. */
  shownStatus: z.enum(shownStatuses),
  cancelReason: z.string().nullable(),
  implants: z.string().nullable(),
  priceCents: z.number().int().nullable(),
  notes: z.string().nullable(),
  /** Calendar days from today; negative once it is over. */
  daysToGo: z.number().int(),
  /** What the surgery waits for. */
  missing: z.array(missing),
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
  minutes: minutesBetween(shortest, longest),
  implants: optionalText(1_000),
  /** In cents. */
  priceCents: z
    .number(surgeryMessages.price)
    .int('A price is in whole cents')
    .min(0, 'A price is not below zero')
    .max(100_000_000_00, 'A price is at most $100,000,000')
    .nullable(),
  notes: optionalText(5_000),
}

const refusals = {
  /** `what` is taken by the appointment or surgery at that time; a patient by another surgery alone. */
  OVERLAP: { status: 409, message: 'The surgeon, the room or the patient is taken at that time', data: overlapData },
  ...invalidFields,
} as const
const changed = {
  CONFLICT: { status: 409, message: 'Someone has changed this surgery in the meantime', data: z.object({ current: surgery }) },
} as const
const noSurgery = { NOT_FOUND: { status: 404, message: 'This surgery does not exist' } } as const
const noItem = { NOT_FOUND: { status: 404, message: 'This item of the checklist does not exist' } } as const
const tooEarly = { TOO_EARLY: { status: 409, message: 'A surgery is completed on its day, or after it' } } as const
const automatic = {
  AUTOMATIC: { status: 409, message: 'This item is done by itself', data: z.object({ reason: z.string() }) },
} as const
/** Whose judgement it is: policy.ts. */
const notTheirs = { FORBIDDEN: { status: 403, message: 'A provider or an administrator sees to this item' } } as const
const tags = ['Surgeries']

export const surgeriesContract = {
  list: oc
    .route({
      method: 'GET',
      path: '/surgeries',
      tags,
      summary: `Surgeries of a time of at most ${maxDays} days, or those to come, with what is missing of each`,
    })
    .input(
      withinDays(
        z
          .strictObject({
            from: instant.optional(),
            to: instant.optional(),
            surgeonId: z.uuid().optional(),
            roomId: z.uuid().optional(),
            /** Those that are ready are confirmed, too. Without one: those that have a time. */
            status: z.enum(shownStatuses, 'Choose a status').optional(),
            /** Only those that something is missing of. */
            missing: z.enum(['true', 'false'], 'Say true or false').default('false'),
          })
          .refine(({ from, to }) => (from === undefined) === (to === undefined), { path: ['to'], message: 'Give both ends of the time' }),
        maxDays,
      ),
    )
    .output(z.object({ data: z.array(surgeryInList), isTruncated: z.boolean() })),
  ofContact: oc
    .route({ method: 'GET', path: '/contacts/{contactId}/surgeries', tags, summary: 'The surgeries of a patient, the latest first' })
    .input(ofContact)
    .errors({ NOT_FOUND: { status: 404, message: surgeryMessages.noPatient } })
    .output(z.array(surgery)),
  get: oc
    .route({ method: 'GET', path: '/surgeries/{id}', tags, summary: 'One surgery with its checklist' })
    .input(one)
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
    .route({ method: 'PATCH', path: '/surgeries/{id}', tags, summary: 'Move a surgery, or change what it is' })
    .input(z.strictObject(fields).partial().extend({ id: z.uuid(), version }))
    .errors({
      ...noSurgery,
      ...changed,
      ...refusals,
      ...tooEarly,
      NOT_HOLDING: { status: 409, message: 'A surgery that was cancelled cannot be moved' },
    })
    .output(surgery),
  setStatus: oc
    .route({ method: 'POST', path: '/surgeries/{id}/status', tags, summary: 'Tentative, confirmed, completed, postponed or cancelled' })
    .input(withReason(z.strictObject(statusFields(surgeryStatuses)), surgeryMessages.noReason))
    .errors({
      ...noSurgery,
      ...changed,
      ...refusals,
      ...notPossible,
      ...tooEarly,
    })
    .output(surgery),
  addItem: oc
    .route({ method: 'POST', path: '/surgeries/{id}/items', tags, summary: 'Add an item to the checklist of a surgery' })
    .input(z.strictObject({ ...itemFields, id: z.uuid(), note: itemNote.default(null) }))
    .errors({ ...noSurgery, EXISTS: { status: 409, message: 'The checklist has this item already' } })
    .output(surgery),
  changeItem: oc
    .route({
      method: 'PATCH',
      path: '/surgeries/{id}/items/{itemId}',
      tags,
      summary: 'Tick an item, take the tick back, or note something',
    })
    .input(z.strictObject({ id: z.uuid(), itemId: z.uuid(), isDone: z.boolean('Say yes or no').optional(), note: itemNote.optional() }))
    .errors({ ...noItem, ...automatic, ...notTheirs })
    .output(surgery),
  removeItem: oc
    .route({ method: 'DELETE', path: '/surgeries/{id}/items/{itemId}', tags, summary: 'Take an item off the checklist of a surgery' })
    .input(z.strictObject({ id: z.uuid(), itemId: z.uuid() }))
    .errors({ ...noItem, ...notTheirs, FIXED: { status: 409, message: 'Every case needs an item for a specialist consult' } })
    .output(surgery),
  ...templatesContract,
}
