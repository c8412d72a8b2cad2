import type { SQL } from 'drizzle-orm'
import type pg from 'pg'
import { countedMatches, maxFound } from '../../src/crm/contacts/list-contract.ts'
import { readTerm } from '../../src/crm/contacts/rules.ts'
import {
  type Asked,
  atOnce,
  beginning,
  byBlock,
  manyMatches,
  newestFirst,
  ofBlock,
  readBeginning,
  waysToMatch,
  withGaps,
} from '../../src/crm/contacts/list/search.ts'
import { columns, matchColumns } from './contacts.ts'
import { type Prepared, prepared } from './database.ts'

/** How many of the newest matches to return, up to how many to count, and the statement that reads them. */
type Page = { size: number; counted: number; statement: { name: string; text: string } }

const listPage = pageOf('page', columns, 50, countedMatches)
const palettePage = pageOf('found', matchColumns, maxFound, 0)

function pageOf(name: string, read: string, size: number, counted: number): Page {
  return { size, counted, statement: { name, text: `select ${read} from contacts where seq = any($1) order by seq desc` } }
}

/** The search for a term and its statements so far: the product's own, built only once so that the baseline does not pay for that. */
type Walk = { asked: Asked; page: Page; most: number; statements: Map<string, Prepared> }

/** The searches for each page and term: as typed, and with gaps between the digits of a phone number. */
const known = new Map<string, { typed: Walk; gapped: Walk | null }>()

/** Returns the 50 newest matches of a term and their count, up to 1,000, in the same steps as our search. */
export async function searchContacts(pool: pg.Pool, indexPool: pg.Pool, search: string): Promise<unknown> {
  const { rows, total } = await searchPage(pool, indexPool, search, listPage)
  return { data: rows, total }
}

/** Returns the newest matches of a term, as our command palette does. */
export async function findContacts(pool: pg.Pool, indexPool: pg.Pool, search: string): Promise<unknown> {
  return { data: (await searchPage(pool, indexPool, search, palettePage)).rows }
}

async function searchPage(pool: pg.Pool, indexPool: pg.Pool, search: string, page: Page) {
  const { typed, gapped } = walksFor(search, page)
  let found = await follow(indexPool, typed)
  if (found.total === 0 && gapped) found = await follow(indexPool, gapped)
  const { rows } = await pool.query({ ...page.statement, values: [found.seqs.slice(0, page.size)] })
  return { rows, total: found.total }
}

function walksFor(search: string, page: Page): { typed: Walk; gapped: Walk | null } {
  const key = `${page.statement.name} ${search}`
  const found = known.get(key)
  if (found) return found
  const term = readTerm(search)!
  const walk = (ways: SQL[]): Walk => ({ asked: { ways }, page, most: Math.max(page.size, page.counted) + 1, statements: new Map() })
  const walks = { typed: walk(waysToMatch(term)), gapped: term.digits === null ? null : walk([withGaps(term.digits)]) }
  known.set(key, walks)
  return walks
}

type Row = { block: string; seq: string }

async function follow(pool: pg.Pool, walk: Walk): Promise<{ seqs: number[]; total: number }> {
  const { most, page } = walk
  const begun = await ask<Parameters<typeof readBeginning>[0][number]>(pool, walk, 'beginning', () => beginning(walk.asked, most))
  const { newest, olderBlocks, expected } = readBeginning(begun)
  if (newest.length >= most) return { seqs: await inOrder(pool, walk, newest), total: most - 1 }

  const left = most - newest.length
  const isCommon = expected > manyMatches
  const step = isCommon ? byBlock : atOnce
  const older =
    olderBlocks === 0 ? [] : (await ask<Row>(pool, walk, `${isCommon} ${left}`, () => step(walk.asked, olderBlocks, left))).map(match)
  if (older.length < left) return { seqs: newestFirst([...newest, ...older]), total: newest.length + older.length }
  if (isCommon) return { seqs: await inOrder(pool, walk, [...newest, ...older]), total: most - 1 }

  const missing = page.size - newest.length
  const first = newestFirst(newest)
  if (missing <= 0) return { seqs: first, total: most - 1 }
  const next = await ask<Row>(pool, walk, `next ${missing}`, () => byBlock(walk.asked, olderBlocks, missing + 1))
  return { seqs: [...first, ...(await inOrder(pool, walk, next.map(match), missing))], total: most - 1 }
}

async function inOrder(pool: pg.Pool, walk: Walk, rows: Match[], needed = walk.page.size): Promise<number[]> {
  const cut = rows.at(-1)!.block
  const first = newestFirst(rows.filter(({ block }) => block !== cut))
  const missing = needed - first.length
  if (missing <= 0) return first
  const within = await ask<Row>(pool, walk, `within ${cut} ${missing}`, () => ofBlock(walk.asked, cut, missing))
  return [...first, ...newestFirst(within.map(match))]
}

type Match = { block: number; seq: number }
const match = ({ block, seq }: Row): Match => ({ block: Number(block), seq: Number(seq) })

async function ask<Result extends pg.QueryResultRow>(
  pool: pg.Pool,
  { statements }: Walk,
  key: string,
  build: () => SQL,
): Promise<Result[]> {
  const statement = statements.get(key) ?? prepared(build())
  statements.set(key, statement)
  return (await pool.query<Result>(statement)).rows
}
