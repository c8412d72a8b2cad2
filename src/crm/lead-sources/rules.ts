/** The template sent to new leads (spec 9), unless their source has it switched off. */
export const welcomeTemplate = 'welcome_email'

/** What a form's field can be read as: a lead's field (spec 5), or a full name, which is split. */
export const mappableFields = ['firstName', 'lastName', 'fullName', 'email', 'phone', 'procedure', 'source'] as const
export type MappableField = (typeof mappableFields)[number]
/** A received field's name, at most so many characters of it. */
export const maxFieldName = 300
/** By our field, the name of the received one. */
export type FieldMap = Partial<Record<MappableField, string>>

/** The display groups of lead sources (spec 9) and the words that belong to each. */
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

/** The groups that spec 9 names. */
export const sourceGroups: readonly string[] = [...new Set(groups.values())]

/** Brands write themselves as no rule for capitals would. */
const brands = new Map(
  ['BBB', 'ChatGPT', 'HubSpot', 'LinkedIn', 'RateMDs', 'RealSelf', 'SMS', 'TikTok', 'WhatsApp', 'YouTube'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
)

/** Within any other words, these too mean their group. */
const parts = ['facebook', 'instagram']

/** The display group of a source's name or free text (spec 9): others are title-cased, a missing one is 'Unknown'. */
export function sourceGroup(source: string | null | undefined): string {
  const words = (source ?? '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  if (words === '') return 'Unknown'
  const part = parts.find((word) => words.includes(word))
  return groups.get(words) ?? (part && groups.get(part)) ?? words.split(' ').map(titled).join(' ')
}

const titled = (word: string): string => brands.get(word) ?? word.replace(/^\p{L}/u, (letter) => letter.toUpperCase())

/** The other way round: the words, in lower case, whose display group this is, and those that mean it wherever they occur. */
export function wordsOfGroup(group: string): { words: string[]; parts: string[] } {
  const known = [...groups].filter(([, name]) => name === group).map(([word]) => word)
  const own = sourceGroup(group) === group ? [group.toLowerCase()] : []
  const words = new Set([...known, ...own, ...(sourceGroup('') === group ? [''] : [])])
  return { words: [...words], parts: parts.filter((word) => groups.get(word) === group) }
}

/** How many have a source. */
export type Uses = { patients: number; leads: number }

const counted = (count: number, one: string, many: string) => `${count.toLocaleString('en-CA')} ${count === 1 ? one : many}`

/** '12 patients and 3 leads'. */
export const formatUses = ({ patients, leads }: Uses): string =>
  [patients > 0 && counted(patients, 'patient', 'patients'), leads > 0 && counted(leads, 'lead', 'leads')].filter(Boolean).join(' and ')
