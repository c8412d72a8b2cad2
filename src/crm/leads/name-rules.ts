/** A person's name in two parts. `lastName` is null when there is one word only. */
export type SplitName = { firstName: string; lastName: string | null }

const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof', 'sir', 'rev', 'mme', 'mlle', 'monsieur', 'madame'])
const credentials = new Set(['md', 'phd', 'rn', 'np', 'dds', 'dmd', 'esq', 'mba', 'msc', 'bsc', 'frcsc', 'cpa'])
const generations = new Set(['jr', 'sr', 'ii', 'iii', 'iv'])
/** Words that begin a last name of several words. A given name that looks like one ('Van Morrison') is told by its place. */
const particles = new Set(
  'van von vander der den de del dela della delle di da das do dos du la las le les lo los el al bin bint ibn ter ten zu zum zur st saint af av ní ó uí nic'.split(
    ' ',
  ),
)

const bare = (word: string): string => word.toLowerCase().replace(/[.,]/g, '')

/**
 * Splits a full name the way people write it: 'van der Berg, Anna' and 'Anna van der Berg' are both Anna / van der Berg, 'Dr. Ana Silva, MD' is
 * Ana / Silva. Titles and degrees are dropped; no other word is. Null when there is no letter in it, or it is an address.
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

/** A title at the start is dropped, unless nothing else is there. */
function withoutTitle(words: string[]): string[] {
  const at = words.findIndex((word) => !titles.has(bare(word)))
  return at > 0 ? words.slice(at) : words
}

/** The first particle after the given name, else the last word, with a generation ('Jr.') that follows it. */
function startOfLastName(words: readonly string[]): number {
  const end = words.length > 2 && generations.has(bare(words.at(-1)!)) ? words.length - 1 : words.length
  const particle = words.findIndex((word, i) => i > 0 && i < end - 1 && particles.has(bare(word)))
  if (particle > 0) return particle
  const joined = words.findIndex((word, i) => i > 1 && i < end - 1 && bare(word) === 'y') // Ortega y Gasset
  return joined > 0 ? joined - 1 : end - 1
}
