import { useRef, useState } from 'react'
import { fullName } from '../embed/contact-data.ts'
import type { Directory } from '../embed/directory.ts'
import { type Columns, findCard } from './columns.ts'
import type { Board, Card } from './useBoard.ts'
import type { BoardKeys } from './useBoardKeys.ts'
import type { CurrentCard } from './useCurrentCard.ts'
import { usePointerDrag } from './usePointerDrag.ts'

/** A card dragged by pointer, with a drag image (`ghost`), or by keyboard. */
export interface DraggedCard {
  card: Card
  over: string | null
  ghost: { width: number; x: number; y: number } | null
}

interface Options {
  board: Board
  columns: Columns<Card>
  stages: Directory['stages']
  current: CurrentCard
  /** Moves a card. `after` runs once the card is in its new column. */
  send: (card: Card, stageId: string, after?: () => void) => void
  /** Has screen readers speak a sentence. */
  announce: (sentence: string) => void
  onLift: () => void
}

/** Drags cards between columns, by pointer and by keyboard. `image`: for the drag image's element. `keys`: for `useBoardKeys`. */
export function useBoardDrag(scroller: HTMLElement | null, { board, columns, stages, current, send, announce, onLift }: Options) {
  const image = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<DraggedCard | null>(null)
  const nameOf = (stageId: string) => stages.find(({ id }) => id === stageId)?.name ?? ''

  function lift(card: Card, ghost: DraggedCard['ghost']) {
    board.hold()
    current.setId(card.id)
    onLift()
    setDragged({ card, over: ghost ? null : card.funnelStageId, ghost })
  }
  function putDown() {
    if (dragged) board.release()
    setDragged(null)
  }

  usePointerDrag(scroller, {
    onLift(id, ghost) {
      const card = findCard(columns, id)
      if (card) lift(card, ghost)
    },
    onMove(x, y) {
      if (image.current) image.current.style.translate = `${x}px ${y}px`
    },
    onOver: (over) => setDragged((now) => now && { ...now, over }),
    onDrop(_id, stageId) {
      putDown()
      if (dragged) send(dragged.card, stageId)
    },
    onCancel: putDown,
  })

  const keys: Pick<BoardKeys, 'isLifted' | 'lift' | 'aim' | 'drop' | 'cancel'> = {
    isLifted: dragged !== null && dragged.ghost === null,
    lift() {
      const { card } = current
      if (!card) return
      lift(card, null)
      current.focus(card.id)
      announce(
        `${fullName(card)} picked up from ${nameOf(card.funnelStageId)}. Use the left and right arrow keys to choose a stage, Space to drop the card, Escape to cancel.`,
      )
    },
    aim(way) {
      const at = columns.findIndex(({ stageId }) => stageId === dragged?.over)
      const next = columns[at + (way === 'right' ? 1 : -1)]
      if (!dragged || !next) return
      setDragged({ ...dragged, over: next.stageId })
      announce(`${nameOf(next.stageId)}, ${at + (way === 'right' ? 2 : 0)} of ${columns.length}.`)
      scroller?.querySelector(`[data-stage="${next.stageId}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    drop() {
      putDown()
      if (!dragged?.over) return
      const { card, over } = dragged
      if (over === card.funnelStageId) announce(`${fullName(card)} stays in ${nameOf(over)}.`)
      else send(card, over, () => current.focus(card.id, over))
    },
    cancel() {
      putDown()
      if (dragged) announce(`${fullName(dragged.card)} stays in ${nameOf(dragged.card.funnelStageId)}.`)
    },
  }
  return { dragged, image, keys }
}
