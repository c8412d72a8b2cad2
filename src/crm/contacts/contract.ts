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
  type ControlKind,
  type ControlOf,
  fieldOf,
  kindOf,
  type KindOf,
  type ListedField,
  listedFields,
  type StoredField,
  storedFields,
} from './fields.ts'
import { maxFilterLength, parseFilter } from './filter.ts'

export const contactMessages = {
  firstName: 'First name is required',
  lastName: 'Last name is required',
  email: 'Please enter a valid email address',
  emailTaken: 'A patient with this email exists already',
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
/** Matches of a search or a filter are counted up to here; beyond, the total is a lower bound. */
export const countedMatches = 1000

export const contactSorts = ['newest', 'oldest', 'name', 'name-desc', 'last-contact', 'follow-up'] as const
export type ContactSort = (typeof contactSorts)[number]

/** Why a lead was lost, in a few words. */
export const lostReason = optionalText(maxReasonLength)
const contactEmail = optionalText(254).pipe(z.email(contactMessages.email).nullable())
/** Besides the primary one. */
export const maxOthers = 10

/** What each kind of field takes. References take an id, a name or a stage's value, in any case. */
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

/** What the form holds. */
export const contactFields = z.strictObject(
  Object.fromEntries(contactFieldNames.map((name) => [name, inputOf(fieldOf(name).control, fieldOf(name).label)])) as {
    [Name in ContactFieldName]: ReturnType<(typeof inputs)[KindOf<Name>]>
  },
)

const said = z.string().nullable()

/** How each kind of field is stored that is stored under its own name. */
const stored = {
  name: z.string(),
  text: said,
  'long-text': said,
  choice: said,
  day: said,
  tick: z.boolean(),
  amount: z.number().int().nullable(),
  moment: z.date().nullable(),
  time: said,
  email: said,
  emails: z.array(z.string()),
  phone: said,
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
  source: said,
  utmSource: said,
  utmMedium: said,
  utmCampaign: said,
  utmTerm: said,
  utmContent: said,
  landingPage: said,
  referrer: said,
  gclid: said,
  fbclid: said,
}) satisfies z.ZodType<Attribution>

/** A contact as it is stored. References are ids; `…Text` is what a form literally said where nothing has that name. */
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

/** What a patient is told apart by. */
const identity = { id: true, firstName: true, lastName: true, email: true, otherEmails: true, phone: true, otherPhones: true } as const

const listedColumns = listedFields.flatMap((name) => columnsOf(name)) satisfies (keyof Contact)[]

/** A row of the list: what its columns show, and no more of a patient's data than that. */
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
 * Spec 7: funnel_stage equals, 'all' means none; a tag no one has gives an empty page. So does a stage, source or procedure that nothing is called.
 */
const filters = z.strictObject({
  search: z.string().max(200).refine(isStorable, notStorable).optional(),
  stageId: named.optional(),
  sourceId: named.optional(),
  procedureId: named.optional(),
  tagId: z.union([z.literal('all'), z.uuid()]).optional(),
  /** Further conditions in the language of filter.ts, such as `owner:me;follow-up:overdue`. */
  filter: z
    .string()
    .max(maxFilterLength)
    .refine((text) => parseFilter(text) !== null, 'This filter cannot be read')
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

/** Matches that the command palette shows, and how many of the patients opened last it names. */
export const maxFound = 8
const maxRecent = 20

/** `recent`: the patients opened last, the last one first; of those that match, they are answered first. Without a search, they alone. */
export const findInput = z.strictObject({
  search: z.string().max(200).refine(isStorable, notStorable).default(''),
  recent: z.array(z.uuid()).max(maxRecent).default([]),
})
export type FindInput = z.output<typeof findInput>

export const contactMatch = contact.pick(identity)
export type ContactMatch = z.output<typeof contactMatch>

/** The pages of one column, by the places of its cards. */
const columnPages = cursorPages(
  z.string().refine((place) => instant.safeParse(readPlace(place)?.at).success),
  { limit: 25, max: 200 },
)
const inBoard = filters.extend({ order: z.enum(boardOrders).default('latest') })
/** `ids`: of the cards only these, to look again at what has changed; the columns' totals are of all that match. */
export const boardInput = inBoard.extend({ limit: columnPages.input.limit, ids: z.array(z.uuid()).max(100).optional() })
export type BoardInput = z.output<typeof boardInput>

/** More of one column, or its first cards. */
export const boardColumnInput = inBoard.extend({ stage: z.uuid(), ...columnPages.input })
export type BoardColumnInput = z.output<typeof boardColumnInput>

/** A card: what the list shows, and where in the order of its column it stands. */
const boardCard = contactSummary.extend({ place: z.string() })
export type BoardCard = z.output<typeof boardCard>

const boardCards = columnPages.output(boardCard)
const boardColumn = boardCards.extend({ stageId: z.uuid(), total: z.number().int(), totalIsExact: z.boolean() })
/** As the server makes it; a client's `nextCursor` is encoded. */
export type BoardColumn = z.input<typeof boardColumn>

export const createInput = contactFields
  .partial()
  .required({ firstName: true, lastName: true })
  .extend({ allowDuplicateEmail: z.boolean().optional() })
export type CreateInput = z.output<typeof createInput>

/** `version` is the one the writer read; fields that are left out stay as they are. */
export const updateInput = contactFields.partial().extend({
  id: z.uuid(),
  version: z.number().int().min(1),
  /** Only of a contact that is, or is being moved, where leads are lost. */
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

/** Newest first; spec 9 says how many at a time. */
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

/** Anyone who owes is not deleted: what is owed would be lost with them. */
export const owes = {
  OWES: { status: 409, message: 'This patient owes money. What is open has to be paid, written off or made void first.' },
} as const

export const contactsContract = {
  list: get('/contacts', 'A page of contacts with search, filters and total').input(listInput).output(contactPage),
  count: get('/contacts/count', 'The exact number of contacts that match, however many')
    .input(filters)
    .output(z.object({ total: z.number().int() })),
  tally: get('/contacts/tally', 'The number of contacts that match, counted no further than a page counts: cheap')
    .input(filters)
    .output(z.object({ total: z.number().int(), isExact: z.boolean() })),
  find: get('/contacts/find', 'The few patients that are meant by what was typed so far: those opened last first, then the newest')
    .input(findInput)
    .output(z.object({ data: z.array(contactMatch) })),
  board: get('/contacts/board', 'The first cards of each stage, and how many each has')
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
  byEmail: get('/contacts/by-email/{email}', 'The contact with this email in upper or lower case, whichever of its emails it is')
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
        message: 'A patient with this email exists already',
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
        message: 'Someone else changed the same fields in the meantime. Nothing was overwritten.',
        data: z.object({ current: contact, changes: z.array(fieldChange) }),
      },
    })
    .output(contact),
  delete: oc
    .route({ method: 'DELETE', path: '/contacts/{id}', tags, summary: 'Delete a contact with all that belongs to it' })
    .input(byId)
    .errors({
      ...notFound,
      ...owes,
    }),
  stageHistory: get('/contacts/{id}/stage-history', 'The stages this contact was in, oldest first')
    .input(byId)
    .errors(notFound)
    .output(z.array(stageMove)),
  tags: get('/contacts/{id}/tags', "A contact's tags by name").input(byId).errors(notFound).output(z.array(tag)),
  addTag: oc
    .route({ method: 'PUT', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Put a tag on a contact; twice does no harm' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
  removeTag: oc
    .route({ method: 'DELETE', path: '/contacts/{id}/tags/{tagId}', tags, summary: 'Take a tag off a contact' })
    .input(byId.extend({ tagId: z.uuid() }))
    .errors(notFound),
}
