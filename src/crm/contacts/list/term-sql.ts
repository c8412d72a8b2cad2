import { or, type SQL, sql } from 'drizzle-orm'
import { type SearchTerm, digitPairKeys, hasTrigram, trigramWindows } from '../rules.ts'

const text = sql`search_text`
const firstName = sql`split_part(search_text, chr(10), 1)`
const lastName = sql`split_part(search_text, chr(10), 2)`
/** The digits of all numbers, separated by a non-digit. */
const phoneDigits = sql`split_part(search_text, chr(10), 5)`

/** Conditions of a term, as placeholders with values. Terms of the same shape have the same conditions, so they share statements. */
export class Draft {
  readonly values: Record<string, unknown> = {}
  /** The branches taken while the conditions were written. */
  shape = ''

  took(branch: string): void {
    this.shape += `${branch} `
  }

  value(value: unknown): SQL {
    const name = `value${Object.keys(this.values).length}`
    this.values[name] = value
    return sql`${sql.placeholder(name)}`
  }
}

/** Conditions that contain the values, for statements that are not prepared. */
export class InlineDraft extends Draft {
  override value(value: unknown): SQL {
    return sql`${sql.param(value)}`
  }
}

// In a subquery, a pattern is computed once per statement instead of once per row.
const pattern = (draft: Draft, term: string) => sql`(select contains_pattern(${draft.value(term)}))`

/** The exact rule for the few rows that the index returned; `|| ''` keeps the planner from using the index. */
function exactly(draft: Draft, column: SQL, term: string): SQL {
  draft.took('exactly')
  return sql`(${column} || '') like ${pattern(draft, term)}`
}

/**
 * For terms without a trigram: rows with each pair of adjacent characters of the term, or with its only character. Keys of pairs are above
 * 65535; keys of single characters exclude few rows.
 */
function hasKeys(draft: Draft, term: string): SQL {
  const isPair = [...term].length > 1
  draft.took(isPair ? 'pairs' : 'character')
  const keys = sql`contact_search_keys(fold(${draft.value(term)}))`
  return sql`contact_search_keys(search_text) @> (select ${isPair ? sql`array(select key from unnest(${keys}) as key where key > 65535)` : keys})`
}

/**
 * "Contains" for a term with a trigram. For long words, only a few trigrams are looked up: each costs as much and further ones exclude few
 * rows.
 */
function like(draft: Draft, column: SQL, term: string): SQL {
  const windows = trigramWindows(term)
  draft.took(windows.length === 0 ? 'like' : 'sieve')
  if (windows.length === 0) return sql`${column} like ${pattern(draft, term)}`
  const sieve = draft.value(`%${windows.join('%').toLowerCase()}%`)
  return sql`(${column} like ${sieve} and ${exactly(draft, column, term)})`
}

/** So many digits in a row are an index key: hardly any two patients share them. */
export const digitsPerKey = 7

/** "Contains" for many digits: rows with the first and the last of their runs of seven. */
function digitRun(draft: Draft, digits: string): SQL {
  draft.took('digits')
  const keys = draft.value([digits.slice(0, digitsPerKey), digits.slice(-digitsPerKey)].map(Number))
  return sql`(digit_runs(search_text) @> ${keys}::integer[] and ${exactly(draft, text, digits)})`
}

const anywhere = (draft: Draft, term: string): SQL =>
  hasTrigram(term) ? like(draft, text, term) : sql`(${hasKeys(draft, term)} and ${exactly(draft, text, term)})`

/** A phrase with spaces in one field. Looks up the letters around its first space, which few fields have. */
function phraseAnywhere(draft: Draft, phrase: string): SQL {
  draft.took('phrase')
  const around = draft.value(phrase.replace(/^.*?(\S) (\S).*$/su, '$1 $2'))
  const keys = sql`(select array[(ascii(split_part(folded, ' ', 1)) << 16) # 32, (32 << 16) # ascii(split_part(folded, ' ', 2))] from fold(${around}) as folded)`
  return sql`(contact_search_keys(search_text) @> ${keys} and ${exactly(draft, text, phrase)})`
}

/** One word in the first name and the other in the last. */
function names(draft: Draft, first: string, last: string): SQL {
  draft.took('names')
  const by = (column: SQL, word: string) => (hasTrigram(word) ? like(draft, column, word) : exactly(draft, column, word))
  const sieve = hasTrigram(first) || hasTrigram(last) ? [] : [hasKeys(draft, first), hasKeys(draft, last)]
  return sql`(${sql.join([...sieve, by(firstName, first), by(lastName, last)], sql` and `)})`
}

/** Three words and more: each in the first or the last name. */
function allInNames(draft: Draft, words: string[]): SQL {
  draft.took('words')
  const indexed = words.filter(hasTrigram)
  const sieve = indexed.length > 0 ? indexed.map((word) => like(draft, text, word)) : words.map((word) => hasKeys(draft, word))
  const rule = words.map((word) => sql`(${exactly(draft, firstName, word)} or ${exactly(draft, lastName, word)})`)
  return sql`(${sql.join([...sieve, ...rule], sql` and `)})`
}

/**
 * The ways a contact may match, each a separate index query (spec 5): one word in any of the four fields; two words as first and last name
 * in either order; words as a phrase in one field; the digits of a phone, whatever its punctuation.
 */
export function waysToMatch(draft: Draft, { phrase, words, digits }: SearchTerm): SQL[] {
  if (digits !== null) {
    const numbers = digits.length < digitsPerKey ? anywhere(draft, digits) : digitRun(draft, digits)
    return words.length > 1 || digits === phrase ? [numbers] : [anywhere(draft, phrase), numbers]
  }
  const [one, two] = words
  if (one === undefined || two === undefined) return [anywhere(draft, phrase)]
  return words.length === 2
    ? [phraseAnywhere(draft, phrase), names(draft, one, two), names(draft, two, one)]
    : [phraseAnywhere(draft, phrase), allInNames(draft, words)]
}

/** The condition for a match, for rows that are few for another reason. */
export const matching = (term: SearchTerm): SQL => or(...waysToMatch(new InlineDraft(), term))!

/** Phone-like input also matches the digits of one number in order with gaps (spec 5). The faster pattern comes first. */
export function withGaps(draft: Draft, digits: string): SQL {
  draft.took('gaps')
  const keys = draft.value(digitPairKeys(digits))
  const [inAny, inOne] = [draft.value(`%${[...digits].join('%')}%`), draft.value([...digits].join('[0-9]*'))]
  return sql`(contact_search_keys(search_text) @> ${keys}::integer[] and ${phoneDigits} like ${inAny} and ${phoneDigits} ~ ${inOne})`
}
