import { digitsOf } from '../../shared/digits.ts'
import type { Role } from '../../kernel/access/rules.ts'
import { choiceLabel, contactFieldNames, fieldLabels, fieldOf, isContactField, isOfKind } from './fields.ts'

/** The value of a field of which the timeline tells what was there before: short, and nothing that not everyone may read. Null of the others. */
function describeValue(field: string, value: unknown): string | null {
  if (!isContactField(field) || fieldOf(field).form !== 'contact') return null
  const text = typeof value === 'string' ? value : ''
  if (isOfKind(field, 'choice')) return choiceLabel(field, text)
  return isOfKind(field, 'name', 'text', 'email', 'phone') ? text : null
}

/** What the timeline says of changed fields: 'Phone and City changed', of a single short one what it was and is. */
export function describeChange(before: Record<string, unknown>, after: Record<string, unknown>, edited: readonly string[]): string {
  const [field] = edited
  const [was, is] =
    field === undefined || edited.length > 1 ? [null, null] : [describeValue(field, before[field]), describeValue(field, after[field])]
  if (was === null) return `${listLabels(edited)} changed`
  if (!was) return `${listLabels(edited)} added: ${is}`
  return is ? `${listLabels(edited)} changed from ${was} to ${is}` : `${listLabels(edited)} removed: ${was}`
}

export const futureMessage = (label: string): string => `${label} can't be in the future`

/** What is wrong with days that lie in the future where none can, such as a date of birth. `today` is the practice's, 'yyyy-MM-dd'. */
export function futureDays(fields: Readonly<Record<string, unknown>>, today: string): Record<string, string> {
  const wrong = contactFieldNames.filter((name) => {
    const { control } = fieldOf(name)
    const day = fields[name]
    return control.kind === 'day' && control.until === 'today' && typeof day === 'string' && day > today
  })
  return Object.fromEntries(wrong.map((name) => [name, futureMessage(fieldOf(name).label)]))
}

/** Who may own a lead, and who may treat a patient: the role that the field is for, and administrators, who may do everything. */
export const assignableRoles = {
  assignedSalesRepId: ['sales_rep', 'admin'],
  assignedProviderId: ['provider', 'admin'],
} as const satisfies Record<string, readonly Role[]>

/** How a search term is read (spec 5). */
export type SearchTerm = {
  /** The whole term, for "contains" in first name, last name, email or phone. */
  phrase: string
  words: string[]
  /** The digits of a phone-like term, else null. */
  digits: string | null
}

/** Reads a search term; null when there is nothing to search for. */
export function readTerm(search: string | undefined): SearchTerm | null {
  const phrase = (search ?? '').trim().replace(/\s+/gu, ' ')
  if (phrase === '') return null
  const digits = digitsOf(phrase)
  const phoneLike = /^[+(]?[\d\s().+-]*$/.test(phrase) && digits.length >= 3
  return { phrase, words: phrase.split(' '), digits: phoneLike ? digits : null }
}

const plain = (term: string) => term.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')

/** Whether a term has three letters or digits in a row, which is what the trigram index needs. Accents count as their letters. */
export const hasTrigram = (term: string): boolean => /[a-z0-9]{3}/i.test(plain(term))

/**
 * The parts of a term that the trigram index is asked for, in their order, none overlapping: short runs of letters and digits whole, of longer
 * ones the beginning and the end (and the middle of very long ones). None for a term of less than six.
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

/** The keys (see contact_search_keys) of each pair of digits in order, distinct, at most `most` of them. */
export function digitPairKeys(digits: string, most = 8): number[] {
  const keys = new Set<number>()
  for (let gap = 1; gap < digits.length && keys.size < most; gap++) {
    for (let i = 0; i + gap < digits.length && keys.size < most; i++) keys.add(-1 - (10 * Number(digits[i]) + Number(digits[i + gap])))
  }
  return [...keys]
}

/** For how many days contacts are counted by the day they were added: the dashboard's 30 and the 30 before, and today's beginning anywhere. */
export const countedDays = 62

/** How the cards of a column may be ordered: who came into the stage last, or who has been there longest, first. */
export const boardOrders = ['latest', 'longest'] as const
export type BoardOrder = (typeof boardOrders)[number]

/** Where a card stands: when it came into its stage (ISO 8601, to the microsecond, as the database keeps it), and its number. */
export function readPlace(place: string): { at: string; seq: number } | null {
  const [, at, seq] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\d{1,15})$/.exec(place) ?? []
  return at && seq && !Number.isNaN(Date.parse(at)) ? { at, seq: Number(seq) } : null
}

/** Compares the places of two cards of a column, for its order. */
export function comparePlaces(order: BoardOrder, one: string, other: string): number {
  const [a, b] = [readPlace(one), readPlace(other)]
  if (!a || !b) return 0
  const latest = a.at === b.at ? b.seq - a.seq : a.at < b.at ? 1 : -1
  return order === 'latest' ? latest : -latest
}

/** Why leads are lost, as a rule. */
export const lostReasons = ['Price', 'Timing', 'Went elsewhere', 'No answer', 'Not a candidate'] as const
export const maxReasonLength = 200

/** A contact's emails or phones: the one that is used, and the others, in the order in which they were added. */
export type Points = { primary: string | null; others: readonly string[] }

/** All of them, the primary one first. */
export const allOf = ({ primary, others }: Points): string[] => (primary === null ? [...others] : [primary, ...others])

/** Anyone who has any has a primary one: the first of the others takes the place of one that was removed. */
export function settled({ primary, others }: Points): { primary: string | null; others: string[] } {
  const [first = null, ...rest] = allOf({ primary, others })
  return { primary: first, others: rest }
}

/** The other one at `index` becomes the primary one, which takes its place: doing it twice changes nothing. */
export function madePrimary({ primary, others }: Points, index: number): Points {
  const chosen = others[index]
  return chosen === undefined || primary === null ? { primary, others } : { primary: chosen, others: others.with(index, primary) }
}

export const listsTwice = (keys: readonly string[]): boolean => new Set(keys).size < keys.length

/** 'Phone, Email and City' for the fields of a change, each once. */
export function listLabels(fields: readonly string[]): string {
  const labels = [...new Set(fields.map((field) => fieldLabels[field] ?? field))]
  return new Intl.ListFormat('en-CA', { type: 'conjunction' }).format(labels)
}

/** Where a lead came from, as far as the form said it. */
export interface Attribution {
  /** When the lead arrived, ISO 8601. */
  at: string
  /** In the form's own words, else the lead source whose form it was. */
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

/** The first and the latest attribution of a contact; neither until a lead form has sent one. */
export interface Attributions {
  firstAttribution: Attribution | null
  latestAttribution: Attribution | null
}

/** What another lead changes: the first attribution is written once, the latest each time. */
export const attributionsAfter = ({ firstAttribution }: Attributions, next: Attribution): Attributions => ({
  firstAttribution: firstAttribution ?? next,
  latestAttribution: next,
})

/** Of two contacts that become one: the older first attribution and the newer latest one. */
export function mergedAttributions(target: Attributions, source: Attributions): Attributions {
  const chosen = (mine: Attribution | null, theirs: Attribution | null, wins: (gap: number) => boolean) =>
    mine && theirs ? (wins(Date.parse(theirs.at) - Date.parse(mine.at)) ? theirs : mine) : (mine ?? theirs)
  return {
    firstAttribution: chosen(target.firstAttribution, source.firstAttribution, (gap) => gap < 0),
    latestAttribution: chosen(target.latestAttribution, source.latestAttribution, (gap) => gap > 0),
  }
}

/** What the audit log keeps of a contact: everything but what the database derives. */
export function auditable(row: { searchText: string; sortName: string; seq: number; updatedAt: Date }): Record<string, unknown> {
  const { searchText: _text, sortName: _name, seq: _seq, updatedAt: _updated, ...kept } = row
  return kept
}
