import { and, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../server/database.ts'
import type { Scope } from '../../server/scope.ts'
import { type SearchTerm, digitPairKeys, hasTrigram, trigramWindows } from './rules.ts'

/**
 * The search must answer in milliseconds at a million contacts for every term, rare or common, wherever its matches lie in time. No one
 * plan does: walking the newest contacts is slow for a rare term, an inverted index is slow for a common one. So the index knows, besides
 * the text, the block that a contact belongs to: 32,768 contacts in the order they were added, in turn 16 blocks of 2,048.
 * Newest block first, each is asked for its matches, and no more is read than will be shown or counted. See decision "contact-search".
 */
const blockBits = 15
const smallBlockBits = 11
const block = sql.raw(`(seq >> ${blockBits})`)
const smallBlock = sql.raw(`(seq >> ${smallBlockBits})`)

const text = sql`search_text`
const firstName = sql`split_part(search_text, chr(10), 1)`
const lastName = sql`split_part(search_text, chr(10), 2)`

/** Compared without the index (`|| ''` hides the column from it): the exact rule, for the few rows that the index has let through. */
const exactly = (column: SQL, term: string) => sql`(${column} || '') like contains_pattern(${term})`

/** Rows that have each character and each pair of neighbours of the term: for terms that have no trigram. */
const hasKeys = (term: string) => sql`contact_search_keys(search_text) @> contact_search_keys(fold(${term}))`

/** "Contains" for a term with a trigram. Of a long word the index is asked for a few trigrams: each further one costs as much and rules out little. */
function like(column: SQL, term: string): SQL {
  const windows = trigramWindows(term)
  if (windows.length === 0) return sql`${column} like contains_pattern(${term})`
  const sieve = sql.join(
    windows.map((window) => sql`contains_pattern(${window})`),
    sql` || `,
  )
  return sql`(${column} like ${sieve} and ${exactly(column, term)})`
}

const anywhere = (term: string): SQL => (hasTrigram(term) ? like(text, term) : sql`(${hasKeys(term)} and ${exactly(text, term)})`)

/** A phrase with spaces, in one field. Few fields have these letters around a space. */
function phraseAnywhere(phrase: string): SQL {
  const around = phrase.replace(/^.*?(\S) (\S).*$/su, '$1 $2')
  const keys = sql`array[(ascii(split_part(fold(${around}), ' ', 1)) << 16) # 32, (32 << 16) # ascii(split_part(fold(${around}), ' ', 2))]`
  return sql`(contact_search_keys(search_text) @> ${keys} and ${exactly(text, phrase)})`
}

/** One word in the first name and the other in the last. */
function names(first: string, last: string): SQL {
  const by = (column: SQL, word: string) => (hasTrigram(word) ? like(column, word) : exactly(column, word))
  const sieve = hasTrigram(first) || hasTrigram(last) ? [] : [hasKeys(first), hasKeys(last)]
  return sql`(${sql.join([...sieve, by(firstName, first), by(lastName, last)], sql` and `)})`
}

/** Three words and more: each in the first or the last name. */
function allInNames(words: string[]): SQL {
  const indexed = words.filter(hasTrigram)
  const sieve = indexed.length > 0 ? indexed.map((word) => like(text, word)) : words.map(hasKeys)
  const rule = words.map((word) => sql`(${exactly(firstName, word)} or ${exactly(lastName, word)})`)
  return sql`(${sql.join([...sieve, ...rule], sql` and `)})`
}

/**
 * The ways in which a contact may match, each to be asked of the index by itself (spec 5): one word in any of the four fields; two words as
 * first and last name in either order; any words as they stand in one field; a phone's digits whatever its punctuation.
 */
export function waysToMatch({ phrase, words, digits }: SearchTerm): SQL[] {
  if (digits !== null) return words.length > 1 || digits === phrase ? [anywhere(digits)] : [anywhere(phrase), anywhere(digits)]
  const [one, two] = words
  if (one === undefined || two === undefined) return [anywhere(phrase)]
  return words.length === 2 ? [phraseAnywhere(phrase), names(one, two), names(two, one)] : [phraseAnywhere(phrase), allInNames(words)]
}

/** Spec 5: phone-like input also matches the digits in order with anything between. */
function withGaps(digits: string): SQL {
  const pattern = `%${[...digits].join('%')}%`
  const keys = sql.raw(`array[${digitPairKeys(digits).join(',')}]::integer[]`)
  return sql`(contact_search_keys(search_text) @> ${keys} and split_part(search_text, chr(10), 5) like ${pattern})`
}

export type Found = {
  /** The matches' numbers, newest first: all of them when `exact`, else at least the `needed` newest. */
  seqs: number[]
  total: number
  /** Whether `total` is the number of matches, rather than as far as they were counted. */
  exact: boolean
  /** Selects the numbers of all matches, however many. */
  all: SQL
}

/**
 * Finds the matches of a term, newest first. `filter` narrows them down further. `needed`: how many of the newest must be known;
 * `counted`: how far to count. Gapped phone numbers are looked for only where no phone has the digits as typed: see the decision.
 */
export async function search(scope: Scope, term: SearchTerm, filter: SQL | undefined, needed: number, counted: number): Promise<Found> {
  const found = await find(scope.indexDb, waysToMatch(term), filter, needed, counted)
  if (found.total > 0 || term.digits === null) return found
  return find(scope.indexDb, [withGaps(term.digits)], filter, needed, counted)
}

/** The matches of each way, put together. `tail` ends each part: a limit, or `offset 0`, which keeps what is outside from changing the plan. */
const union = (ways: SQL[], where: SQL | undefined, tail: SQL): SQL =>
  sql.join(
    ways.map((way) => sql`(select seq from contacts where ${and(where, way)} ${tail})`),
    sql` union `,
  )

async function find(db: Db, ways: SQL[], filter: SQL | undefined, needed: number, counted: number): Promise<Found> {
  const most = Math.max(needed, counted) + 1
  const limit = sql.raw(`limit ${most}`)
  const candidates = await db.execute<{ block: string; seq: string }>(sql`
    select block, seq from generate_series((select last_value >> ${sql.raw(`${blockBits}`)} from contacts_seq_seq), 0, -1) as block
    cross join lateral (${union(ways, and(sql`${block} = block`, filter), limit)}) as matching ${limit}`)
  const rows = candidates.rows.map((row) => ({ block: Number(row.block), seq: Number(row.seq) }))
  const newestFirst = (numbers: number[]) => numbers.toSorted((a, b) => b - a)
  const all = union(ways, filter, sql`offset 0`)
  if (rows.length < most) return { seqs: newestFirst(rows.map((row) => row.seq)), total: rows.length, exact: true, all }

  // The last block has more matches than were read, and not its newest. Those of the blocks before it are all known.
  const cut = rows.at(-1)!.block
  const known = newestFirst(rows.filter((row) => row.block !== cut).map((row) => row.seq))
  const missing = needed - known.length
  const rest = missing > 0 ? await newestOfBlock(db, cut, ways, filter, missing) : []
  return { seqs: [...known, ...rest], total: most - 1, exact: false, all }
}

/** The newest matches of one block, from its small blocks, newest first. */
async function newestOfBlock(db: Db, number: number, ways: SQL[], filter: SQL | undefined, missing: number): Promise<number[]> {
  const perBlock = 2 ** (blockBits - smallBlockBits)
  const limit = sql.raw(`limit ${missing}`)
  const rows = await db.execute<{ seq: string }>(sql`
    select seq from generate_series(${sql.raw(`${number * perBlock + perBlock - 1}`)}::bigint, ${sql.raw(`${number * perBlock}`)}, -1) as small
    cross join lateral (
      select seq from (${union(ways, and(sql`${smallBlock} = small`, filter), sql`offset 0`)}) as matching order by seq desc ${limit}
    ) as newest ${limit}`)
  return rows.rows.map((row) => Number(row.seq))
}
