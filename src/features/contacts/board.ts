import { and, asc, count, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../server/database.ts'
import type { Scope } from '../../server/scope.ts'
import { listStages } from '../pipeline/service.ts'
import { funnelStages } from '../pipeline/table.ts'
import {
  type BoardCard,
  type BoardColumn,
  type BoardColumnInput,
  type BoardInput,
  type ContactFilters,
  countedMatches,
} from './contract.ts'
import { conditionOf, simplest, wanted } from './filter-sql.ts'
import { columns, sawContacts } from './list.ts'
import { type BoardOrder, boardOrders, comparePlaces, readPlace, readTerm } from './rules.ts'
import { search } from './search.ts'
import { contactCounts, contacts } from './table.ts'

/** A row with its place: exact, unlike a Date, which ends at the millisecond. */
const cardColumns = {
  ...columns,
  place: sql<string>`to_char(${contacts.stageEnteredAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || ${contacts.seq}`.as(
    'place',
  ),
}

const orders: Record<BoardOrder, SQL[]> = {
  latest: [desc(contacts.stageEnteredAt), desc(contacts.seq)],
  longest: [asc(contacts.stageEnteredAt), asc(contacts.seq)],
}

/** What comes after a place in this order. */
function beyond(order: BoardOrder, place: string): SQL {
  const { at, seq } = readPlace(place)!
  const comes = order === 'latest' ? sql`<` : sql`>`
  return sql`(${contacts.stageEnteredAt}, ${contacts.seq}) ${comes} (${at}::timestamptz, ${seq}::bigint)`
}

type Total = Pick<BoardColumn, 'total' | 'totalIsExact'>
const nobody: Total = { total: 0, totalIsExact: true }

/** The board: of each stage, in the order of the funnel, the first cards and how many there are. */
export async function boardOf(scope: Scope, asked: BoardInput): Promise<BoardColumn[]> {
  const input = simplest(asked)
  const found = await (readTerm(input.search) ? searchedBoard : plainBoard)(scope, input)
  await sawContacts(
    scope,
    found.flatMap(({ cards }) => cards),
  )
  return found
}

async function plainBoard(scope: Scope, { order, limit, ids, ...filters }: BoardInput): Promise<BoardColumn[]> {
  const { db } = scope
  const condition = await conditionOf(scope, filters)
  const where = ids ? and(condition, inArray(contacts.id, ids)) : condition
  const first = where ? firstCards(db, order, where) : wholeBoard.get(order)!(db)
  const byStageAlone = !filters.filter && wanted(filters.tagId) === null
  const [stages, cards, totals] = await Promise.all([
    listStages(db),
    first.execute({ limit: limit + 1 }),
    condition && !byStageAlone ? countUpTo(db, condition) : countAll(db, wanted(filters.stageId)),
  ])
  const byStage = Map.groupBy(cards, ({ funnelStageId }) => funnelStageId)
  return stages.map(({ id }) => ({ stageId: id, ...page(byStage.get(id) ?? [], order, limit), ...(totals.get(id) ?? nobody) }))
}

/**
 * All columns' first cards by one statement. Who they are is read off the index `contacts_board` alone, which has all that a filter looks at;
 * only then are they read themselves.
 */
function firstCards(db: Db, order: BoardOrder, where?: SQL) {
  const first = db
    .select({ seq: contacts.seq })
    .from(contacts)
    .where(and(eq(contacts.funnelStageId, funnelStages.id), where))
    .orderBy(...orders[order])
    .limit(sql.placeholder('limit'))
    .as('first')
  return db.select(cardColumns).from(funnelStages).crossJoinLateral(first).innerJoin(contacts, eq(contacts.seq, first.seq))
}

/** The board without filters, which is what everybody opens first. */
const wholeBoard = new Map(boardOrders.map((order) => [order, prepared((db) => firstCards(db, order).prepare(`board-${order}`))]))

/** By stage alone the totals are kept. */
async function countAll(db: Db, stageId: string | null): Promise<Map<string, Total>> {
  const rows = await db
    .select({ stageId: contactCounts.funnelStageId, total: sql<string>`sum(${contactCounts.change})` })
    .from(contactCounts)
    .where(stageId ? eq(contactCounts.funnelStageId, stageId) : undefined)
    .groupBy(contactCounts.funnelStageId)
  return new Map(rows.map((row) => [row.stageId, { total: Number(row.total), totalIsExact: true }]))
}

/** With filters each column is counted up to where it says no more than that there are many. */
async function countUpTo(db: Db, condition: SQL): Promise<Map<string, Total>> {
  const { rows } = await db.execute<{ id: string; total: string }>(sql`
    select stage.id, matching.total from funnel_stages as stage
    cross join lateral (
      select count(*) as total
      from (select from contacts where funnel_stage = stage.id and (${condition}) limit ${countedMatches + 1}) as counted
    ) as matching`)
  return new Map(rows.map(({ id, total }) => [id, capped(Number(total))]))
}

const capped = (counted: number): Total => ({ total: Math.min(counted, countedMatches), totalIsExact: counted <= countedMatches })

/** The cards as they are answered: in order, and whether there are more, of which one was read. */
function page(rows: readonly BoardCard[], order: BoardOrder, limit: number): { cards: BoardCard[]; more: boolean } {
  const cards = rows.toSorted((a, b) => comparePlaces(order, a.place, b.place))
  return { cards: cards.slice(0, limit), more: cards.length > limit }
}

/** A search that finds few is asked once, and its matches are dealt to their columns; one that finds many is asked for each column. */
async function searchedBoard(scope: Scope, { order, limit, ids, ...filters }: BoardInput): Promise<BoardColumn[]> {
  const among = ids && inArray(contacts.id, ids)
  const [stages, all] = await Promise.all([listStages(scope.db), narrowed(scope, filters)])
  if (all.exact) {
    const [cards, totals] = await Promise.all([
      firstAmong(scope.db, and(all.where, among), order, limit + 1),
      countExactly(scope.db, all.where),
    ])
    const byStage = Map.groupBy(cards, ({ funnelStageId }) => funnelStageId)
    return stages.map(({ id }) => ({ stageId: id, ...page(byStage.get(id) ?? [], order, limit), ...(totals.get(id) ?? nobody) }))
  }
  return Promise.all(
    stages.map(async ({ id }) => {
      const { where, isMatch, total, exact } = await narrowed(scope, filters, id)
      const cards = await cardsInOrder(scope.db, and(where, among), isMatch, order, limit + 1)
      return { stageId: id, ...page(cards, order, limit), total, totalIsExact: exact }
    }),
  )
}

/** More cards of one column. */
export async function cardsOfColumn(scope: Scope, { stage, order, limit, after, ...filters }: BoardColumnInput) {
  const { where, isMatch } = await narrowed(scope, filters, stage)
  const rest = after === undefined ? undefined : beyond(order, after)
  const result = page(await cardsInOrder(scope.db, and(where, rest), isMatch, order, limit + 1), order, limit)
  await sawContacts(scope, result.cards)
  return result
}

/**
 * The filters as conditions. Few matches of a search are named one by one; many leave it to `isMatch`, which rows read in the column's order
 * soon meet. `total` is of a search alone.
 */
async function narrowed(scope: Scope, filters: ContactFilters, stage?: string) {
  const condition = and(stage ? eq(contacts.funnelStageId, stage) : undefined, await conditionOf(scope, filters))
  const term = readTerm(filters.search)
  if (!term) return { where: condition, total: 0, exact: true }
  const { seqs, total, exact, matches } = await search(scope, term, condition, 0, countedMatches)
  if (!exact) return { where: condition, isMatch: matches, total, exact }
  return { where: and(condition, inArray(contacts.seq, seqs.length > 0 ? seqs : [0])), total, exact }
}

/** One column's cards, read in its order until there are enough of them. */
async function cardsInOrder(
  db: Db,
  where: SQL | undefined,
  isMatch: SQL | undefined,
  order: BoardOrder,
  limit: number,
): Promise<BoardCard[]> {
  const inOrder = sql.join(orders[order], sql`, `)
  // `offset 0` keeps the planner from looking for the matches by their index, all of them, before the first can be shown.
  const source = isMatch ? sql`(select * from contacts where ${where} order by ${inOrder} offset 0) as contacts` : sql`contacts`
  const first = sql`select seq from ${source} where ${isMatch ?? where} order by ${inOrder} limit ${limit}`
  return db.select(cardColumns).from(contacts).where(sql`${contacts.seq} in (${first})`)
}

/** The first cards of each stage among a few contacts. */
async function firstAmong(db: Db, where: SQL | undefined, order: BoardOrder, limit: number): Promise<BoardCard[]> {
  const rank = sql<number>`row_number() over (partition by ${contacts.funnelStageId} order by ${sql.join(orders[order], sql`, `)})`
  const ranked = db
    .select({ seq: contacts.seq, rank: rank.as('rank') })
    .from(contacts)
    .where(where)
    .as('ranked')
  const first = db.select({ seq: ranked.seq }).from(ranked).where(lte(ranked.rank, limit))
  return db.select(cardColumns).from(contacts).where(inArray(contacts.seq, first))
}

async function countExactly(db: Db, where: SQL | undefined): Promise<Map<string, Total>> {
  const rows = await db
    .select({ stageId: contacts.funnelStageId, total: count() })
    .from(contacts)
    .where(where)
    .groupBy(contacts.funnelStageId)
  return new Map(rows.map(({ stageId, total }) => [stageId, { total, totalIsExact: true }]))
}
