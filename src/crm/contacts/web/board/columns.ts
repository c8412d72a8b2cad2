import { type BoardOrder, comparePlaces, readPlace } from '../../rules.ts'

/** The properties that determine the place of a card. */
interface Placed {
  id: string
  funnelStageId: string
  place: string
}

interface Totals {
  stageId: string
  total: number
  totalIsExact: boolean
}

/** A column as the server returns it. */
interface ColumnData<Card> extends Totals {
  data: readonly Card[]
  nextCursor: string | null
}

/** The loaded part of a column: its first cards without gaps. */
export interface Column<Card extends Placed = Placed> extends Totals {
  cards: readonly Card[]
  /** The cursor for more cards; null when all are loaded. */
  nextCursor: string | null
  /** The place of the last loaded card; null before any is loaded. */
  end: string | null
}

export type Columns<Card extends Placed = Placed> = readonly Column<Card>[]

export function findCard<Card extends Placed>(columns: Columns<Card>, id: string): Card | null {
  for (const { cards } of columns) {
    const card = cards.find((candidate) => candidate.id === id)
    if (card) return card
  }
  return null
}

/** Converts server columns to loaded ones. */
export const loaded = <Card extends Placed>(columns: readonly ColumnData<Card>[]): Columns<Card> =>
  columns.map(({ data, ...column }) => ({ ...column, cards: data, end: data.at(-1)?.place ?? null }))

/** Inserts a card at its place, unless that is beyond the loaded cards: it will be loaded with them. */
function inserted<Card extends Placed>({ cards, nextCursor, end }: Column<Card>, card: Card, order: BoardOrder): readonly Card[] {
  const at = cards.findIndex((other) => comparePlaces(order, card.place, other.place) < 0)
  if (at >= 0) return cards.toSpliced(at, 0, card)
  const isBehind = nextCursor !== null && (end === null || comparePlaces(order, card.place, end) > 0)
  return isBehind ? cards : [...cards, card]
}

/** Adds the cards requested after `cursor`, unless the column's cursor has changed since. */
export function withMore<Card extends Placed>(
  columns: Columns<Card>,
  stageId: string,
  cursor: string | undefined,
  next: Pick<ColumnData<Card>, 'data' | 'nextCursor'>,
): Columns<Card> {
  const known = new Set(columns.flatMap(({ cards }) => cards.map(({ id }) => id)))
  return columns.map((column) => {
    if (column.stageId !== stageId || column.nextCursor !== cursor) return column
    const cards = [...column.cards, ...next.data.filter(({ id }) => !known.has(id))]
    return { ...column, cards, nextCursor: next.nextCursor, end: next.data.at(-1)?.place ?? column.end }
  })
}

/** The board after changes to these patients. `now`: their current cards by column from the server, including empty columns. */
export function withChanges<Card extends Placed>(
  columns: Columns<Card>,
  ids: ReadonlySet<string>,
  now: readonly ColumnData<Card>[],
  order: BoardOrder,
): Columns<Card> {
  return columns.map((column) => {
    const fresh = now.find(({ stageId }) => stageId === column.stageId)
    let result: Column<Card> = { ...column, cards: column.cards.filter(({ id }) => !ids.has(id)) }
    for (const card of fresh?.data ?? []) result = { ...result, cards: inserted(result, card, order) }
    return fresh ? { ...result, total: fresh.total, totalIsExact: fresh.totalIsExact } : result
  })
}

/** The place of a card that enters a stage at an instant (ISO 8601, milliseconds). */
export function placeAt(place: string, enteredAt: string): string {
  return `${enteredAt.replace('Z', '000Z')}_${readPlace(place)?.seq ?? 0}`
}

/** The board after moving a card out of `from`, with updated totals. */
export function withMove<Card extends Placed>(columns: Columns<Card>, moved: Card, order: BoardOrder, from: string): Columns<Card> {
  return columns.map((column) => {
    const without = { ...column, cards: column.cards.filter(({ id }) => id !== moved.id) }
    const isTarget = column.stageId === moved.funnelStageId
    const cards = isTarget ? inserted(without, moved, order) : without.cards
    const by = (isTarget ? 1 : 0) - (column.stageId === from ? 1 : 0)
    return { ...column, cards, total: column.totalIsExact ? Math.max(0, column.total + by) : column.total }
  })
}

/** The id of the neighbouring card: above or below in its column, or at the same index in the next column with cards. */
export function neighbour(columns: Columns, id: string, way: 'up' | 'down' | 'left' | 'right'): string | null {
  const at = columns.findIndex(({ cards }) => cards.some((card) => card.id === id))
  const index = columns[at]?.cards.findIndex((card) => card.id === id) ?? -1
  if (at < 0) return columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id ?? null
  if (way === 'up' || way === 'down') return columns[at]?.cards[index + (way === 'down' ? 1 : -1)]?.id ?? null
  const by = way === 'right' ? 1 : -1
  for (let next = at + by; columns[next]; next += by) {
    const cards = columns[next]?.cards ?? []
    if (cards.length > 0) return cards[Math.min(index, cards.length - 1)]?.id ?? null
  }
  return null
}
