import { and, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { type SearchTerm, digitPairKeys, hasTrigram, trigramWindows } from '../rules.ts'

/**
 * The search must answer in milliseconds at a million contacts for every term, rare or common, wherever its matches lie in time. No one
 * plan does: walking the newest contacts is slow for a rare term, an inverted index is slow for a common one. So the index knows, besides
 * the text, the block that a contact belongs to: 32,768 contacts in the order they were added, in turn 16 blocks of 2,048. The newest
 * contacts are asked for by block, with a sample of the older ones, which says how to ask for those. See decision "contact-search".
 */
const blockBits = 15
const smallBlockBits = 11
const smallPerBlock = 2 ** (blockBits - smallBlockBits)
/** Asked for first, besides as many small blocks spread evenly over the older contacts. */
const newestBlocks = 2
const samples = 4
const perSample = 50
/** Where more matches than this are to be expected, the index is not asked for all of them at once. */
export const manyMatches = 3_000
const number = (value: number) => sql.raw(String(value))
const block = sql`(seq >> ${number(blockBits)})`
const smallBlock = sql`(seq >> ${number(smallBlockBits)})`

const text = sql`search_text`
const firstName = sql`split_part(search_text, chr(10), 1)`
const lastName = sql`split_part(search_text, chr(10), 2)`
/** Of all numbers, with a character between them that is no digit. */
const phoneDigits = sql`split_part(search_text, chr(10), 5)`

/** Compared without the index (`|| ''` hides the column from it): the exact rule, for the few rows that the index has let through. */
const exactly = (column: SQL, term: string) => sql`(${column} || '') like contains_pattern(${term})`

/**
 * Rows that have each pair of neighbours of the term, or the one character that it is: for terms that have no trigram. A pair's key is
 * beyond those of characters, which rule out little.
 */
function hasKeys(term: string): SQL {
  const keys = sql`contact_search_keys(fold(${term}))`
  const pairs = sql`array(select key from unnest(${keys}) as key where key > 65535)`
  return sql`contact_search_keys(search_text) @> ${[...term].length > 1 ? pairs : keys}`
}

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

/** Spec 5: phone-like input also matches the digits of one number in order with anything between. The quick pattern goes first. */
export function withGaps(digits: string): SQL {
  const keys = sql.raw(`array[${digitPairKeys(digits).join(',')}]::integer[]`)
  const [inAny, inOne] = [`%${[...digits].join('%')}%`, [...digits].join('[0-9]*')]
  return sql`(contact_search_keys(search_text) @> ${keys} and ${phoneDigits} like ${inAny} and ${phoneDigits} ~ ${inOne})`
}

export type Found = {
  /** The matches' numbers, newest first: all of them when `exact`, else at least the `needed` newest. */
  seqs: number[]
  total: number
  /** Whether `total` is the number of matches, rather than as far as they were counted. */
  exact: boolean
  /** Selects the numbers of all matches, however many. */
  all: SQL
  /** Whether a contact is one, for rows that are read in another order anyway. */
  matches: SQL
}

/**
 * Finds the matches of a term, newest first. `filter` narrows them down further. `needed`: how many of the newest must be known;
 * `counted`: how far to count. Gapped phone numbers are looked for only where no phone has the digits as typed: see the decision.
 */
export async function search(scope: Scope, term: SearchTerm, filter: SQL | undefined, needed: number, counted: number): Promise<Found> {
  const found = await find(scope.indexDb, { ways: waysToMatch(term), filter }, needed, counted)
  if (found.total > 0 || term.digits === null) return found
  return find(scope.indexDb, { ways: [withGaps(term.digits)], filter }, needed, counted)
}

/** What is looked for: the ways in which a contact may match, and what narrows them down. */
export type Asked = { ways: SQL[]; filter?: SQL | undefined }
type Match = { block: number; seq: number }

async function find(db: Db, asked: Asked, needed: number, counted: number): Promise<Found> {
  const most = Math.max(needed, counted) + 1
  const all = union(asked, undefined, sql`offset 0`)
  const isMatch = or(...asked.ways)!
  const crowded = (seqs: number[]): Found => ({ seqs, total: most - 1, exact: false, all, matches: isMatch })

  const { newest, olderBlocks, expected } = readBeginning((await db.execute<BeginningRow>(beginning(asked, most))).rows)
  if (newest.length >= most) return crowded(await inOrder(db, asked, newest, needed))

  const left = most - newest.length
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

/** The `needed` newest of matches that were read block by block. The last block has more than were read, and perhaps not its newest. */
async function inOrder(db: Db, asked: Asked, rows: readonly Match[], needed: number): Promise<number[]> {
  const cut = rows.at(-1)!.block
  const known = newestFirst(rows.filter((row) => row.block !== cut))
  const missing = needed - known.length
  return missing > 0 ? [...known, ...newestFirst(await matches(db, ofBlock(asked, cut, missing)))] : known
}

/** The matches of each way, put together. `tail` ends each part: a limit, or `offset 0`, which keeps what is outside from changing the plan. */
const union = ({ ways, filter }: Asked, where: SQL | undefined, tail: SQL): SQL =>
  sql.join(
    ways.map((way) => sql`(select seq from contacts where ${and(where, filter, way)} ${tail})`),
    sql` union `,
  )

/** The first block that `beginning` reads; those before it are the older ones, as many as its number says. */
const firstBlock = sql`(select greatest((last_value >> ${number(blockBits)}) - ${number(newestBlocks - 1)}, 0) as number from contacts_seq_seq) as first`

type BeginningRow = { first: string; block: string | null; seq: string | null; sampled: string | null }

/** The matches of the newest blocks, `most` at most, newest block first, and how many there are in a sample of the older contacts. */
export function beginning(asked: Asked, most: number): SQL {
  const limit = sql`limit ${number(most)}`
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

/** Reads the answer to `beginning`: the matches, the number of older blocks, and about how many matches those have. */
export function readBeginning(rows: readonly BeginningRow[]): { newest: Match[]; olderBlocks: number; expected: number } {
  const sample = rows.at(-1)!
  const olderBlocks = Number(sample.first)
  return {
    newest: rows.slice(0, -1).map((row) => ({ block: Number(row.block), seq: Number(row.seq) })),
    olderBlocks,
    expected: (Number(sample.sampled) / samples) * smallPerBlock * olderBlocks,
  }
}

/** Matches of the older blocks, in no order, `limit` at most: the index is read once. Where they are many, that takes long before the first. */
export const atOnce = (asked: Asked, olderBlocks: number, limit: number): SQL =>
  // The sum keeps the index of `seq` out of it, which would read every older contact.
  sql`select 0 as block, seq from (${union(asked, sql`seq + 0 < ${number(olderBlocks * 2 ** blockBits)}`, sql`limit ${number(limit)}`)}) as matching limit ${number(limit)}`

/** Matches of the older blocks, newest block first, `limit` at most: as soon as there are enough, no more is read. */
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
