/** The template sent to new leads (spec 9), unless it is turned off for their source. */
export const welcomeTemplate = 'welcome_email'

/** The lead fields that a form field can be mapped to: those of spec 5, a full name, which is split, and who referred them. */
export const mappableFields = ['firstName', 'lastName', 'fullName', 'email', 'phone', 'procedure', 'source', 'referredBy'] as const
export type MappableField = (typeof mappableFields)[number]
/** Longer names of received fields are truncated to this many characters. */
export const maxFieldName = 300
/** The name of the received field, by lead field. */
export type FieldMap = Partial<Record<MappableField, string>>

/** Source names, in lower case, and their display groups (spec 9). */
const groups = new Map(
  Object.entries({
    referral: 'Referral',
    'google organic': 'Google Organic',
    'google local': 'Google Local',
    'google cpc': 'Google CPC',
    'google ads': 'Google CPC',
    'social media': 'Social Media',
    facebook: 'Social Media',
    instagram: 'Social Media',
    'website form': 'Website Form',
    'phone inquiry': 'Phone Inquiry',
    'phone call': 'Phone Inquiry',
    website: 'Website',
    'agency test': 'Agency Test',
  }),
)

/** The display groups listed in spec 9. */
export const sourceGroups: readonly string[] = [...new Set(groups.values())]

/** Brand names whose capitalization follows no rule. */
const brands = new Map(
  ['BBB', 'ChatGPT', 'HubSpot', 'LinkedIn', 'RateMDs', 'RealSelf', 'SMS', 'TikTok', 'WhatsApp', 'YouTube'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)

/** Words that put a source in their group wherever they occur in its name. */
const parts = ['facebook', 'instagram']

/** The display group of a source's name or free text (spec 9). Unlisted names are title-cased, a missing name is 'Unknown'. */
export function sourceGroup(source: string | null | undefined): string {
  const words = (source ?? '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  if (words === '') return 'Unknown'
  const part = parts.find((word) => words.includes(word))
  return groups.get(words) ?? (part && groups.get(part)) ?? words.split(' ').map(toTitleCase).join(' ')
}

const toTitleCase = (word: string): string => brands.get(word) ?? word.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** The inverse of `sourceGroup`: the lower-case names in a group, and the words that put a source in it wherever they occur. */
export function wordsOfGroup(group: string): { words: string[]; parts: string[] } {
  const known = [...groups].filter(([, name]) => name === group).map(([word]) => word)
  const own = sourceGroup(group) === group ? [group.toLowerCase()] : []
  const words = new Set([...known, ...own, ...(sourceGroup('') === group ? [''] : [])])
  return { words: [...words], parts: parts.filter((word) => groups.get(word) === group) }
}

/** The highest amount of one source in one month, in cents. */
export const maxSpendCents = 1_000_000_000

/** How many patients and leads have a source, and how many months have an amount. */
export type Uses = { patients: number; leads: number; spendMonths: number }

const formatNumberOf = (count: number, singular: string, plural: string) =>
  `${count.toLocaleString('en-CA')} ${count === 1 ? singular : plural}`

/** '12 patients, 3 leads and 1 month of spend'. */
export const formatUses = ({ patients, leads, spendMonths }: Uses): string =>
  formatList(
    [
      patients > 0 && formatNumberOf(patients, 'patient', 'patients'),
      leads > 0 && formatNumberOf(leads, 'lead', 'leads'),
      spendMonths > 0 && formatNumberOf(spendMonths, 'month of spend', 'months of spend'),
    ].filter((use) => use !== false),
  )

const formatList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
