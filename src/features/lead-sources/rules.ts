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

/** The display group of a source's name or free text (spec 9): others are title-cased, a missing one is 'Unknown'. */
export function sourceGroup(source: string | null | undefined): string {
  const words = (source ?? '')
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim()
  if (words === '') return 'Unknown'
  const known =
    groups.get(words) ?? [...groups].find(([word]) => (word === 'facebook' || word === 'instagram') && words.includes(word))?.[1]
  return known ?? words.replace(/(^|\s)\p{L}/gu, (letter) => letter.toUpperCase())
}
