import { useNavigate } from '@tanstack/react-router'
import { useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { cn } from '../../../../ui/cn.ts'
import { fullName } from '../embed/contact-data.ts'
import type { Directory } from '../embed/directory.ts'
import { recallPlace, rememberPlace } from '../embed/list-place.ts'
import type { ListSearch } from '../embed/list-search.ts'
import { useLostReason } from '../embed/lost/useLostReason.tsx'
import type { CardActions } from './BoardCard.tsx'
import { BoardColumn } from './BoardColumn.tsx'
import { CardContent } from './CardContent.tsx'
import { type Columns, findCard, neighbour } from './columns.ts'
import type { Board as BoardState, Card } from './useBoard.ts'
import { useBoardKeys, type Way } from './useBoardKeys.ts'
import { useLatest } from './useLatest.ts'
import { useMove } from './useMove.ts'
import { usePointerDrag } from './usePointerDrag.ts'

interface BoardProps {
  board: BoardState
  columns: Columns<Card>
  search: ListSearch
  directory: Directory
  ref: React.Ref<{ enter: () => void }>
}

/** A card dragged by pointer, with a drag image (`ghost`), or by keyboard. */
interface DraggedCard {
  card: Card
  over: string | null
  ghost: { width: number; x: number; y: number } | null
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
  const ghost = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(() => recallPlace()?.current ?? null)
  const [menu, setMenu] = useState<string | null>(null)
  const [dragged, setDragged] = useState<DraggedCard | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const [mine, setMine] = useState<string | null>(null)
  const move = useMove(board, directory)
  const { moveTo, dialog } = useLostReason()
  const stop = findCard(columns, current ?? '')?.id ?? columns.find(({ cards }) => cards.length > 0)?.cards[0]?.id ?? null

  /** Focuses a card as soon as its column has rendered it. `stageId`: the column that it is being moved to. */
  const focusCard = useCallback((id: string, stageId?: string) => {
    setCurrent(id)
    const column = stageId ? `[data-stage="${stageId}"] ` : ''
    let attemptsLeft = 30
    const whenThere = () => {
      const card = document.querySelector<HTMLElement>(`${column}[data-card="${id}"]`)
      if (!card) return attemptsLeft-- > 0 && requestAnimationFrame(whenThere)
      card.querySelector('a')?.focus({ preventScroll: true })
      return card.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    }
    requestAnimationFrame(whenThere)
  }, [])

  function remember(id: string) {
    const column = columns.find(({ cards }) => cards.some((card) => card.id === id))
    if (!column) return
    const ids = column.cards.map((card) => card.id)
    rememberPlace({ search, ids, before: 0, total: column.total, totalIsExact: column.totalIsExact, current: id })
  }

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

  function lift(card: Card, picture: DraggedCard['ghost']) {
    board.hold()
    setCurrent(card.id)
    setMenu(null)
    setDragged({ card, over: picture ? null : card.funnelStageId, ghost: picture })
  }
  function putDown() {
    if (dragged) board.release()
    setDragged(null)
  }
  const nameOf = (stageId: string) => stages.find(({ id }) => id === stageId)?.name ?? ''

  usePointerDrag(scroller, {
    onLift(id, picture) {
      const card = findCard(columns, id)
      if (card) lift(card, picture)
    },
    onMove(x, y) {
      if (ghost.current) ghost.current.style.translate = `${x}px ${y}px`
    },
    onOver: (over) => setDragged((now) => now && { ...now, over }),
    onDrop(_id, stageId) {
      putDown()
      if (dragged) send(dragged.card, stageId)
    },
    onCancel: putDown,
  })

  const getCurrentCard = () => findCard(columns, current ?? '')
  useBoardKeys(scroller, {
    isLifted: dragged !== null && dragged.ghost === null,
    step(way: Way) {
      const next = neighbour(columns, current ?? '', way)
      if (next !== null) focusCard(next)
    },
    open() {
      const card = getCurrentCard()
      if (!card) return
      remember(card.id)
      void navigate({ to: '/contacts/$id', params: { id: card.id } })
    },
    edit() {
      const card = getCurrentCard()
      if (!card) return
      remember(card.id)
      void navigate({ to: '/contacts/$id/edit', params: { id: card.id } })
    },
    menu: () => setMenu(getCurrentCard()?.id ?? null),
    lift() {
      const card = getCurrentCard()
      if (!card) return
      lift(card, null)
      focusCard(card.id)
      setAnnouncement(
        `${fullName(card)} picked up from ${nameOf(card.funnelStageId)}. Use the left and right arrow keys to choose a stage, Space to drop the card, Escape to cancel.`,
      )
    },
    aim(way) {
      const at = columns.findIndex(({ stageId }) => stageId === dragged?.over)
      const next = columns[at + (way === 'right' ? 1 : -1)]
      if (!dragged || !next) return
      setDragged({ ...dragged, over: next.stageId })
      setAnnouncement(`${nameOf(next.stageId)}, ${at + (way === 'right' ? 2 : 0)} of ${columns.length}.`)
      scroller?.querySelector(`[data-stage="${next.stageId}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
    drop() {
      putDown()
      if (!dragged?.over) return
      const { card, over } = dragged
      if (over === card.funnelStageId) setAnnouncement(`${fullName(card)} stays in ${nameOf(over)}.`)
      else send(card, over, () => focusCard(card.id, over))
    },
    cancel() {
      putDown()
      if (dragged) setAnnouncement(`${fullName(dragged.card)} stays in ${nameOf(dragged.card.funnelStageId)}.`)
    },
  })
  useImperativeHandle(ref, () => ({ enter: () => stop !== null && focusCard(stop) }))

  const doing = useLatest({
    open: remember,
    current: setCurrent,
    menu: setMenu,
    move(card: Card, stageId: string) {
      // Focus moves to the next card in the column.
      const next = neighbour(columns, card.id, 'down') ?? neighbour(columns, card.id, 'up')
      send(card, stageId, () => next !== null && focusCard(next))
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
          const has = (id: string | null | undefined) => (id && column.cards.some((card) => card.id === id) ? id : null)
          return (
            stage && (
              <BoardColumn
                key={stage.id}
                stage={stage}
                column={column}
                directory={directory}
                clock={clock}
                isTarget={dragged?.over === stage.id && dragged.card.funnelStageId !== stage.id}
                current={has(current)}
                stop={has(current) ?? column.cards[0]?.id ?? null}
                draggedId={has(dragged?.card.id)}
                menu={has(menu)}
                mine={mine}
                loading={board.loading.get(stage.id)}
                onMore={board.more}
                actions={actions}
              />
            )
          )
        })}
      </div>
      {dragged?.ghost && (
        <div
          ref={ghost}
          aria-hidden="true"
          className="pointer-events-none fixed top-0 left-0 z-(--z-popover) flex flex-col rounded-md border border-accent bg-raised px-3 py-2 shadow-md"
          style={{ width: dragged.ghost.width, translate: `${dragged.ghost.x}px ${dragged.ghost.y}px` }}
        >
          <CardContent
            card={dragged.card}
            directory={directory}
            clock={clock}
            name={<span className="truncate text-sm font-medium text-fg">{fullName(dragged.card)}</span>}
          />
        </div>
      )}
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
