import { and, fillPlaceholders, or, type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { IndexDatabase } from '../../../kernel/postgres/database.ts'
import type { Scope } from '../../../kernel/scope.ts'
import type { SearchTerm } from '../rules.ts'
import { digitsPerKey, Draft, InlineDraft, waysToMatch, withGaps } from './term-sql.ts'

/**
 * The search must take milliseconds at a million contacts for every term, rare or common, old or new. No single plan does that: scanning
 * the newest contacts is slow for a rare term, an inverted index is slow for a common one. So the index also has the block of each contact:
 * 32,768 contacts in the order they were added, made of 16 small blocks of 2,048. A sample of small blocks decides whether the index is
 * queried for all matches or block by block. See decision "contact-search".
 */
const blockBits = 15
const smallBlockBits = 11
const smallPerBlock = 2 ** (blockBits - smallBlockBits)
/** Small blocks, spread evenly over the contacts, and how far each is read. */
const samples = 4
const perSample = 100
/** If more matches than this are expected, only the newest are read: when counting up to a limit, and when only a few are shown. */
const manyToCount = 3_000
const manyToShow = 100
/**
 * If three times as many matches are expected as are counted, and each sample has some, it is all but certain that there are more than are
 * counted, so they are not read to know it. Matches that lie together would be in one sample or none.
 */
const timesCounted = 3
const fewestInSample = 3
/** Small blocks that are read before a sample, if nothing is counted: enough for a few matches of most terms. */
const firstSmallBlocks = 4
/** How many matches are read at least if few are expected. */
const fewAtLeast = 500
const number = (value: number) => sql.raw(String(value))
const block = sql`(seq >> ${number(blockBits)})`
const smallBlock = sql`(seq >> ${number(smallBlockBits)})`

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

/** `needed`: how many of the newest matches to return; `counted`: how far to count. */
export type Extent = { needed: number; counted: number }

/**
 * Finds the matches of a term, newest first, further restricted by `filter`. Phone numbers with gaps are searched only if no number has the
 * digits as typed: see the decision.
 */
export async function search(
  { indexDb }: Pick<Scope, 'indexDb'>,
  term: SearchTerm,
  filter: SQL | undefined,
  extent: Extent,
): Promise<Found> {
  const { digits, words } = term
  // Hardly ever common, so they are looked up without a sample first.
  const isRare = digits !== null && digits.length >= digitsPerKey
  const found = await find(
    indexDb,
    { write: (draft) => waysToMatch(draft, term), filter, isRare, isSimple: digits !== null || words.length <= 2 },
    extent,
  )
  if (found.total > 0 || digits === null) return found
  return find(indexDb, { write: (draft) => [withGaps(draft, digits)], filter, isRare: false, isSimple: true }, extent)
}

type Search = {
  /** Writes the ways a contact may match. */
  write: (draft: Draft) => SQL[]
  filter: SQL | undefined
  isRare: boolean
  /** Whether terms of the same shape are frequent. */
  isSimple: boolean
}
type Match = { block: number; seq: number }
type Ask = <Row extends object>(step: keyof typeof steps, numbers: Record<string, number | null>) => Promise<Row[]>

async function find(db: IndexDatabase, { write, filter, isRare, isSimple }: Search, { needed, counted }: Extent): Promise<Found> {
  const draft = new Draft()
  const asked = { ways: write(draft), filter }
  const ask: Ask = (step, numbers) =>
    run(db, filter || !isSimple ? null : `${step} ${draft.shape}`, () => steps[step](asked), { ...draft.values, ...numbers })
  const limit = Math.max(needed, counted) + 1
  const inline = () => ({ ways: write(new InlineDraft()), filter })
  const found = (seqs: number[], exact: boolean): Found => ({
    seqs,
    total: exact ? seqs.length : limit - 1,
    exact,
    get all() {
      return union(inline(), undefined, sql`offset 0`)
    },
    get matches() {
      return or(...inline().ways)!
    },
  })

  const most = Math.max(limit, fewAtLeast)
  if (isRare) {
    const rows = await ask<{ seq: string }>('everywhere', { most })
    if (rows.length < most) return found(descending(rows.map(({ seq }) => Number(seq))), true)
  }
  if (counted === 0 && !isRare) {
    const first = await newestOf(ask, null, firstSmallBlocks, needed)
    if (first.length >= needed) return found(first, false)
  }
  const [sampled] = await ask<Sampled>('sampled', { limit, most, needed: needed + 1, many: counted > 0 ? manyToCount : manyToShow })
  const { areFew, areMany, everywhere, newest } = sampled!
  const all = everywhere ?? []
  if (areFew && all.length < most) return found(descending(all), true)
  const rows = (newest ?? []).map(([block, seq]) => ({ block, seq }))
  const areAll = all.length < most && rows.length < (areMany ? needed + 1 : limit)
  return areAll ? found(newestFirst(rows), true) : found(await inOrder(ask, rows, needed), false)
}

const dialect = new PgDialect()
type Query = ReturnType<PgDialect['sqlToQuery']> & { name?: string }
/** Statements that are prepared once per connection, by step and shape. */
const kept = new Map<string, Query>()

/** Runs a statement with these values for its placeholders. With a key it is built once, for all terms with the same key. */
async function run<Row extends object>(
  db: IndexDatabase,
  key: string | null,
  build: () => SQL,
  values: Record<string, unknown>,
): Promise<Row[]> {
  const known = key === null ? undefined : kept.get(key)
  const query: Query = known ?? dialect.sqlToQuery(build())
  if (key !== null && !known) kept.set(key, { ...query, name: `search-${kept.size}` })
  return db.query<Row>({ ...(query.name && { name: query.name }), text: query.sql, values: fillPlaceholders(query.params, values) })
}

/** The exact number of matches, however many there are. */
export async function countMatches(indexDb: IndexDatabase, { all }: Found): Promise<number> {
  const { sql: text, params } = dialect.sqlToQuery(sql`select count(*) as total from (${all}) as matching`)
  const [row] = await indexDb.query<{ total: string }>({ text, values: params })
  return Number(row!.total)
}

const descending = (seqs: number[]): number[] => seqs.toSorted((a, b) => b - a)
const newestFirst = (rows: readonly Match[]): number[] => descending(rows.map(({ seq }) => seq))

/** The `needed` newest of matches read block by block. The last block was read only in part, so its newest may be missing. */
async function inOrder(ask: Ask, rows: readonly Match[], needed: number): Promise<number[]> {
  const cut = rows.at(-1)!.block
  const known = newestFirst(rows.filter((row) => row.block !== cut))
  const missing = needed - known.length
  if (missing <= 0) return known
  return [...known, ...(await newestOf(ask, cut * smallPerBlock + smallPerBlock - 1, smallPerBlock, missing))]
}

/** The newest matches of so many small blocks up to this one; null: up to the newest. */
async function newestOf(ask: Ask, last: number | null, count: number, limit: number): Promise<number[]> {
  const rows = await ask<{ seq: string }>('smallBlocks', { last, count, limit })
  return descending(rows.map(({ seq }) => Number(seq)))
}

/** The ways a contact may match, and a further condition. */
type Asked = { ways: SQL[]; filter: SQL | undefined }
const placeholder = (name: string) => sql`${sql.placeholder(name)}::bigint`
/** The numbers that are given to the steps. */
const given = {
  limit: placeholder('limit'),
  most: placeholder('most'),
  many: placeholder('many'),
  needed: placeholder('needed'),
  last: placeholder('last'),
  count: placeholder('count'),
}

/** The union of the matches of each way. `tail` ends each part: a limit, or `offset 0` as an optimization fence. */
const union = ({ ways, filter }: Asked, where: SQL | undefined, tail: SQL): SQL =>
  sql.join(
    ways.map((way) => sql`(select seq from contacts where ${and(where, filter, way)} ${tail})`),
    sql` union `,
  )

/** `newest` is read, newest block first, unless few matches are expected and `everywhere` has all of them. */
type Sampled = { areFew: boolean; areMany: boolean; everywhere: number[] | null; newest: [block: number, seq: number][] | null }

const blocks = sql`(select blocks from numbers)`
const atSample = sql`(${blocks} * (2 * sample + 1) * ${number(smallPerBlock)}) / ${number(2 * samples)}`
// One match may be the only one that there is.
const areFew = sql`(select matches <= 1 or matches * ${number(smallPerBlock / samples)} * ${blocks} <= ${given.many} from counted)`
const areMany = sql`(select fewest >= ${number(fewestInSample)} and matches * ${number(smallPerBlock / samples)} * ${blocks} > ${given.limit} * ${number(timesCounted)} from counted)`
const isEnough = sql`((select count(*) from everywhere) = ${given.most})`
/** If enough are counted or expected, only those that are shown. */
const wanted = sql`(case when ${areMany} or ${isEnough} then ${given.needed} else ${given.limit} end)`

/** The steps of a search, each a statement. */
const steps = {
  /** Up to `most` matches, unordered. Slow if there are many. */
  everywhere: (asked: Asked): SQL =>
    sql`select seq from (${union(asked, undefined, sql`limit ${given.most}`)}) as matching limit ${given.most}`,

  /**
   * One row: all matches up to `most` if few are expected. If those are not all, up to `limit` of the newest blocks, or `needed` if enough are
   * counted or expected.
   */
  sampled: (asked: Asked): SQL => sql`
    with numbers as materialized (select (last_value >> ${number(blockBits)}) + 1 as blocks from contacts_seq_seq),
    counted as materialized (
      select sum(found) as matches, min(found) as fewest from generate_series(0, ${number(samples - 1)}) as sample
      cross join lateral (
        select count(*) as found from (${union(asked, sql`${smallBlock} = ${atSample}`, sql`limit ${number(perSample)}`)}) as matching) as one_sample),
    everywhere as materialized (
      select seq from (${union(asked, undefined, sql`limit ${given.most}`)}) as matching where ${areFew} limit ${given.most}),
    newest as materialized (
      select block, seq from generate_series(${blocks} - 1, 0, -1) as block
      cross join lateral (${union(asked, sql`${block} = block`, sql`limit ${wanted}`)}) as matching
      where not ${areFew} or ${isEnough} limit ${wanted})
    select ${areFew} as "areFew", ${areMany} as "areMany", (select json_agg(seq) from everywhere) as everywhere,
      (select json_agg(json_build_array(block, seq)) from newest) as newest`,

  /** The newest matches of `count` small blocks up to `last`; null: up to the newest. Each is read whole, because it is in no order. */
  smallBlocks: (asked: Asked): SQL => sql`
    select seq from (select coalesce(${given.last}, (select last_value >> ${number(smallBlockBits)} from contacts_seq_seq)) as last) as numbers
    cross join lateral generate_series(last, greatest(last - ${given.count} + 1, 0), -1) as small
    cross join lateral (
      select seq from (${union(asked, sql`${smallBlock} = small`, sql`offset 0`)}) as matching order by seq desc limit ${given.limit}
    ) as newest limit ${given.limit}`,
}
