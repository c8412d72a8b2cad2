import { and, desc, inArray, sql } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import { type Db, prepared } from '../../../kernel/postgres/database.ts'
import { type ContactMatch, contactMatch, type FindInput, maxFound } from '../list-contract.ts'
import { readTerm, type SearchTerm } from '../rules.ts'
import { search } from './search.ts'
import { matching } from './term-sql.ts'
import { contacts } from '../table.ts'

const columns = Object.fromEntries(Object.keys(contactMatch.shape).map((key) => [key, contacts[key as keyof ContactMatch]])) as {
  [Key in keyof ContactMatch]: (typeof contacts)[Key]
}

/**
 * A few patients that match a partial search. Unlike a page of the list it counts nothing, so it stops as soon as it has enough. Recently
 * opened patients come first, in that order, then the newest.
 */
export async function findContacts(scope: Scope, input: FindInput): Promise<ContactMatch[]> {
  const term = readTerm(input.search)
  const [recent, newest] = await Promise.all([findRecent(scope.db, input.recent, term), term ? findNewest(scope, term) : []])
  const known = new Set(recent.map(({ id }) => id))
  const found = [...recent, ...newest.filter(({ id }) => !known.has(id))].slice(0, maxFound)
  if (found.length > 0) await scope.recordView({ kind: 'contact', contactIds: found.map(({ id }) => id) })
  return found
}

/** The given contacts that match, in the given order. */
async function findRecent(db: Db, ids: readonly string[], term: SearchTerm | null): Promise<ContactMatch[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select(columns)
    .from(contacts)
    .where(and(inArray(contacts.id, [...ids]), term ? matching(term) : undefined))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).slice(0, maxFound)
}

const newest = prepared((db) =>
  db
    .select(columns)
    .from(contacts)
    .where(sql`${contacts.seq} = any(${sql.placeholder('seqs')}::bigint[])`)
    .orderBy(desc(contacts.seq))
    .prepare('found-contacts'),
)

async function findNewest(scope: Scope, term: SearchTerm): Promise<ContactMatch[]> {
  const { seqs } = await search(scope, term, undefined, { needed: maxFound, counted: 0 })
  return seqs.length === 0 ? [] : newest(scope.db).execute({ seqs: seqs.slice(0, maxFound) })
}
