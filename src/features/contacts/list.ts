import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../server/scope.ts'
import { type Db, prepared } from '../../server/database.ts'
import { leadSources } from '../lead-sources/table.ts'
import { findStage } from '../pipeline/service.ts'
import { contactTags, tags } from '../tags/table.ts'
import {
  batchSize,
  type ContactFilters,
  type ContactPage,
  type ContactSort,
  type ContactSummary,
  contactSorts,
  contactSummary,
  countedMatches,
  type ListInput,
} from './contract.ts'
import { readTerm } from './rules.ts'
import { type Found, search } from './search.ts'
import { contactCounts, contacts } from './table.ts'

/** The columns of a row of the list, from the contract's shape. */
const columns = Object.fromEntries(Object.keys(contactSummary.shape).map((key) => [key, contacts[key as keyof ContactSummary]])) as {
  [Key in keyof ContactSummary]: (typeof contacts)[Key]
}

const orders: Record<ContactSort, SQL[]> = {
  newest: [desc(contacts.seq)],
  oldest: [asc(contacts.seq)],
  name: [sql`contact_sort_name(first_name, last_name)`, asc(contacts.seq)],
  'name-desc': [sql`contact_sort_name(first_name, last_name) desc`, desc(contacts.seq)],
  'last-contact': [sql`last_contact_date desc nulls last`, asc(contacts.seq)],
  'follow-up': [sql`next_follow_up_date asc nulls last`, asc(contacts.seq)],
}

const wanted = (id: string | undefined) => (id === undefined || id === 'all' ? null : id)

/** The filters besides the search (spec 7): by stage, and by tag, where a tag that nobody has leaves nothing. */
function filterOf({ stageId, tagId }: ContactFilters): SQL | undefined {
  const [stage, tag] = [wanted(stageId), wanted(tagId)]
  return and(
    stage ? eq(contacts.funnelStageId, stage) : undefined,
    tag ? sql`exists (select 1 from contact_tags where contact_id = ${contacts.id} and tag_id = ${tag})` : undefined,
  )
}

/** A page of contacts, with the number of those that match (spec 7: paginated). */
export async function listContacts(scope: Scope, input: ListInput): Promise<ContactPage> {
  const { page, limit } = input
  const term = readTerm(input.search)
  const result = term ? await searchPage(scope, input) : await plainPage(scope, input)
  await sawContacts(scope, result.data)
  return { ...result, page, limit, totalPages: Math.ceil(result.total / limit) }
}

type Rows = { data: ContactSummary[]; total: number; totalIsExact: boolean }

async function plainPage({ db }: Scope, input: ListInput): Promise<Rows> {
  const window = { limit: input.limit, offset: (input.page - 1) * input.limit }
  const filter = filterOf(input)
  const rows = filter ? page(db, input.sort, filter).execute(window) : wholeList.get(input.sort)!(db).execute(window)
  const [data, total] = await Promise.all([rows, countAll(db, input)])
  return { data, total, totalIsExact: true }
}

const page = (db: Db, sort: ContactSort, filter?: SQL) =>
  db
    .select(columns)
    .from(contacts)
    .where(filter)
    .orderBy(...orders[sort])
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))

/** The pages of the whole list, which is what everybody opens first. */
const wholeList = new Map(contactSorts.map((sort) => [sort, prepared((db) => page(db, sort).prepare(`contacts-${sort}`))]))

async function searchPage(scope: Scope, input: ListInput): Promise<Rows> {
  const offset = (input.page - 1) * input.limit
  const found = await search(scope, readTerm(input.search)!, filterOf(input), offset + input.limit, countedMatches)
  return { data: await pageOf(scope.db, found, input.sort, input.limit, offset), total: found.total, totalIsExact: found.exact }
}

/** As many numbers as a statement may well be given; it takes 65,535 at most. */
const mostNumbers = 10_000

/** The rows of one page of what was found. Newest first, their numbers are known; another order needs every match. */
async function pageOf(db: Db, found: Found, sort: ContactSort, limit: number, offset: number): Promise<ContactSummary[]> {
  const query = db.select(columns).from(contacts)
  if (sort === 'newest') {
    const seqs = found.seqs.slice(offset, offset + limit)
    return seqs.length === 0 ? [] : query.where(inArray(contacts.seq, seqs)).orderBy(...orders.newest)
  }
  const matching =
    found.exact && found.seqs.length <= mostNumbers
      ? inArray(contacts.seq, found.seqs.length > 0 ? found.seqs : [0])
      : sql`seq in (${found.all})`
  return query
    .where(matching)
    .orderBy(...orders[sort])
    .limit(limit)
    .offset(offset)
}

/** The exact number of contacts that match, however many (the page's own total stops counting at 1000 matches of a search). */
export async function countContacts(scope: Scope, filters: ContactFilters): Promise<number> {
  const term = readTerm(filters.search)
  if (!term) return countAll(scope.db, filters)
  const found = await search(scope, term, filterOf(filters), 0, countedMatches)
  if (found.exact) return found.total
  const result = await scope.indexDb.execute<{ total: string }>(sql`select count(*) as total from (${found.all}) as matching`)
  return Number(result.rows[0]!.total)
}

/** Without a search the counts are kept: per stage (see contact_counts), and per tag in its index. */
async function countAll(db: Db, filters: ContactFilters): Promise<number> {
  const [stage, tag] = [wanted(filters.stageId), wanted(filters.tagId)]
  if (tag) {
    const inStage = stage ? sql`join contacts on contacts.id = contact_tags.contact_id and contacts.funnel_stage = ${stage}` : sql``
    const tagged = await db.execute<{ total: string }>(sql`select count(*) as total from contact_tags ${inStage} where tag_id = ${tag}`)
    return Number(tagged.rows[0]!.total)
  }
  const [row] = await db
    .select({ total: sql<string>`coalesce(sum(${contactCounts.change}), 0)` })
    .from(contactCounts)
    .where(stage ? eq(contactCounts.funnelStageId, stage) : undefined)
  return Number(row!.total)
}

/** All contacts, newest first, in batches of 1000 (spec 7). `next` goes into the following call; null after a short batch. */
export async function batchOfContacts(scope: Scope, after: number | undefined) {
  const rows = await scope.db
    .select({ ...columns, seq: contacts.seq })
    .from(contacts)
    .where(after === undefined ? undefined : sql`${contacts.seq} < ${after}`)
    .orderBy(desc(contacts.seq))
    .limit(batchSize)
  await sawContacts(scope, rows)
  return { data: rows, next: rows.length === batchSize ? rows.at(-1)!.seq : null }
}

async function newest(scope: Scope, where: SQL | undefined, limit = batchSize): Promise<ContactSummary[]> {
  const rows = await scope.db.select(columns).from(contacts).where(where).orderBy(desc(contacts.seq)).limit(limit)
  await sawContacts(scope, rows)
  return rows
}

/** By stage id, name or value; an unknown stage has no contacts. */
export async function contactsByStage(scope: Scope, stage: string) {
  const id = await findStage(scope.db, stage)
  return id ? newest(scope, eq(contacts.funnelStageId, id)) : []
}

/** By the source's id or name, or by the free text that a form gave. */
export async function contactsBySource(scope: Scope, source: string) {
  const [row] = await scope.db
    .select({ id: leadSources.id })
    .from(leadSources)
    .where(sql`${leadSources.id}::text = lower(${source}) or lower(${leadSources.name}) = lower(${source})`)
  return newest(scope, row ? eq(contacts.leadSourceId, row.id) : sql`lower(${contacts.leadSourceText}) = lower(${source})`)
}

export async function contactByEmail(scope: Scope, email: string) {
  const rows = await newest(scope, sql`lower(${contacts.email}) = lower(${email.trim()})`, 1)
  return rows[0] ?? null
}

export const contactsWithWelcomeTag = (scope: Scope) =>
  newest(
    scope,
    inArray(
      contacts.id,
      scope.db
        .select({ id: contactTags.contactId })
        .from(contactTags)
        .innerJoin(tags, eq(tags.id, contactTags.tagId))
        .where(eq(tags.name, 'Welcome')),
    ),
  )

async function sawContacts(scope: Scope, rows: readonly { id: string }[]): Promise<void> {
  if (rows.length > 0) await scope.recordView({ kind: 'contact', contactIds: rows.map((row) => row.id) })
}

/** Selects the ids of all contacts that the list shows under these filters, for a statement that works on them. */
export async function matchingContacts(scope: Scope, filters: ContactFilters): Promise<SQL> {
  const term = readTerm(filters.search)
  const found = term && (await search(scope, term, filterOf(filters), 0, countedMatches))
  return sql`select id from contacts where ${and(filterOf(filters), found ? sql`seq in (${found.all})` : undefined) ?? sql`true`}`
}
