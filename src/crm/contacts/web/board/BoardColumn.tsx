import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { type Clock, formatCount } from '../../../../ui/format.ts'
import type { FunnelStage } from '../../../pipeline/contract.ts'
import { StageIcon } from '../../../pipeline/web/embed/StageName.tsx'
import type { Directory } from '../embed/directory.ts'
import { BoardCard, type CardActions } from './BoardCard.tsx'
import type { Column } from './columns.ts'
import type { Card } from './useBoard.ts'
import { useStableScroll } from './useStableScroll.ts'

/** The parts of a column that keys and pointers act on: ids of its own cards, or null. */
export interface ColumnMarks {
  /** Whether the dragged card would be dropped here. */
  isTarget: boolean
  current: string | null
  /** The tab stop of the column; arrow keys reach the other cards. */
  stop: string | null
  draggedId: string | null
  menu: string | null
  /** The card that the user moved last, in any column; it may push others down. */
  mine: string | null
}

interface BoardColumnProps {
  stage: FunnelStage
  column: Column<Card>
  directory: Directory
  clock: Clock
  /** Keeps its identity while nothing in it changes, so that the column does not render again. */
  marks: ColumnMarks
  loading: 'loading' | 'failed' | undefined
  onMore: (stageId: string) => Promise<void>
  actions: CardActions
}

/** The estimated height of a card with its margin, in px, until it is measured. */
const cardHeight = 98
/** More cards are loaded when this many or fewer remain. */
const nearTheEnd = 8

/** A stage with its cards. Renders only visible cards, and loads more near the end. */
export const BoardColumn = memo(function BoardColumn(props: BoardColumnProps) {
  const { stage, column, directory, clock, marks, loading, onMore, actions } = props
  const { isTarget, current, stop, draggedId, menu, mine } = marks
  const { cards, nextCursor, total, totalIsExact } = column
  const more = nextCursor !== null
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => scroller,
    estimateSize: () => cardHeight,
    getItemKey: (index) => cards[index]?.id ?? index,
    overscan: 4,
    paddingStart: 4,
    paddingEnd: 4,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1

  useEffect(() => {
    if (more && loading === undefined && last >= cards.length - nearTheEnd) void onMore(stage.id)
  }, [more, loading, last, cards.length, onMore, stage.id])

  useStableScroll(scroller, cards, current, mine)

  // The current card must be rendered, wherever the keyboard moved.
  const revealed = useRef<string | null>(null)
  useEffect(() => {
    if (current === revealed.current) return
    const at = cards.findIndex(({ id }) => id === current)
    if (at >= 0) virtual.scrollToIndex(at)
    revealed.current = current
  }, [current, cards, virtual])

  const headingId = `stage-${stage.id}`
  return (
    <section
      data-stage={stage.id}
      data-target={isTarget || undefined}
      aria-labelledby={headingId}
      className={cn(
        'flex w-[calc(100vw-3rem)] flex-none snap-center flex-col border-r border-line md:w-auto md:min-w-62 md:flex-1',
        isTarget && 'bg-selected',
      )}
    >
      <h2 id={headingId} className="flex h-10 flex-none items-center gap-2 px-4 text-sm font-semibold text-fg">
        <StageIcon stages={directory.stages} stage={stage} />
        <span className="truncate">{stage.name}</span>
        <span className="ml-auto flex-none font-regular text-fg-3 tabular-nums">
          {formatCount(total)}
          {!totalIsExact && '+'}
          <span className="sr-only"> patients</span>
        </span>
      </h2>
      <div
        ref={setScroller}
        data-scroll-restoration-id={`board-${stage.id}`}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-y-contain px-3 [overflow-anchor:none]"
      >
        {cards.length === 0 && !more && <p className="px-1 pt-1 text-sm text-fg-3">No patients</p>}
        <div role="list" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const card = cards[index]
            if (!card) return null
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                role="listitem"
                aria-posinset={index + 1}
                aria-setsize={more || !totalIsExact ? -1 : cards.length}
                data-index={index}
                className="absolute inset-x-0 top-0 pb-2"
                style={{ transform: `translateY(${start}px)` }}
              >
                <BoardCard
                  card={card}
                  directory={directory}
                  clock={clock}
                  isStop={card.id === stop}
                  isCurrent={card.id === current}
                  isDragged={card.id === draggedId}
                  menuOpen={card.id === menu}
                  actions={actions}
                />
              </div>
            )
          })}
        </div>
        {loading === 'failed' && (
          <p className="flex items-center justify-between gap-2 px-1 pb-3 text-sm text-danger-fg">
            Couldn’t load more.
            <Button size="sm" onClick={() => void onMore(stage.id)}>
              Try again
            </Button>
          </p>
        )}
      </div>
    </section>
  )
})
