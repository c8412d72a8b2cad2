import { oc } from '@orpc/contract'
import { z } from 'zod'
import { calendarDay, instant, timeOfDay } from '../../shared/dates.ts'
import { cursorPages, numberedPages, numberPlace } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { optionalText, personName, requiredText } from '../../shared/text-shapes.ts'
import { tag } from '../tags/contract.ts'
import { type Attribution, boardOrders, maxReasonLength, readPlace } from './rules.ts'
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
import { maxFilterLength, parseFilter } from './filter.ts'

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

/** Spec 9. */
export const defaultPageSize = 50
const batchSize = 1000
/** Matches of a search or filter are counted up to this; beyond it, the total is a lower bound. */
export const countedMatches = 1000

export const contactSorts = ['newest', 'oldest', 'name', 'name-desc', 'last-contact', 'follow-up'] as const
export type ContactSort = (typeof contactSorts)[number]

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
  firstAttribution: attribution.nullable(),
  latestAttribution: attribution.nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
})
export type Contact = z.output<typeof contact>

/** The fields that identify a patient. */
const identity = { id: true, firstName: true, lastName: true, email: true, otherEmails: true, phone: true, otherPhones: true } as const

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

/** An id, a name or a stage's value, in any case: spec 3 stores ids or free text. */
const named = z.string().min(1).max(200).refine(isStorable, notStorable)

/**
 * Spec 7: funnel_stage equals, 'all' means no filter; an unused tag gives an empty page. So does an unknown stage, source or procedure.
 */
const filters = z.strictObject({
  search: z.string().max(200).refine(isStorable, notStorable).optional(),
  stageId: named.optional(),
  sourceId: named.optional(),
  procedureId: named.optional(),
  tagId: z.union([z.literal('all'), z.uuid()]).optional(),
  /** Further conditions in the syntax of filter.ts, such as `owner:me;follow-up:overdue`. */
  filter: z
    .string()
    .max(maxFilterLength)
    .refine((text) => parseFilter(text) !== null, 'This filter is invalid')
    .optional(),
})
export type ContactFilters = z.output<typeof filters>

const pages = numberedPages({ limit: defaultPageSize, max: 200 })

export const listInput = filters.extend({ ...pages.input, sort: z.enum(contactSorts).default('newest') })
export type ListInput = z.output<typeof listInput>

export const contactPage = pages.output(contactSummary).extend({
  /** False when there are more matches than were counted; `total` is then a lower bound. */
  totalIsExact: z.boolean(),
})
export type ContactPage = z.output<typeof contactPage>

/** How many matches the command palette shows, and how many recently opened patients it sends. */
export const maxFound = 8
const maxRecent = 20

/** `recent`: recently opened patients, latest first. Those that match are returned first; without a search, only those. */
export const findInput = z.strictObject({
  search: z.string().max(200).refine(isStorable, notStorable).default(''),
  recent: z.array(z.uuid()).max(maxRecent).default([]),
})
export type FindInput = z.output<typeof findInput>

export const contactMatch = contact.pick(identity)
export type ContactMatch = z.output<typeof contactMatch>

/** The pages of one column; the cursor is the place of a card. */
const columnPages = cursorPages(
  z.string().refine((place) => instant.safeParse(readPlace(place)?.at).success),
  { limit: 25, max: 200 },
)
const boardFilters = filters.extend({ order: z.enum(boardOrders).default('latest') })
/** `ids`: returns only these cards, to refresh changed ones; the column totals still count all matches. */
export const boardInput = boardFilters.extend({ limit: columnPages.input.limit, ids: z.array(z.uuid()).max(100).optional() })
export type BoardInput = z.output<typeof boardInput>

/** More of one column, or its first cards. */
export const boardColumnInput = boardFilters.extend({ stage: z.uuid(), ...columnPages.input })
export type BoardColumnInput = z.output<typeof boardColumnInput>

/** A card: the data of a list row, and its place in the order of its column. */
const boardCard = contactSummary.extend({ place: z.string() })
export type BoardCard = z.output<typeof boardCard>

const boardCards = columnPages.output(boardCard)
const boardColumn = boardCards.extend({ stageId: z.uuid(), total: z.number().int(), totalIsExact: z.boolean() })
/** As the server returns it; the client's `nextCursor` is encoded. */
export type BoardColumn = z.input<typeof boardColumn>

export const createInput = contactFields
  .partial()
  .required({ firstName: true, lastName: true })
  .extend({ allowDuplicateEmail: z.boolean().optional() })
export type CreateInput = z.output<typeof createInput>

/** `version` is the one the client read. Omitted fields are not changed. */
export const updateInput = contactFields.partial().extend({
  id: z.uuid(),
  version: z.number().int().min(1),
  /** Only for a contact that is in, or is being moved to, a lost stage. */
  lostReason: lostReason.optional(),
})
export type UpdateInput = z.output<typeof updateInput>

const fieldChange = z.object({ field: z.string(), by: z.string().nullable(), at: z.date(), from: z.unknown(), to: z.unknown() })
export type FieldChange = z.output<typeof fieldChange>

const stageMove = z.object({
  id: z.uuid(),
  fromStageId: z.uuid().nullable(),
  toStageId: z.uuid(),
  changedAt: z.date(),
  changedBy: z.uuid().nullable(),
  lostReason: z.string().nullable(),
})
export type StageMove = z.output<typeof stageMove>

/** Newest first; batch size from spec 9. */
const batches = cursorPages(numberPlace, { limit: batchSize, max: batchSize })

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Contacts']
const notFound = { NOT_FOUND: { status: 404, message: 'This patient does not exist' } } as const
const invalid = {
  INVALID_REFERENCE: {
    status: 422,
    message: 'Please check the marked fields',
    data: z.object({ fields: z.record(z.string(), z.string()) }),
  },
} as const
const get = (path: '/contacts' | `/contacts/${string}`, summary: string) => oc.route({ method: 'GET', path, tags, summary })

/** A patient with an outstanding balance can't be deleted, because the receivables would be lost. */
export const owesMoney = {
  OWES: { status: 409, message: 'This patient has an outstanding balance. Collect, write off or void it first.' },
} as const

export const contactsContract = {
  list: get('/contacts', 'A page of contacts with search, filters and total').input(listInput).output(contactPage),
  count: get('/contacts/count', 'The exact number of matching contacts')
    .input(filters)
    .output(z.object({ total: z.number().int() })),
  tally: get('/contacts/tally', 'The number of matching contacts, counted only up to a limit (fast)')
    .input(filters)
    .output(z.object({ total: z.number().int(), isExact: z.boolean() })),
  find: get('/contacts/find', 'A few patients that match a partial search: recently opened first, then the newest')
    .input(findInput)
    .output(z.object({ data: z.array(contactMatch) })),
  board: get('/contacts/board', 'The first cards of each stage, and the total per stage')
    .input(boardInput)
    .output(z.object({ columns: z.array(boardColumn) })),
  boardColumn: get('/contacts/board/{stage}', 'More cards of a stage').input(boardColumnInput).output(boardCards),
  batch: get('/contacts/batch', 'All contacts, newest first, 1,000 at a time')
    .input(z.strictObject(batches.input))
    .output(batches.output(contactSummary)),
  byStage: get('/contacts/by-stage/{stage}', 'Contacts of a funnel stage, newest first, 1,000 at a time')
    .input(z.strictObject({ stage: named, ...batches.input }))
    .output(batches.output(contactSummary)),
  bySource: get('/contacts/by-source/{source}', 'Contacts of a lead source, newest first, 1,000 at a time')
    .input(z.strictObject({ source: named, ...batches.input }))
    .output(batches.output(contactSummary)),
  byEmail: get('/contacts/by-email/{email}', 'The contact with this email, primary or other, in any case')
    .input(z.strictObject({ email: z.string().min(1).max(254).refine(isStorable, notStorable) }))
    .output(contactSummary.nullable()),
  withWelcomeTag: get('/contacts/welcome', "Contacts with the tag 'Welcome', newest first, 1,000 at a time")
    .input(z.strictObject(batches.input))
    .output(batches.output(contactSummary)),
  get: get('/contacts/{id}', 'One contact').input(byId).errors(notFound).output(contact),
  create: oc
    .route({ method: 'POST', path: '/contacts', tags, summary: 'Add a contact' })
    .input(createInput)
    .errors({
      ...invalid,
      EMAIL_TAKEN: {
        status: 409,
        message: 'A patient with this email already exists',
        data: z.object({ fields: z.record(z.string(), z.string()), existing: contactSummary }),
      },
    })
    .output(contact),
  update: oc
    .route({ method: 'PATCH', path: '/contacts/{id}', tags, summary: 'Change a contact' })
    .input(updateInput)
    .errors({
      ...notFound,
      ...invalid,
      CONFLICT: {
        status: 409,
        message: 'Someone else changed the same fields. Nothing was overwritten.',
        data: z.object({ current: contact, changes: z.array(fieldChange) }),
      },
    })
    .output(contact),
  delete: oc
    .route({ method: 'DELETE', path: '/contacts/{id}', tags, summary: 'Delete a contact with all its data' })
    .input(byId)
    .errors({
      ...notFound,
      ...owesMoney,
    }),
  stageHistory: get('/contacts/{id}/stage-history', 'The stage moves of a contact, oldest first')
    .input(byId)
    .errors(notFound)
    .output(z.array(stageMove)),
  tags: get('/contacts/{id}/tags', "A contact's tags by name").input(byId).errors(notFound).output(z.array(tag)),
  addTag: oc
    .route({ method: 'PUT', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Add a tag to a contact (idempotent)' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
  removeTag: oc
    .route({ method: 'DELETE', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Remove a tag from a contact' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
}
