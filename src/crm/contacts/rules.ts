import { digitsOf } from '../../shared/digits.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { choiceLabel, contactFieldNames, fieldLabels, fieldOf, isContactField, isOfKind } from './derived-fields.ts'

/** The value of a short, non-clinical field for the timeline. Null for fields whose values the timeline does not show. */
function describeValue(field: string, value: unknown): string | null {
  if (!isContactField(field) || fieldOf(field).form !== 'contact') return null
  const text = typeof value === 'string' ? value : ''
  if (isOfKind(field, 'choice')) return choiceLabel(field, text)
  return isOfKind(field, 'name', 'text', 'email', 'phone') ? text : null
}

/** The timeline text for changed fields: 'Phone and City changed', or old and new value of a single short field. */
export function describeChange(before: Record<string, unknown>, after: Record<string, unknown>, edited: readonly string[]): string {
  const [field] = edited
  const [was, is] =
    field === undefined || edited.length > 1 ? [null, null] : [describeValue(field, before[field]), describeValue(field, after[field])]
  if (was === null) return `${listLabels(edited)} changed`
  if (!was) return `${listLabels(edited)} added: ${is}`
  return is ? `${listLabels(edited)} changed from ${was} to ${is}` : `${listLabels(edited)} removed: ${was}`
}

/** Why the weight-loss medication of a patient can't be changed on the record. */
export const chartedMessage = 'This comes from the chart. Change it under Medications there.'

export const futureMessage = (label: string): string => `${label} can't be in the future`

/** A message for each field that can't be in the future but is, such as a date of birth. `today` is the practice's, 'yyyy-MM-dd'. */
export function futureDays(fields: Readonly<Record<string, unknown>>, today: string): Record<string, string> {
  const wrong = contactFieldNames.filter((name) => {
    const { control } = fieldOf(name)
    const day = fields[name]
    return control.kind === 'day' && control.until === 'today' && typeof day === 'string' && day > today
  })
  return Object.fromEntries(wrong.map((name) => [name, futureMessage(fieldOf(name).label)]))
}

/** The roles that may own a lead or treat a patient; administrators may do both. */
export const assignableRoles = {
  assignedSalesRepId: ['sales_rep', 'admin'],
  assignedProviderId: ['provider', 'admin'],
} as const satisfies Record<string, readonly Role[]>

/** A parsed search term (spec 5). */
export type SearchTerm = {
  /** The whole term, for "contains" in first name, last name, email or phone. */
  phrase: string
  words: string[]
  /** The digits of a phone-like term, else null. */
  digits: string | null
}

/** Parses a search term; null when it is empty. */
export function readTerm(search: string | undefined): SearchTerm | null {
  const phrase = (search ?? '').trim().replace(/\s+/gu, ' ')
  if (phrase === '') return null
  const digits = digitsOf(phrase)
  const phoneLike = /^[+(]?[\d\s().+-]*$/.test(phrase) && digits.length >= 3
  return { phrase, words: phrase.split(' '), digits: phoneLike ? digits : null }
}

const plain = (term: string) => term.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')

/** Whether a term has three letters or digits in a row, as the trigram index requires. Accented letters count as their base letters. */
export const hasTrigram = (term: string): boolean => /[a-z0-9]{3}/i.test(plain(term))

/**
 * The parts of a term to look up in the trigram index, in order and not overlapping: short runs of letters and digits whole, start and end
 * of longer ones, and also the middle of very long ones. Empty for a term with fewer than six letters and digits.
 */
export function trigramWindows(term: string): string[] {
  const runs = plain(term).match(/[a-z0-9]{3,}/gi) ?? []
  if (runs.join('').length < 6) return []
  const parts = (run: string) => {
    const middle = Math.floor(run.length / 2) - 1
    return run.length < 6 ? [run] : [run.slice(0, 3), ...(run.length >= 9 ? [run.slice(middle, middle + 3)] : []), run.slice(-3)]
  }
  return runs.flatMap(parts).slice(0, 4)
}

/** The distinct keys (see contact_search_keys) of each ordered pair of digits, at most `max` of them. */
export function digitPairKeys(digits: string, max = 8): number[] {
  const keys = new Set<number>()
  for (let gap = 1; gap < digits.length && keys.size < max; gap++) {
    for (let i = 0; i + gap < digits.length && keys.size < max; i++) keys.add(-1 - (10 * Number(digits[i]) + Number(digits[i + gap])))
  }
  return [...keys]
}

/** The number of days for which contacts are counted by day added: the dashboard's 30, the 30 before, and a margin for time zones. */
export const countedDays = 62

/** The orders of a board column: most recently moved first, or longest in the stage first. */
export const boardOrders = ['latest', 'longest'] as const
export type BoardOrder = (typeof boardOrders)[number]

/** Parses the place of a card: when it entered its stage (ISO 8601, to the microsecond, as stored), and its sequence number. */
export function readPlace(place: string): { at: string; seq: number } | null {
  const [, at, seq] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\d{1,15})$/.exec(place) ?? []
  return at && seq && !Number.isNaN(Date.parse(at)) ? { at, seq: Number(seq) } : null
}

/** Compares the places of two cards in the order of their column. */
export function comparePlaces(order: BoardOrder, one: string, other: string): number {
  const [a, b] = [readPlace(one), readPlace(other)]
  if (!a || !b) return 0
  const latest = a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1
  return order === 'latest' ? latest : -latest
}

/** The common reasons for losing a lead. */
export const lostReasons = ['Price', 'Timing', 'Went elsewhere', 'No answer', 'Not a candidate'] as const
export const maxReasonLength = 200

/** A contact's emails or phones: the primary one, and the others in the order they were added. */
export type Points = { primary: string | null; others: readonly string[] }

/** All of them, the primary one first. */
export const allOf = ({ primary, others }: Points): string[] => (primary === null ? [...others] : [primary, ...others])

/** Promotes the first of the others when there is no primary one. */
export function withPrimary({ primary, others }: Points): { primary: string | null; others: string[] } {
  const [first = null, ...rest] = allOf({ primary, others })
  return { primary: first, others: rest }
}

/** Swaps the primary one with the other at `index`. */
export function madePrimary({ primary, others }: Points, index: number): Points {
  const chosen = others[index]
  return chosen === undefined || primary === null ? { primary, others } : { primary: chosen, others: others.with(index, primary) }
}

export const listsTwice = (keys: readonly string[]): boolean => new Set(keys).size < keys.length

/** 'Phone, Email and City' for changed fields, without duplicates. */
export function listLabels(fields: readonly string[]): string {
  const labels = [...new Set(fields.map((field) => fieldLabels[field] ?? field))]
  return new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(labels)
}

/** Where a lead came from, as reported by the form. */
export interface Attribution {
  /** When the lead arrived, ISO 8601. */
  at: string
  /** The text of the form, else the lead source of the form. */
  source: string | null
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
  landingPage: string | null
  referrer: string | null
  gclid: string | null
  fbclid: string | null
}

/** The first and the latest attribution of a contact; both null until a lead form sends one. */
export interface Attributions {
  firstAttribution: Attribution | null
  latestAttribution: Attribution | null
}

/** The attributions after another lead: the first is written once, the latest each time. */
export const attributionsAfter = ({ firstAttribution }: Attributions, next: Attribution): Attributions => ({
  firstAttribution: firstAttribution ?? next,
  latestAttribution: next,
})

/** The attributions of two merged contacts: the older first one and the newer latest one. */
export function mergedAttributions(target: Attributions, source: Attributions): Attributions {
  const chosen = (mine: Attribution | null, theirs: Attribution | null, wins: (gap: number) => boolean) =>
    mine && theirs ? (wins(Date.parse(theirs.at) - Date.parse(mine.at)) ? theirs : mine) : (mine ?? theirs)
  return {
    firstAttribution: chosen(target.firstAttribution, source.firstAttribution, (gap) => gap < 0),
    latestAttribution: chosen(target.latestAttribution, source.latestAttribution, (gap) => gap > 0),
  }
}

/** The columns of a contact that the audit log keeps: all except derived ones. */
export function auditable(row: { searchText: string; sortName: string; seq: number; updatedAt: Date }): Record<string, unknown> {
  const { searchText: _text, sortName: _name, seq: _seq, updatedAt: _updated, ...kept } = row
  return kept
}
