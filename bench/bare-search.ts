import { type SQL, sql } from 'drizzle-orm'
import type pg from 'pg'
import { countedMatches } from '../src/features/contacts/contract.ts'
import { digitPairKeys, readTerm } from '../src/features/contacts/rules.ts'
import { waysToMatch } from '../src/features/contacts/search.ts'
import { columns } from './bare-contacts.ts'
import { type Prepared, prepared } from './bare-database.ts'

const pageSize = 50
const most = countedMatches + 1
const blockBits = 15
const smallBlockBits = 11
const page = `select ${columns} from contacts where seq = any($1) order by seq desc`

/** A walk over the index. The conditions are the product's own. `ofOneBlock`: its second statement, as far as it was ever needed. */
type Walk = { ways: SQL[]; allBlocks: Prepared; ofOneBlock: Map<string, Prepared> }

/** For each term: as typed, and with gaps between the digits of a phone. Each statement is made once, as if it stood here in full. */
const known = new Map<string, { typed: Walk; gapped: Walk | null }>()

/** The 50 newest matches of a term and their number, up to 1,000, as our search finds them: block by block, newest first. */
export async function searchContacts(pool: pg.Pool, indexPool: pg.Pool, search: string): Promise<unknown> {
  const { typed, gapped } = walksFor(search)
  let found = await follow(indexPool, typed)
  if (found.total === 0 && gapped) found = await follow(indexPool, gapped)
  const { rows } = await pool.query({ name: 'page', text: page, values: [found.seqs] })
  return { data: rows, total: found.total }
}

function walksFor(search: string): { typed: Walk; gapped: Walk | null } {
  const found = known.get(search)
  if (found) return found
  const term = readTerm(search)!
  const walks = { typed: walkOf(waysToMatch(term)), gapped: term.digits === null ? null : walkOf([withGaps(term.digits)]) }
  known.set(search, walks)
  return walks
}

const walkOf = (ways: SQL[]): Walk => ({ ways, allBlocks: prepared(allBlocks(ways)), ofOneBlock: new Map() })

function withGaps(digits: string): SQL {
  const inOrder = `%${[...digits].join('%')}%`
  return sql`(contact_search_keys(search_text) @> ${sql.param(digitPairKeys(digits))}::integer[] and split_part(search_text, chr(10), 5) like ${inOrder})`
}

const union = (ways: SQL[], where: SQL, tail: SQL) =>
  sql.join(
    ways.map((way) => sql`(select seq from contacts where ${where} and ${way} ${tail})`),
    sql` union `,
  )

const bits = (number: number) => sql.raw(String(number))

const allBlocks = (ways: SQL[]) => sql`
  select block, seq from generate_series((select last_value >> ${bits(blockBits)} from contacts_seq_seq), 0, -1) as block
  cross join lateral (${union(ways, sql`(seq >> ${bits(blockBits)}) = block`, sql`limit ${bits(most)}`)}) as matching limit ${bits(most)}`

/** The newest matches of one block, from its small blocks. */
function oneBlock(ways: SQL[], block: number, missing: number): SQL {
  const perBlock = 2 ** (blockBits - smallBlockBits)
  const small = union(ways, sql`(seq >> ${bits(smallBlockBits)}) = small`, sql`offset 0`)
  return sql`
    select seq from generate_series(${block * perBlock + perBlock - 1}::bigint, ${block * perBlock}::bigint, -1) as small
    cross join lateral (select seq from (${small}) as matching order by seq desc limit ${missing}::bigint) as newest limit ${missing}::bigint`
}

type Found = { seqs: number[]; total: number }

async function follow(pool: pg.Pool, walk: Walk): Promise<Found> {
  const { rows } = await pool.query<{ block: string; seq: string }>(walk.allBlocks)
  const newestFirst = (numbers: number[]) => numbers.toSorted((a, b) => b - a).slice(0, pageSize)
  if (rows.length < most) return { seqs: newestFirst(rows.map(({ seq }) => Number(seq))), total: rows.length }

  const cut = rows.at(-1)!.block
  const newer = newestFirst(rows.filter(({ block }) => block !== cut).map(({ seq }) => Number(seq)))
  const missing = pageSize - newer.length
  if (missing === 0) return { seqs: newer, total: most - 1 }
  const key = `${cut} ${missing}`
  const statement = walk.ofOneBlock.get(key) ?? prepared(oneBlock(walk.ways, Number(cut), missing))
  walk.ofOneBlock.set(key, statement)
  const rest = await pool.query<{ seq: string }>(statement)
  return { seqs: [...newer, ...rest.rows.map(({ seq }) => Number(seq))], total: most - 1 }
}
