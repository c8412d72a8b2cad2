import { and, asc, count, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { type Db, prepared } from '../../../kernel/postgres/database.ts'
import { exactInstant } from '../../../kernel/postgres/cursors.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { cursorPage } from '../../../shared/page-lists.ts'
import { listStages } from '../../pipeline/service.ts'
import { funnelStages } from '../../pipeline/table.ts'
import {
  type BoardCard,
  type BoardColumn,
  type BoardColumnInput,
  type BoardInput,
  type ContactFilters,
  countedMatches,
} from '../list-contract.ts'
import { conditionOf, isPlain, simplest, wanted } from './filter-sql.ts'
import { columns, recordContactViews } from './list.ts'
import { type BoardOrder, boardOrders, comparePlaces, readPlace, readTerm } from '../rules.ts'
import { search } from './search.ts'
import { contactCounts, contacts } from '../table.ts'

/** A row with its place, to the microsecond (a Date has only milliseconds). */
const cardColumns = {
  ...columns,
  place: sql<string>`${exactInstant(contacts.stageEnteredAt)} || '_' || ${contacts.seq}`.as('place'),
}

const orders: Record<BoardOrder, SQL[]> = {
  latest: [desc(contacts.stageEnteredAt), desc(contacts.seq)],
  longest: [asc(contacts.stageEnteredAt), asc(contacts.seq)],
}

/** The condition for cards after a place in this order. */
function beyond(order: BoardOrder, place: string): SQL {
  const { at, seq } = readPlace(place)!
  const operator = order === 'latest' ? sql`<` : sql`>`
  return sql`(${contacts.stageEnteredAt}, ${contacts.seq}) ${operator} (${at}::timestamptz, ${seq}::bigint)`
}

type Total = Pick<BoardColumn, 'total' | 'totalIsExact'>
type Totals = ReadonlyMap<string, Total>
const emptyTotal: Total = { total: 0, totalIsExact: true }

/** The board: the first cards and the total of each stage, in funnel order. */
export async function boardOf(scope: Scope, asked: BoardInput): Promise<BoardColumn[]> {
  const input = await simplest(scope, asked)
  const hasTotals = !readTerm(input.search) && isPlain(input) && wanted(input.tagId) === null
  const found = await (hasTotals ? plainBoard : narrowedBoard)(scope, input)
  await recordContactViews(
    scope,
    found.flatMap(({ data }) => data),
  )
  return found
}

/** The board with at most a stage filter: the totals are stored. */
async function plainBoard(scope: Scope, { order, limit, ids, ...filters }: BoardInput): Promise<BoardColumn[]> {
  const { db } = scope
  const where = and(await conditionOf(scope, filters), ids && inArray(contacts.id, ids))
  const first = where ? firstCards(db, order, where) : wholeBoard.get(order)!(db)
  const [stages, cards, totals] = await Promise.all([
    listStages(db),
    first.execute({ limit: limit + 1 }),
    countAll(db, wanted(filters.stageId)),
  ])
  return toColumns(stages, cards, totals, order, limit)
}

/** Distributes cards and totals to columns. */
function toColumns(
  stages: readonly { id: string }[],
  cards: readonly BoardCard[],
  totals: Totals,
  order: BoardOrder,
  limit: number,
): BoardColumn[] {
  const byStage = Map.groupBy(cards, ({ funnelStageId }) => funnelStageId)
  return stages.map(({ id }) => ({ stageId: id, ...page(byStage.get(id) ?? [], order, limit), ...(totals.get(id) ?? emptyTotal) }))
}

/**
 * The first cards of all columns in one statement. An index-only scan of `contacts_board`, which covers every filter, finds them; only then
 * are their rows read.
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

/** Prepared statements for the unfiltered board, which everyone opens first. */
const wholeBoard = new Map(boardOrders.map((order) => [order, prepared((db) => firstCards(db, order).prepare(`board-${order}`))]))

/** The stored totals per stage. */
async function countAll(db: Db, stageId: string | null): Promise<Totals> {
  const rows = await db
    .select({ stageId: contactCounts.funnelStageId, total: sql<string>`sum(${contactCounts.change})` })
    .from(contactCounts)
    .where(stageId ? eq(contactCounts.funnelStageId, stageId) : undefined)
    .groupBy(contactCounts.funnelStageId)
  return new Map(rows.map((row) => [row.stageId, { total: Number(row.total), totalIsExact: true }]))
}

/** The number of contacts per stage; empty stages may be missing. */
export const countByStage = async (db: Db): Promise<{ stageId: string; count: number }[]> =>
  [...(await countAll(db, null))].map(([stageId, { total }]) => ({ stageId, count: total }))

/** The totals per stage with a filter, each counted up to the limit. */
async function countUpTo(db: Db, condition: SQL): Promise<Totals> {
  const { rows } = await db.execute<{ id: string; total: string }>(sql`
    select stage.id, matching.total from funnel_stages as stage
    cross join lateral (
      select count(*) as total
      from (select from contacts where funnel_stage = stage.id and (${condition}) limit ${countedMatches + 1}) as counted
    ) as matching`)
  return new Map(rows.map(({ id, total }) => [id, capped(Number(total))]))
}

const capped = (counted: number): Total => ({ total: Math.min(counted, countedMatches), totalIsExact: counted <= countedMatches })

/** A page of cards in order. `rows` has one more than the limit if there are more. */
const page = (rows: readonly BoardCard[], order: BoardOrder, limit: number) =>
  cursorPage(
    rows.toSorted((a, b) => comparePlaces(order, a.place, b.place)),
    limit,
    ({ place }) => place,
  )

/**
 * The board with a search or filters. Few matches are distributed to their columns; with many, each column is read as far as it is shown.
 */
async function narrowedBoard(scope: Scope, { order, limit, ids, ...filters }: BoardInput): Promise<BoardColumn[]> {
  const { db } = scope
  const among = ids && inArray(contacts.id, ids)
  const [stages, { where, isMatch, exact }] = await Promise.all([listStages(db), narrowed(scope, filters)])
  if (exact) {
    const [cards, totals] = await Promise.all([firstAmong(db, and(where, among), order, limit + 1), countExactly(db, where)])
    return toColumns(stages, cards, totals, order, limit)
  }
  if (!isMatch) {
    const first = firstCards(db, order, and(where, among)).execute({ limit: limit + 1 })
    const [cards, totals] = await Promise.all([first, countUpTo(db, where ?? sql`true`)])
    return toColumns(stages, cards, totals, order, limit)
  }
  return Promise.all(
    stages.map(async ({ id }) => {
      const column = await narrowed(scope, filters, id)
      const cards = await cardsInOrder(db, and(column.where, among), column.isMatch, order, limit + 1)
      return { stageId: id, ...page(cards, order, limit), total: column.total, totalIsExact: column.exact }
    }),
  )
}

/** More cards of one column. */
export async function cardsOfColumn(scope: Scope, { stage, order, limit, cursor, ...filters }: BoardColumnInput) {
  const { where, isMatch } = await narrowed(scope, filters, stage)
  const rest = cursor === undefined ? undefined : beyond(order, cursor)
  const result = page(await cardsInOrder(scope.db, and(where, rest), isMatch, order, limit + 1), order, limit)
  await recordContactViews(scope, result.data)
  return result
}

type Narrowed = { where: SQL | undefined; isMatch?: SQL | undefined; total: number; exact: boolean }

/**
 * Search and filters as conditions. With few matches, `where` lists their sequence numbers and `exact` is true. With many matches of a
 * search, `isMatch` is the condition to check rows against that are read in the order of the column.
 */
async function narrowed(scope: Scope, filters: ContactFilters, stage?: string): Promise<Narrowed> {
  const condition = await conditionOf(scope, filters)
  const ofStage = stage ? eq(contacts.funnelStageId, stage) : undefined
  const where = and(ofStage, condition)
  const term = readTerm(filters.search)
  if (!term && !condition) return { where, total: 0, exact: false }
  const { seqs, total, exact, matches } = term
    ? await search(scope, term, where, { needed: 0, counted: countedMatches })
    : { ...(await fewMatches(scope.db, where)), matches: undefined }
  if (exact) return { where: and(ofStage, inArray(contacts.seq, seqs.length > 0 ? seqs : [0])), total, exact }
  return { where, isMatch: matches, total, exact }
}

/** The matches of filters, unordered, up to the count limit. */
async function fewMatches(db: Db, where: SQL | undefined) {
  const rows = await db
    .select({ seq: contacts.seq })
    .from(contacts)
    .where(where)
    .limit(countedMatches + 1)
  return { seqs: rows.map(({ seq }) => seq), total: rows.length, exact: rows.length <= countedMatches }
}

/** The cards of one column, read in its order until there are enough. */
async function cardsInOrder(
  db: Db,
  where: SQL | undefined,
  isMatch: SQL | undefined,
  order: BoardOrder,
  limit: number,
): Promise<BoardCard[]> {
  const inOrder = sql.join(orders[order], sql`, `)
  // `offset 0` keeps the planner from finding all matches by their index before returning the first.
  const source = isMatch ? sql`(select * from contacts where ${where} order by ${inOrder} offset 0) as contacts` : sql`contacts`
  const first = sql`select seq from ${source} where ${isMatch ?? where} order by ${inOrder} limit ${limit}`
  return db
    .select(cardColumns)
    .from(contacts)
    .where(sql`${contacts.seq} in (${first})`)
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

async function countExactly(db: Db, where: SQL | undefined): Promise<Totals> {
  const rows = await db
    .select({ stageId: contacts.funnelStageId, total: count() })
    .from(contacts)
    .where(where)
    .groupBy(contacts.funnelStageId)
  return new Map(rows.map(({ stageId, total }) => [stageId, { total, totalIsExact: true }]))
}
