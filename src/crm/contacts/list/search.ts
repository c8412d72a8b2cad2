import { and, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { type SearchTerm, digitPairKeys, hasTrigram, trigramWindows } from '../rules.ts'

/**
 * The search must take milliseconds at a million contacts for every term, rare or common, old or new. No single plan does that: scanning
 * the newest contacts is slow for a rare term, an inverted index is slow for a common one. So the index also has the block of each contact:
 * 32,768 contacts in the order they were added, made of 16 small blocks of 2,048. The first query reads the newest blocks and a sample of
 * the older ones, which decides how to query those. See decision "contact-search".
 */
const blockBits = 15
const smallBlockBits = 11
const smallPerBlock = 2 ** (blockBits - smallBlockBits)
/** Read first, together with `samples` small blocks spread evenly over the older contacts. */
const newestBlocks = 2
const samples = 4
const perSample = 50
/** If more matches than this are expected, the index is not queried for all of them at once. */
export const manyMatches = 3_000
const number = (value: number) => sql.raw(String(value))
const block = sql`(seq >> ${number(blockBits)})`
const smallBlock = sql`(seq >> ${number(smallBlockBits)})`

const text = sql`search_text`
const firstName = sql`split_part(search_text, chr(10), 1)`
const lastName = sql`split_part(search_text, chr(10), 2)`
/** The digits of all numbers, separated by a non-digit. */
const phoneDigits = sql`split_part(search_text, chr(10), 5)`

/** The exact rule for the few rows that the index returned; `|| ''` keeps the planner from using the index. */
const exactly = (column: SQL, term: string) => sql`(${column} || '') like contains_pattern(${term})`

/**
 * For terms without a trigram: rows with each pair of adjacent characters of the term, or with its only character. Keys of pairs are above
 * 65535; keys of single characters exclude few rows.
 */
function hasKeys(term: string): SQL {
  const keys = sql`contact_search_keys(fold(${term}))`
  const pairs = sql`array(select key from unnest(${keys}) as key where key > 65535)`
  return sql`contact_search_keys(search_text) @> ${[...term].length > 1 ? pairs : keys}`
}

/**
 * "Contains" for a term with a trigram. For long words, only a few trigrams are looked up: each costs as much and further ones exclude few
 * rows.
 */
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

/** A phrase with spaces in one field. Looks up the letters around its first space, which few fields have. */
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
 * The ways a contact may match, each a separate index query (spec 5): one word in any of the four fields; two words as first and last name
 * in either order; words as a phrase in one field; the digits of a phone, whatever its punctuation.
 */
export function waysToMatch({ phrase, words, digits }: SearchTerm): SQL[] {
  if (digits !== null) return words.length > 1 || digits === phrase ? [anywhere(digits)] : [anywhere(phrase), anywhere(digits)]
  const [one, two] = words
  if (one === undefined || two === undefined) return [anywhere(phrase)]
  return words.length === 2 ? [phraseAnywhere(phrase), names(one, two), names(two, one)] : [phraseAnywhere(phrase), allInNames(words)]
}

/** Phone-like input also matches the digits of one number in order with gaps (spec 5). The faster pattern comes first. */
export function withGaps(digits: string): SQL {
  const keys = sql.raw(`array[${digitPairKeys(digits).join(',')}]::integer[]`)
  const [inAny, inOne] = [`%${[...digits].join('%')}%`, [...digits].join('[0-9]*')]
  return sql`(contact_search_keys(search_text) @> ${keys} and ${phoneDigits} like ${inAny} and ${phoneDigits} ~ ${inOne})`
}

export type Found = {
  /** The sequence numbers of matches, newest first: all of them if `exact`, else at least the `needed` newest. */
  seqs: number[]
  total: number
  /** Whether `total` is the exact number of matches instead of a lower bound. */
  exact: boolean
  /** A subquery for the sequence numbers of all matches. */
  all: SQL
  /** The condition for a match, for rows read in another order. */
  matches: SQL
}

/**
 * Finds the matches of a term, newest first, further restricted by `filter`. `needed`: how many of the newest to return; `counted`: how far
 * to count. Phone numbers with gaps are searched only if no number has the digits as typed: see the decision.
 */
export async function search(scope: Scope, term: SearchTerm, filter: SQL | undefined, needed: number, counted: number): Promise<Found> {
  const found = await find(scope.indexDb, { ways: waysToMatch(term), filter }, needed, counted)
  if (found.total > 0 || term.digits === null) return found
  return find(scope.indexDb, { ways: [withGaps(term.digits)], filter }, needed, counted)
}

/** The ways a contact may match, and a further condition. */
export type Asked = { ways: SQL[]; filter?: SQL | undefined }
type Match = { block: number; seq: number }

async function find(db: Db, asked: Asked, needed: number, counted: number): Promise<Found> {
  const maxMatches = Math.max(needed, counted) + 1
  const all = union(asked, undefined, sql`offset 0`)
  const isMatch = or(...asked.ways)!
  const crowded = (seqs: number[]): Found => ({ seqs, total: maxMatches - 1, exact: false, all, matches: isMatch })

  const { newest, olderBlocks, expected } = readBeginning((await db.execute<BeginningRow>(beginning(asked, maxMatches))).rows)
  if (newest.length >= maxMatches) return crowded(await inOrder(db, asked, newest, needed))

  const left = maxMatches - newest.length
  const isCommon = expected > manyMatches
  const older = olderBlocks === 0 ? [] : await matches(db, isCommon ? byBlock(asked, olderBlocks, left) : atOnce(asked, olderBlocks, left))
  if (older.length < left) {
    const seqs = newestFirst([...newest, ...older])
    return { seqs, total: seqs.length, exact: true, all, matches: isMatch }
  }
  if (isCommon) return crowded(await inOrder(db, asked, [...newest, ...older], needed))

  const missing = needed - newest.length
  if (missing <= 0) return crowded(newestFirst(newest))
  const next = await matches(db, byBlock(asked, olderBlocks, missing + 1))
  return crowded([...newestFirst(newest), ...(await inOrder(db, asked, next, missing))])
}

async function matches(db: Db, statement: SQL): Promise<Match[]> {
  const { rows } = await db.execute<{ block: string; seq: string }>(statement)
  return rows.map((row) => ({ block: Number(row.block), seq: Number(row.seq) }))
}

export const newestFirst = (rows: readonly Match[]): number[] => rows.map(({ seq }) => seq).toSorted((a, b) => b - a)

/** The `needed` newest of matches read block by block. The last block was read only in part, so its newest may be missing. */
async function inOrder(db: Db, asked: Asked, rows: readonly Match[], needed: number): Promise<number[]> {
  const cut = rows.at(-1)!.block
  const known = newestFirst(rows.filter((row) => row.block !== cut))
  const missing = needed - known.length
  return missing > 0 ? [...known, ...newestFirst(await matches(db, ofBlock(asked, cut, missing)))] : known
}

/** The union of the matches of each way. `tail` ends each part: a limit, or `offset 0` as an optimization fence. */
const union = ({ ways, filter }: Asked, where: SQL | undefined, tail: SQL): SQL =>
  sql.join(
    ways.map((way) => sql`(select seq from contacts where ${and(where, filter, way)} ${tail})`),
    sql` union `,
  )

/** The first block that `beginning` reads. Its number is the number of older blocks. */
const firstBlock = sql`(select greatest((last_value >> ${number(blockBits)}) - ${number(newestBlocks - 1)}, 0) as number from contacts_seq_seq) as first`

type BeginningRow = { first: string; block: string | null; seq: string | null; sampled: string | null }

/** Up to `maxMatches` matches of the newest blocks, newest block first, and the number of matches in a sample of the older contacts. */
export function beginning(asked: Asked, maxMatches: number): SQL {
  const limit = sql`limit ${number(maxMatches)}`
  const enough = sql`limit ${number(perSample)}`
  return sql`
    (select first.number as first, block, seq, null::bigint as sampled from ${firstBlock}
     cross join generate_series((select last_value >> ${number(blockBits)} from contacts_seq_seq), first.number, -1) as block
     cross join lateral (${union(asked, sql`${block} = block`, limit)}) as matching ${limit})
    union all
    (select first.number, null, null, (
       select count(*) from generate_series(0, ${number(samples - 1)}) as sample
       cross join lateral (${union(asked, sql`${smallBlock} = (first.number * (2 * sample + 1) * ${number(smallPerBlock)}) / ${number(2 * samples)}`, enough)}) as matching
       where first.number > 0)
     from ${firstBlock})`
}

/** Parses the result of `beginning`: the matches, the number of older blocks, and the estimated number of matches in those. */
export function readBeginning(rows: readonly BeginningRow[]): { newest: Match[]; olderBlocks: number; expected: number } {
  const sample = rows.at(-1)!
  const olderBlocks = Number(sample.first)
  return {
    newest: rows.slice(0, -1).map((row) => ({ block: Number(row.block), seq: Number(row.seq) })),
    olderBlocks,
    expected: (Number(sample.sampled) / samples) * smallPerBlock * olderBlocks,
  }
}

/** Up to `limit` matches of the older blocks, unordered, in one index scan. Slow to return the first row if there are many. */
export const atOnce = (asked: Asked, olderBlocks: number, limit: number): SQL =>
  // The sum keeps the planner from using the index on `seq`, which would read every older contact.
  sql`select 0 as block, seq from (${union(asked, sql`seq + 0 < ${number(olderBlocks * 2 ** blockBits)}`, sql`limit ${number(limit)}`)}) as matching limit ${number(limit)}`

/** Up to `limit` matches of the older blocks, newest block first. Stops reading when there are enough. */
export const byBlock = (asked: Asked, olderBlocks: number, limit: number): SQL => sql`
  select block, seq from generate_series(${number(olderBlocks - 1)}::bigint, 0, -1) as block
  cross join lateral (${union(asked, sql`${block} = block`, sql`limit ${number(limit)}`)}) as matching limit ${number(limit)}`

/** The newest matches of one block, from its small blocks. */
export function ofBlock(asked: Asked, at: number, missing: number): SQL {
  const limit = sql`limit ${number(missing)}`
  return sql`
    select small as block, seq from generate_series(${number(at * smallPerBlock + smallPerBlock - 1)}::bigint, ${number(at * smallPerBlock)}, -1) as small
    cross join lateral (
      select seq from (${union(asked, sql`${smallBlock} = small`, sql`offset 0`)}) as matching order by seq desc ${limit}
    ) as newest ${limit}`
}
