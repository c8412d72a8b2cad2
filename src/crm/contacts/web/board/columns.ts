import { type BoardOrder, comparePlaces, readPlace } from '../../rules.ts'

/** What a card must have to be put in its place. */
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

/** A column as the server answers it. */
interface ColumnData<Card> extends Totals {
  data: readonly Card[]
  nextCursor: string | null
}

/** A column as far as it is loaded: its first cards without a gap. */
export interface Column<Card extends Placed = Placed> extends Totals {
  cards: readonly Card[]
  /** What follows comes after this; null when all cards are there. */
  nextCursor: string | null
  /** The place that `nextCursor` stands for; null before any card was loaded. */
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

/** Columns of which the first cards have come. */
export const loaded = <Card extends Placed>(columns: readonly ColumnData<Card>[]): Columns<Card> =>
  columns.map(({ data, ...column }) => ({ ...column, cards: data, end: data.at(-1)?.place ?? null }))

/** Puts a card where it belongs, unless that is behind what is loaded: there it comes with the others that are. */
function inserted<Card extends Placed>({ cards, nextCursor, end }: Column<Card>, card: Card, order: BoardOrder): readonly Card[] {
  const at = cards.findIndex((other) => comparePlaces(order, card.place, other.place) < 0)
  if (at >= 0) return cards.toSpliced(at, 0, card)
  const isBehind = nextCursor !== null && (end === null || comparePlaces(order, card.place, end) > 0)
  return isBehind ? cards : [...cards, card]
}

/** More of a column: what was asked for after `cursor`. If the column goes on elsewhere by now, nothing. */
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

/** The board after someone changed these patients: `now` is what the server says of them, columns without a card included. */
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

/** The place of a card that comes into a stage at an instant (ISO 8601, milliseconds). */
export function placeAt(place: string, enteredAt: string): string {
  return `${enteredAt.replace('Z', '000Z')}_${readPlace(place)?.seq ?? 0}`
}

/** The board with one card in another column than `from`, and the columns' totals as they then are. */
export function withMove<Card extends Placed>(columns: Columns<Card>, moved: Card, order: BoardOrder, from: string): Columns<Card> {
  return columns.map((column) => {
    const without = { ...column, cards: column.cards.filter(({ id }) => id !== moved.id) }
    const isTarget = column.stageId === moved.funnelStageId
    const cards = isTarget ? inserted(without, moved, order) : without.cards
    const by = (isTarget ? 1 : 0) - (column.stageId === from ? 1 : 0)
    return { ...column, cards, total: column.totalIsExact ? Math.max(0, column.total + by) : column.total }
  })
}

/** The card beside this one: above or below in its column, or at about the same height in the next column that has any. */
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
