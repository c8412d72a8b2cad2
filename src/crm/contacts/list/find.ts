import { and, desc, inArray, or } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { type ContactMatch, contactMatch, type FindInput, maxFound } from '../list-contract.ts'
import { readTerm, type SearchTerm } from '../rules.ts'
import { search, waysToMatch } from './search.ts'
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
    .where(and(inArray(contacts.id, [...ids]), term ? or(...waysToMatch(term)) : undefined))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []).slice(0, maxFound)
}

async function findNewest(scope: Scope, term: SearchTerm): Promise<ContactMatch[]> {
  const { seqs } = await search(scope, term, undefined, maxFound, 0)
  if (seqs.length === 0) return []
  return scope.db
    .select(columns)
    .from(contacts)
    .where(inArray(contacts.seq, seqs.slice(0, maxFound)))
    .orderBy(desc(contacts.seq))
}
