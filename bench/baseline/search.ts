import type pg from 'pg'
import { countedMatches, maxFound } from '../../src/crm/contacts/list-contract.ts'
import { readTerm } from '../../src/crm/contacts/rules.ts'
import { type Extent, search } from '../../src/crm/contacts/list/search.ts'
import type { IndexDatabase } from '../../src/kernel/postgres/database.ts'
import { columns, matchColumns } from './contacts.ts'

/** What a page shows and counts, and the statement that reads its rows. */
type Page = { extent: Extent; statement: { name: string; text: string } }

const listPage = pageOf('page', columns, { needed: 50, counted: countedMatches })
const palettePage = pageOf('found', matchColumns, { needed: maxFound, counted: 0 })

function pageOf(name: string, read: string, extent: Extent): Page {
  return { extent, statement: { name, text: `select ${read} from contacts where seq = any($1) order by seq desc` } }
}

/** Returns the 50 newest matches of a term and their count, up to 1,000, found by our search. */
export async function searchContacts(pool: pg.Pool, indexDb: IndexDatabase, term: string): Promise<unknown> {
  const { rows, total } = await searchPage(pool, indexDb, term, listPage)
  return { data: rows, total }
}

/** Returns the newest matches of a term, as our command palette does. */
export async function findContacts(pool: pg.Pool, indexDb: IndexDatabase, term: string): Promise<unknown> {
  return { data: (await searchPage(pool, indexDb, term, palettePage)).rows }
}

async function searchPage(pool: pg.Pool, indexDb: IndexDatabase, term: string, { extent, statement }: Page) {
  const { seqs, total } = await search({ indexDb }, readTerm(term)!, undefined, extent)
  const { rows } = await pool.query({ ...statement, values: [seqs.slice(0, extent.needed)] })
  return { rows, total }
}
