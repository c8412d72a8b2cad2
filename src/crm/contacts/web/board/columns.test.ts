import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boardOrders, comparePlaces } from '../../rules.ts'
import { type Columns, findCard, loaded, neighbour, placeAt, withChanges, withMore, withMove } from './columns.ts'

const stageIds = ['lead', 'contacted', 'lost']
interface Card {
  id: string
  funnelStageId: string
  place: string
}

const instant = (at: number) => `2026-03-02T15:00:00.${String(at).padStart(3, '0')}Z`
const person = fc.record({ stage: fc.constantFrom(...stageIds), at: fc.nat(20) })
const clinic = fc.array(person, { maxLength: 30 }).map((people) =>
  people.map<Card>(({ stage, at }, seq) => ({
    id: `p${seq}`,
    funnelStageId: stage,
    place: placeAt(`_${seq}`, instant(at)).replace(/_.*/, `_${seq}`),
  })),
)
const order = fc.constantFrom(...boardOrders)
type Order = (typeof boardOrders)[number]

const columnOf = (cards: readonly Card[], stageId: string, by: Order) =>
  cards.filter(({ funnelStageId }) => funnelStageId === stageId).toSorted((a, b) => comparePlaces(by, a.place, b.place))

/** The server's response: the first cards of each column. */
function answer(cards: readonly Card[], by: Order, limit: number) {
  return stageIds.map((stageId) => {
    const all = columnOf(cards, stageId, by)
    return { stageId, ...pageOf(all, limit), total: all.length, totalIsExact: true }
  })
}
const pageOf = (all: readonly Card[], limit: number) => {
  const data = all.slice(0, limit)
  return { data, nextCursor: all.length > limit ? (data.at(-1)?.place ?? null) : null }
}
const board = (cards: readonly Card[], by: Order, limit: number): Columns<Card> => loaded(answer(cards, by, limit))

/** Expects the loaded cards of each column to be its first ones in order, without gaps or duplicates, with a cursor if there are more. */
function expectFirstOf(columns: Columns<Card>, cards: readonly Card[], by: Order) {
  for (const column of columns) {
    const all = columnOf(cards, column.stageId, by)
    expect(column.cards).toEqual(all.slice(0, column.cards.length))
    if (column.nextCursor === null) expect(column.cards).toHaveLength(all.length)
    expect(column.total).toBe(all.length)
  }
}

/** Changes to patients: moved to another stage at another time, or deleted. */
const changes = fc.array(fc.record({ who: fc.nat(29), to: fc.option(fc.constantFrom(...stageIds)), at: fc.nat(20) }), { maxLength: 6 })
const apply = (cards: readonly Card[], all: { who: number; to: string | null; at: number }[]) =>
  all.reduce<readonly Card[]>(
    (now, { who, to, at }) =>
      now.flatMap((card) =>
        card.id !== `p${who}` ? [card] : to === null ? [] : [{ ...card, funnelStageId: to, place: placeAt(card.place, instant(at)) }],
      ),
    cards,
  )

describe('columns of the board', () => {
  it('keep the first cards in order through any changes by others, at any depth', () => {
    fc.assert(
      fc.property(clinic, order, fc.integer({ min: 1, max: 8 }), fc.array(changes, { maxLength: 4 }), (start, by, limit, rounds) => {
        let cards: readonly Card[] = start
        let columns = board(cards, by, limit)
        for (const round of rounds) {
          cards = apply(cards, round)
          const ids = new Set(round.map(({ who }) => `p${who}`))
          const fresh = answer(cards, by, 100).map((column) => ({ ...column, data: column.data.filter(({ id }) => ids.has(id)) }))
          columns = withChanges(columns, ids, fresh, by)
          expectFirstOf(columns, cards, by)
        }
        for (const { stageId, nextCursor } of columns) {
          if (nextCursor === null) continue
          const next = pageOf(
            columnOf(cards, stageId, by).filter(({ place }) => comparePlaces(by, place, nextCursor) > 0),
            limit,
          )
          expect(withMore(columns, stageId, 'elsewhere', next)).toEqual(columns)
          columns = withMore(columns, stageId, nextCursor, next)
        }
        expectFirstOf(columns, cards, by)
      }),
    )
  })

  it('match the server after a move, and after moving back', () => {
    fc.assert(
      fc.property(
        clinic,
        order,
        fc.integer({ min: 1, max: 8 }),
        fc.nat(29),
        fc.constantFrom(...stageIds),
        fc.nat(20),
        (cards, by, limit, who, to, at) => {
          const columns = board(cards, by, limit)
          const card = findCard(columns, `p${who}`)
          if (!card) return
          const moved = { ...card, funnelStageId: to, place: placeAt(card.place, instant(at)) }
          const after = withMove(columns, moved, by, card.funnelStageId)
          expectFirstOf(
            after,
            cards.map((one) => (one.id === card.id ? moved : one)),
            by,
          )
          // A card that moved beyond the loaded ones is restored.
          expectFirstOf(withMove(after, card, by, to), cards, by)
        },
      ),
    )
  })

  it('lead each arrow key to a card or nowhere, and back to the same column', () => {
    fc.assert(
      fc.property(clinic, order, (cards, by) => {
        const columns = board(cards, by, 10)
        for (const { id } of columns.flatMap((column) => column.cards)) {
          for (const [there, back] of [
            ['up', 'down'],
            ['down', 'up'],
            ['left', 'right'],
            ['right', 'left'],
          ] as const) {
            const next = neighbour(columns, id, there)
            if (next === null) continue
            const returned = neighbour(columns, next, back)
            expect(returned && findCard(columns, returned)?.funnelStageId).toBe(findCard(columns, id)?.funnelStageId)
          }
        }
        expect(neighbour(columns, 'nobody', 'down')).toBe(columns.flatMap((column) => column.cards)[0]?.id ?? null)
      }),
    )
  })
})
