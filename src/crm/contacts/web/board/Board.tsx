import { useNavigate } from '@tanstack/react-router'
import { useImperativeHandle, useMemo, useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { fullName } from '../embed/contact-data.ts'
import type { Directory } from '../embed/directory.ts'
import type { ListSearch } from '../embed/list-search.ts'
import { useLostReason } from '../embed/lost/useLostReason.tsx'
import type { CardActions } from './BoardCard.tsx'
import { type Columns, neighbour } from './columns.ts'
import { DragImage } from './DragImage.tsx'
import { StageColumn } from './StageColumn.tsx'
import type { Board as BoardState, Card } from './useBoard.ts'
import { useBoardDrag } from './useBoardDrag.ts'
import { useBoardKeys, type Way } from './useBoardKeys.ts'
import { useCurrentCard } from './useCurrentCard.ts'
import { useLatest } from './useLatest.ts'
import { useMove } from './useMove.ts'

interface BoardProps {
  board: BoardState
  columns: Columns<Card>
  search: ListSearch
  directory: Directory
  ref: React.Ref<{ enter: () => void }>
}

/** The columns of the board, with drag and drop by mouse, touch and keyboard. */
export function Board({ board, columns: all, search, directory, ref }: BoardProps) {
  const { stages } = directory
  // A retired stage is shown while it has patients.
  const columns = useMemo(
    () => all.filter(({ stageId, total }) => total > 0 || stages.find(({ id }) => id === stageId)?.isActive !== false),
    [all, stages],
  )
  const clock = useClock()
  const navigate = useNavigate()
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [menu, setMenu] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const [mine, setMine] = useState<string | null>(null)
  const current = useCurrentCard(columns, search)
  const move = useMove(board, directory)
  const { moveTo, dialog } = useLostReason()

  /** Moves a card, after asking for the lost reason if needed. `after` runs once the card is in its new column. */
  function send(card: Card, stageId: string, after?: () => void) {
    const stage = stages.find(({ id }) => id === stageId)
    if (!stage?.isActive || stageId === card.funnelStageId) return
    moveTo(stage, fullName(card), (lostReason) => {
      setMine(card.id)
      setAnnouncement(`${fullName(card)} moved to ${stage.name}.`)
      void move(card, stageId, lostReason)
      after?.()
    })
  }

  const onLift = () => setMenu(null)
  const { dragged, image, keys } = useBoardDrag(scroller, { board, columns, stages, current, send, announce: setAnnouncement, onLift })
  function open(to: '/contacts/$id' | '/contacts/$id/edit') {
    const { card } = current
    if (!card) return
    current.remember(card.id)
    void navigate({ to, params: { id: card.id } })
  }
  useBoardKeys(scroller, {
    ...keys,
    step(way: Way) {
      const next = neighbour(columns, current.id ?? '', way)
      if (next !== null) current.focus(next)
    },
    open: () => open('/contacts/$id'),
    edit: () => open('/contacts/$id/edit'),
    menu: () => setMenu(current.card?.id ?? null),
  })
  const stop = current.card?.id ?? columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id ?? null
  useImperativeHandle(ref, () => ({ enter: () => stop !== null && current.focus(stop) }))

  const doing = useLatest({
    open: current.remember,
    current: current.setId,
    menu: setMenu,
    move(card: Card, stageId: string) {
      // Focus moves to the next card in the column.
      const next = neighbour(columns, card.id, 'down') ?? neighbour(columns, card.id, 'up')
      send(card, stageId, () => next !== null && current.focus(next))
    },
  })
  const actions = useMemo<CardActions>(
    () => ({
      open: (id) => doing.current.open(id),
      current: (id) => doing.current.current(id),
      menu: (id) => doing.current.menu(id),
      move: (card, stageId) => doing.current.move(card, stageId),
    }),
    [doing],
  )

  return (
    <>
      <div
        ref={setScroller}
        role="group"
        aria-label="Board"
        data-scroll-restoration-id="board"
        aria-busy={board.isStale}
        className={cn(
          'relative flex min-h-0 flex-1 overflow-x-auto overscroll-x-contain',
          dragged ? 'cursor-grabbing' : 'snap-x snap-mandatory md:snap-none',
          board.isStale && 'opacity-60 transition-opacity delay-200',
        )}
      >
        {columns.map((column) => {
          const stage = stages.find(({ id }) => id === column.stageId)
          return (
            stage && (
              <StageColumn
                key={stage.id}
                stage={stage}
                column={column}
                board={board}
                marked={{ current: current.id, dragged, menu, mine }}
                directory={directory}
                clock={clock}
                actions={actions}
              />
            )
          )
        })}
      </div>
      {dragged && <DragImage ref={image} dragged={dragged} directory={directory} />}
      <p id="board-help" className="sr-only">
        Press Space to pick up the card, or S to choose a stage.
      </p>
      <p role="status" aria-live="assertive" className="sr-only">
        {announcement}
      </p>
      {dialog}
    </>
  )
}
