import type { ReactNode } from 'react'
import type { ListView } from './list-view.ts'
import { type DrawnRow, rowsToDraw } from './rows-to-draw.ts'
import { usePagesInSight } from './usePagesInSight.ts'
import { useDrawn, type VirtualRows } from './useVirtualRows.ts'

interface RowsInSightProps {
  rows: VirtualRows
  view: ListView
  count: number
  rowHeight: number
  currentIndex: number | null
  /** Pages that could not be loaded. */
  failed: readonly number[]
  /** Asks for pages; null while the rows belong to what was asked for before. */
  onPages: ((pages: number[]) => void) | null
  children: (drawn: readonly DrawnRow[]) => ReactNode
}

/** The part of the list that follows each scroll. What stands around it does not. */
export function RowsInSight({ rows, view, count, rowHeight, currentIndex, failed, onPages, children }: RowsInSightProps) {
  const { first, end, shift } = useDrawn(rows, count)
  usePagesInSight(first, end, count, currentIndex, onPages)
  return children(rowsToDraw({ view, first, end, shift, rowHeight, seen: rows.standing.first, current: currentIndex, failed }))
}
