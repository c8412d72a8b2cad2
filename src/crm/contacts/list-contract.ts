/** What the list, the board and the search of contacts take and return. */
import { z } from 'zod'
import { instant } from '../../shared/dates.ts'
import { cursorPages, numberedPages } from '../../shared/page-lists.ts'
import { isStorable, notStorable } from '../../shared/text.ts'
import { boardOrders, readPlace } from './rules.ts'
import { maxFilterLength, parseFilter } from './filter.ts'
import { contact, identity, contactSummary } from './contact-contract.ts'

/** Spec 9. */
export const defaultPageSize = 50

/** Matches of a search or filter are counted up to this; beyond it, the total is a lower bound. */
export const countedMatches = 1000

export const contactSorts = ['newest', 'oldest', 'name', 'name-desc', 'last-contact', 'follow-up'] as const
export type ContactSort = (typeof contactSorts)[number]

/** An id, a name or a stage's value, in any case: spec 3 stores ids or free text. */
export const named = z.string().min(1).max(200).refine(isStorable, notStorable)

/**
 * Spec 7: funnel_stage equals, 'all' means no filter; an unused tag gives an empty page. So does an unknown stage, source or procedure.
 */
export const filters = z.strictObject({
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

export const boardCards = columnPages.output(boardCard)
export const boardColumn = boardCards.extend({ stageId: z.uuid(), total: z.number().int(), totalIsExact: z.boolean() })
/** As the server returns it; the client's `nextCursor` is encoded. */
export type BoardColumn = z.input<typeof boardColumn>
