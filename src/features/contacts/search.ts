import { and, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import type { Db } from '../../server/database.ts'
import { digitPairKeys, hasTrigram, type SearchTerm } from './rules.ts'

/**
 * The search must answer in milliseconds at a million contacts for every term, rare or common, wherever its matches lie in time. No one
 * plan does: walking the newest contacts is slow for a rare term, an inverted index is slow for a common one. So the index knows, besides
 * the text, the block that a contact belongs to: 131,072 contacts in the order they were added, in turn 32 blocks of 4,096.
 * Newest block first, each is asked for its matches, and no more is read than will be shown or counted. See decision "contact-search".
 */
const blockBits = 17
const smallBlockBits = 12

const firstName = sql`split_part(search_text, chr(10), 1)`
const lastName = sql`split_part(search_text, chr(10), 2)`

/** "Contains", with the keys of short and unusual terms where the trigram index has nothing to go by. */
function contains(column: SQL, term: string): SQL {
  const like = sql`${column} like contains_pattern(${term})`
  return hasTrigram(term) ? like : sql`(${like} and contact_search_keys(search_text) @> contact_search_keys(fold(${term})))`
}

const anywhere = (term: string) => contains(sql`search_text`, term)

/** Spec 5: one word in any of the four fields; two words as first and last name in either order, or as they stand in any field. */
export function matches({ phrase, words, digits }: SearchTerm): SQL {
  const ways = [anywhere(phrase)]
  if (digits !== null && digits !== phrase) ways.push(anywhere(digits))
  const [one, two] = words as [string, string]
  if (words.length === 2) {
    ways.push(sql`(${contains(firstName, one)} and ${contains(lastName, two)})`, sql`(${contains(firstName, two)} and ${contains(lastName, one)})`)
  }
  if (words.length > 2) {
    const each = words.map((word) => sql`(${contains(firstName, word)} or ${contains(lastName, word)})`)
    ways.push(sql`(${sql.join(each, sql` and `)})`)
  }
  return sql`(${sql.join(ways, sql` or `)})`
}

/** Spec 5: phone-like input also matches the digits in order with anything between. */
function matchesWithGaps(digits: string): SQL {
  const pattern = `%${[...digits].join('%')}%`
  const keys = sql.raw(`array[${digitPairKeys(digits).join(',')}]::integer[]`)
  return sql`(split_part(search_text, chr(10), 5) like ${pattern} and contact_search_keys(search_text) @> ${keys})`
}

export type Found = {
  /** The matches' numbers, newest first: all of them when `exact`, else at least the `needed` newest. */
  seqs: number[]
  total: number
  /** Whether `total` is the number of matches, rather than as far as they were counted. */
  exact: boolean
  condition: SQL
}

/**
 * Finds the matches of a term, newest first. `filter` narrows them down further. `needed`: how many of the newest must be known;
 * `counted`: how far to count. Gapped phone numbers are looked for only where no phone has the digits as typed: see the decision.
 */
export async function search(scope: Scope, term: SearchTerm, filter: SQL | undefined, needed: number, counted: number): Promise<Found> {
  const found = await find(scope.indexDb, and(matches(term), filter)!, needed, counted)
  if (found.total > 0 || term.digits === null) return found
  return find(scope.indexDb, and(matchesWithGaps(term.digits), filter)!, needed, counted)
}

async function find(db: Db, condition: SQL, needed: number, counted: number): Promise<Found> {
  const most = Math.max(needed, counted) + 1
  const candidates = await db.execute<{ block: string; seq: string }>(sql`
    select block, seq from generate_series((select last_value >> ${sql.raw(`${blockBits}`)} from contacts_seq_seq), 0, -1) as block
    cross join lateral (
      select seq from contacts where (seq >> ${sql.raw(`${blockBits}`)}) = block and ${condition} limit ${sql.raw(`${most}`)}
    ) as matching limit ${sql.raw(`${most}`)}`)
  const rows = candidates.rows.map((row) => ({ block: Number(row.block), seq: Number(row.seq) }))
  const newestFirst = (numbers: number[]) => numbers.toSorted((a, b) => b - a)
  if (rows.length < most) return { seqs: newestFirst(rows.map((row) => row.seq)), total: rows.length, exact: true, condition }

  // The last block has more matches than were read, and not its newest. Those of the blocks before it are all known.
  const cut = rows.at(-1)!.block
  const known = newestFirst(rows.filter((row) => row.block !== cut).map((row) => row.seq))
  const missing = needed - known.length
  const rest = missing > 0 ? await newestOfBlock(db, cut, condition, missing) : []
  return { seqs: [...known, ...rest], total: most - 1, exact: false, condition }
}

/** The newest matches of one block, from its small blocks. `offset 0` keeps the sort from changing the plan. */
async function newestOfBlock(db: Db, block: number, condition: SQL, limit: number): Promise<number[]> {
  const perBlock = 2 ** (blockBits - smallBlockBits)
  const rows = await db.execute<{ seq: string }>(sql`
    select seq from generate_series(${sql.raw(`${block * perBlock + perBlock - 1}`)}::bigint, ${sql.raw(`${block * perBlock}`)}, -1) as small
    cross join lateral (
      select seq from (select seq from contacts where (seq >> ${sql.raw(`${smallBlockBits}`)}) = small and ${condition} offset 0) as matching
      order by seq desc limit ${sql.raw(`${limit}`)}
    ) as newest limit ${sql.raw(`${limit}`)}`)
  return rows.rows.map((row) => Number(row.seq))
}
