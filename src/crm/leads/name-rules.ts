/** A first and a last name. `lastName` is null if there is only one word. */
export type SplitName = { firstName: string; lastName: string | null }

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof', 'sir', 'rev', 'mme', 'mlle', 'monsieur', 'madame'])
const credentials = new Set(['md', 'phd', 'rn', 'np', 'dds', 'dmd', 'esq', 'mba', 'msc', 'bsc', 'frcsc', 'cpa'])
const generations = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])
/** Words that start a last name of several words. A first name that looks like one ('Van Morrison') is recognized by its position. */
const particles = new Set(
  'van von vander der den de del dela della delle di da das do dos du la las le les lo los el al bin bint ibn ter ten zu zum zur st saint af av ní ó uí nic'.split(
    ' ',
  ),
)

const bare = (word: string): string => word.toLowerCase().replace(/[.,]/g, '')

/**
 * Splits a full name: 'van der Berg, Anna' and 'Anna van der Berg' both give Anna / van der Berg, 'Dr. Ana Silva, MD' gives Ana / Silva.
 * Only titles and degrees are dropped. Null: the text has no letters, or is an email or web address.
 */
export function splitFullName(text: string): SplitName | null {
  if (!/\p{L}/u.test(text) || /@|:\/\//.test(text)) return null
  const [beforeComma = '', ...parts] = text.split(',').map((part) => part.trim())
  const isSuffix = (part: string) => part.split(/\s+/).every((word) => credentials.has(bare(word)) || generations.has(bare(word)))
  const after = parts.filter((part) => part !== '' && !isSuffix(part))
  const generation = parts.filter((part) => part !== '' && isSuffix(part) && !credentials.has(bare(part))).join(' ')
  if (after.length > 0 && beforeComma !== '') {
    const given = withoutTitle(after.join(' ').split(/\s+/)).join(' ')
    return { firstName: given, lastName: join(beforeComma, generation) }
  }
  const words = withoutTitle((beforeComma === '' ? after.join(' ') : beforeComma).split(/\s+/).filter(Boolean))
  if (words.length > 2 && credentials.has(bare(words.at(-1)!))) words.pop()
  if (words.length < 2) return { firstName: words.join(' '), lastName: null }
  const at = startOfLastName(words)
  return { firstName: words.slice(0, at).join(' '), lastName: join(words.slice(at).join(' '), generation) }
}

const join = (name: string, generation: string): string => (generation === '' ? name : `${name} ${generation}`)

/** Drops titles at the start, unless there is nothing else. */
function withoutTitle(words: string[]): string[] {
  const at = words.findIndex((word) => !titles.has(bare(word)))
  return at > 0 ? words.slice(at) : words
}

/** The index where the last name starts: the first particle after the first name, otherwise the last word before a suffix such as 'Jr.'. */
function startOfLastName(words: readonly string[]): number {
  const end = words.length > 2 && generations.has(bare(words.at(-1)!)) ? words.length - 1 : words.length
  const particle = words.findIndex((word, i) => i > 0 && i < end - 1 && particles.has(bare(word)))
  if (particle > 0) return particle
  const joined = words.findIndex((word, i) => i > 1 && i < end - 1 && bare(word) === 'y') // Ortega y Gasset
  return joined > 0 ? joined - 1 : end - 1
}
