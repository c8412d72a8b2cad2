/** What whoever is new by a source that welcomes is sent: the template of this name. */
export const welcomeTemplate = 'welcome_email'

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
  return groups.get(words) ?? (part && groups.get(part)) ?? words.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())
}

/** The other way round: the words, in lower case, whose display group this is, and those that mean it wherever they occur. */
export function wordsOfGroup(group: string): { words: string[]; parts: string[] } {
  const known = [...groups].filter(([, name]) => name === group).map(([word]) => word)
  const own = sourceGroup(group) === group ? [group.toLowerCase()] : []
  const words = new Set([...known, ...own, ...(sourceGroup('') === group ? [''] : [])])
  return { words: [...words], parts: parts.filter((word) => groups.get(word) === group) }
}
