import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../kernel/scope.ts'
import { type Db, prepared } from '../../../kernel/postgres/database.ts'
import { numberedPage } from '../../../shared/page-lists.ts'
import { type ContactFilters, type ContactPage, type ContactSort, contactSorts, countedMatches, type ListInput } from '../list-contract.ts'
import { type ContactSummary, contactSummary } from '../contact-contract.ts'
import { conditionOf, isPlain, simplest, wanted } from './filter-sql.ts'
import { readTerm } from '../rules.ts'
import { countMatches, type Found, search } from './search.ts'
import { contactCounts, contacts } from '../table.ts'

/** The columns of a list row, from the contract's schema. */
export const columns = Object.fromEntries(Object.keys(contactSummary.shape).map((key) => [key, contacts[key as keyof ContactSummary]])) as {
  [Key in keyof ContactSummary]: (typeof contacts)[Key]
}

export const orders: Record<ContactSort, SQL[]> = {
  newest: [desc(contacts.seq)],
  oldest: [asc(contacts.seq)],
  name: [asc(contacts.sortName), asc(contacts.seq)],
  'name-desc': [desc(contacts.sortName), desc(contacts.seq)],
  'last-contact': [sql`last_contact_date desc nulls last`, asc(contacts.seq)],
  'follow-up': [sql`next_follow_up_date asc nulls last`, asc(contacts.seq)],
}

/** The same orders reversed. */
const backwards: Record<ContactSort, SQL[]> = {
  newest: orders.oldest,
  oldest: orders.newest,
  name: orders['name-desc'],
  'name-desc': orders.name,
  'last-contact': [sql`last_contact_date asc nulls first`, desc(contacts.seq)],
  'follow-up': [sql`next_follow_up_date desc nulls first`, desc(contacts.seq)],
}

/** A page of contacts with the number of matches (spec 7: paginated). */
export async function listContacts(scope: Scope, asked: ListInput): Promise<ContactPage> {
  const input = await simplest(scope, asked)
  const { page, limit } = input
  const result = await (readTerm(input.search) ? searchPage : isPlain(input) ? plainPage : filteredPage)(scope, input)
  await recordContactViews(scope, result.data)
  return numberedPage(result, { page, limit })
}

type Rows = { data: ContactSummary[]; total: number; totalIsExact: boolean }

const windowOf = ({ page, limit }: ListInput) => ({ limit, offset: (page - 1) * limit })

/** A page filtered by at most stage and tag, whose totals are stored or cheap. */
async function plainPage(scope: Scope, input: ListInput): Promise<Rows> {
  const condition = await conditionOf(scope, input)
  const place = windowOf(input)
  if (place.offset >= deep) {
    const total = await countAll(scope.db, input)
    return { data: await deepPage(scope.db, input.sort, condition, place, total), total, totalIsExact: true }
  }
  if (!condition) return wholePage(scope.db, input, place)
  const [data, total] = await Promise.all([page(scope.db, input.sort, condition).execute(place), countAll(scope.db, input)])
  return { data, total, totalIsExact: true }
}

/**
 * Counts the newest matches up to the same limit as a search. If those are all matches, their sequence numbers give the rows in any order.
 */
async function filteredPage(scope: Scope, input: ListInput): Promise<Rows> {
  const condition = (await conditionOf(scope, input)) ?? sql`true`
  const found = await newestMatches(scope.db, condition)
  const { limit, offset } = windowOf(input)
  const isKnown = found.exact || (input.sort === 'newest' && offset + limit <= found.seqs.length)
  const data = isKnown
    ? await pageOf(scope.db, found, input.sort, limit, offset)
    : offset < deep
      ? await page(scope.db, input.sort, condition).execute({ limit, offset })
      : await deepPage(scope.db, input.sort, condition, { limit, offset })
  return { data, total: found.total, totalIsExact: found.exact }
}

/** Reads only sequence numbers: the index `contacts_filter` covers every condition, so no contact is read before it is known to match. */
async function newestMatches(db: Db, condition: SQL): Promise<Found> {
  const rows = await db
    .select({ seq: contacts.seq })
    .from(contacts)
    .where(condition)
    .orderBy(...orders.newest)
    .limit(countedMatches + 1)
  const seqs = rows.slice(0, countedMatches).map(({ seq }) => seq)
  return {
    seqs,
    total: seqs.length,
    exact: rows.length <= countedMatches,
    all: sql`select seq from contacts where ${condition}`,
    matches: condition,
  }
}

const page = (db: Db, sort: ContactSort, filter?: SQL) =>
  db
    .select(columns)
    .from(contacts)
    .where(filter)
    .orderBy(...orders[sort])
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))

/** From this offset on, skipping rows costs more than reading the page. */
const deep = 2_000

/**
 * A page far down: an index-only scan finds the sequence numbers of its rows, from the nearer end if the total is known, and only those
 * rows are read. See decision "virtual-rows".
 */
async function deepPage(
  db: Db,
  sort: ContactSort,
  condition: SQL | undefined,
  { limit, offset }: { limit: number; offset: number },
  total?: number,
): Promise<ContactSummary[]> {
  const isNearEnd = total !== undefined && offset > total / 2
  const rows = isNearEnd ? Math.min(limit, total - offset) : limit
  if (rows <= 0) return []
  const numbers = db
    .select({ seq: contacts.seq })
    .from(contacts)
    .where(condition)
    .orderBy(...(isNearEnd ? backwards : orders)[sort])
    .limit(rows)
    .offset(isNearEnd ? total - offset - rows : offset)
  return db
    .select(columns)
    .from(contacts)
    .where(inArray(contacts.seq, numbers))
    .orderBy(...orders[sort])
}

/** The sum of the stored numbers of contacts per stage (see contact_counts). */
const storedSum = sql<string>`coalesce(sum(${contactCounts.change}), 0)`

/** Prepared statements for the unfiltered list, which everyone opens first: a page and the total in one round trip. */
const wholeList = new Map(
  contactSorts.map((sort) => [
    sort,
    prepared((db) =>
      db
        .select({ contact: columns, total: sql<string>`(select ${storedSum} from ${contactCounts})` })
        .from(contacts)
        .orderBy(...orders[sort])
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .prepare(`contacts-${sort}`),
    ),
  ]),
)

async function wholePage(db: Db, input: ListInput, place: { limit: number; offset: number }): Promise<Rows> {
  const rows = await wholeList.get(input.sort)!(db).execute(place)
  const total = rows[0] ? Number(rows[0].total) : await countAll(db, input)
  return { data: rows.map(({ contact }) => contact), total, totalIsExact: true }
}

async function searchPage(scope: Scope, input: ListInput): Promise<Rows> {
  const { limit, offset } = windowOf(input)
  const found = await search(scope, readTerm(input.search)!, await conditionOf(scope, input), {
    needed: offset + limit,
    counted: countedMatches,
  })
  return { data: await pageOf(scope.db, found, input.sort, limit, offset), total: found.total, totalIsExact: found.exact }
}

/** The maximum number of ids passed as parameters; PostgreSQL allows 65,535. */
const maxNumbers = 10_000

const bySeqs = prepared((db) =>
  db
    .select(columns)
    .from(contacts)
    .where(sql`${contacts.seq} = any(${sql.placeholder('seqs')}::bigint[])`)
    .orderBy(...orders.newest)
    .prepare('contacts-by-seq'),
)

/** The rows of one page of matches. Newest first, their sequence numbers are known; other orders need every match. */
async function pageOf(db: Db, found: Found, sort: ContactSort, limit: number, offset: number): Promise<ContactSummary[]> {
  if (sort === 'newest') {
    const seqs = found.seqs.slice(offset, offset + limit)
    return seqs.length === 0 ? [] : bySeqs(db).execute({ seqs })
  }
  const matching =
    found.exact && found.seqs.length <= maxNumbers
      ? inArray(contacts.seq, found.seqs.length > 0 ? found.seqs : [0])
      : sql`seq in (${found.all})`
  return db
    .select(columns)
    .from(contacts)
    .where(matching)
    .orderBy(...orders[sort])
    .limit(limit)
    .offset(offset)
}

/** The exact number of matching contacts (the total of a page stops at 1,000 matches of a search or filter). */
export async function countContacts(scope: Scope, asked: ContactFilters): Promise<number> {
  const filters = await simplest(scope, asked)
  const term = readTerm(filters.search)
  if (!term && isPlain(filters)) return countAll(scope.db, filters)
  const condition = await conditionOf(scope, filters)
  if (!term) return scope.latestDb.$count(contacts, condition)
  const found = await search(scope, term, condition, { needed: 0, counted: countedMatches })
  return found.exact ? found.total : countMatches(scope.indexDb, found)
}

/** The number of matching contacts, counted up to the limit of a page: for the count next to a view's name. */
export async function tallyContacts(scope: Scope, asked: ContactFilters): Promise<{ total: number; isExact: boolean }> {
  const filters = await simplest(scope, asked)
  const term = readTerm(filters.search)
  if (!term && isPlain(filters)) return { total: await countAll(scope.db, filters), isExact: true }
  const condition = await conditionOf(scope, filters)
  const found = await (term
    ? search(scope, term, condition, { needed: 0, counted: countedMatches })
    : newestMatches(scope.db, condition ?? sql`true`))
  return { total: found.total, isExact: found.exact }
}

/** The total for at most a stage and a tag: stored per stage (see contact_counts), and counted per tag from its index. */
async function countAll(db: Db, filters: ContactFilters): Promise<number> {
  const [stage, tag] = [wanted(filters.stageId), wanted(filters.tagId)]
  if (tag) {
    const inStage = stage ? sql`join contacts on contacts.id = contact_tags.contact_id and contacts.funnel_stage = ${stage}` : sql``
    const tagged = await db.execute<{ total: string }>(sql`select count(*) as total from contact_tags ${inStage} where tag_id = ${tag}`)
    return Number(tagged.rows[0]!.total)
  }
  const [row] = await db
    .select({ total: storedSum })
    .from(contactCounts)
    .where(stage ? eq(contactCounts.funnelStageId, stage) : undefined)
  return Number(row!.total)
}

/** Contacts by id, in no particular order. */
export async function summariesOf(scope: Scope, ids: string[]): Promise<ContactSummary[]> {
  const rows = await scope.db.select(columns).from(contacts).where(inArray(contacts.id, ids))
  await recordContactViews(scope, rows)
  return rows
}

export async function recordContactViews(scope: Scope, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length > 0) await scope.recordView({ kind: 'contact', contactIds: rows.map((row) => row.id) })
}

/** A subquery for the ids of all contacts that match these filters. */
export async function matchingContacts(scope: Scope, filters: ContactFilters): Promise<SQL> {
  const condition = await conditionOf(scope, filters)
  const term = readTerm(filters.search)
  const found = term && (await search(scope, term, condition, { needed: 0, counted: countedMatches }))
  return sql`select id from contacts where ${and(condition, found ? sql`seq in (${found.all})` : undefined) ?? sql`true`}`
}
