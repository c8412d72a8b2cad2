import type { ReactNode } from 'react'
import type { ListView } from './list-view.ts'
import { type DrawnRow, rowsToDraw } from './visible-rows.ts'
import { useVisiblePages } from './useVisiblePages.ts'
import { useDrawn, type VirtualRows } from './useVirtualRows.ts'

interface RowsInSightProps {
  rows: VirtualRows
  view: ListView
  count: number
  rowHeight: number
  currentIndex: number | null
  /** Pages that could not be loaded. */
  failed: readonly number[]
  /** Loads pages; null while the rows belong to the previous search. */
  onPages: ((pages: number[]) => void) | null
  children: (drawn: readonly DrawnRow[]) => ReactNode
}

/** The part of the list that renders again on scroll, separate from everything around it. */
export function VisibleRows({ rows, view, count, rowHeight, currentIndex, failed, onPages, children }: RowsInSightProps) {
  const { first, end, shift } = useDrawn(rows, count)
  useVisiblePages(first, end, count, currentIndex, onPages)
  return children(rowsToDraw({ view, first, end, shift, rowHeight, seen: rows.standing.first, current: currentIndex, failed }))
}
