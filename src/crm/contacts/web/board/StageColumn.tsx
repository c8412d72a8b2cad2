import { useMemo } from 'react'
import type { Clock } from '../../../../ui/format.ts'
import type { FunnelStage } from '../../../pipeline/contract.ts'
import type { Directory } from '../embed/directory.ts'
import type { CardActions } from './BoardCard.tsx'
import { BoardColumn, type ColumnMarks } from './BoardColumn.tsx'
import type { Column } from './columns.ts'
import type { Board, Card } from './useBoard.ts'
import type { DraggedCard } from './useBoardDrag.ts'

/** The cards that keys and pointers act on, in any column. */
interface MarkedCards {
  current: string | null
  dragged: DraggedCard | null
  /** The card whose menu is open. */
  menu: string | null
  /** The card that the user moved last. */
  mine: string | null
}

interface StageColumnProps {
  stage: FunnelStage
  column: Column<Card>
  board: Board
  marked: MarkedCards
  directory: Directory
  clock: Clock
  actions: CardActions
}

/** Passes a column only what concerns its own cards, so that it does not render again when another one changes. */
export function StageColumn({ stage, column, board, marked, directory, clock, actions }: StageColumnProps) {
  const { dragged, mine } = marked
  const has = (id: string | null | undefined) => (id && column.cards.some((card) => card.id === id) ? id : null)
  const isTarget = dragged?.over === stage.id && dragged.card.funnelStageId !== stage.id
  const current = has(marked.current)
  const stop = current ?? column.cards[0]?.id ?? null
  const draggedId = has(dragged?.card.id)
  const menu = has(marked.menu)
  const marks = useMemo<ColumnMarks>(
    () => ({ isTarget, current, stop, draggedId, menu, mine }),
    [isTarget, current, stop, draggedId, menu, mine],
  )
  return (
    <BoardColumn
      stage={stage}
      column={column}
      directory={directory}
      clock={clock}
      marks={marks}
      loading={board.loading.get(stage.id)}
      onMore={board.more}
      actions={actions}
    />
  )
}
