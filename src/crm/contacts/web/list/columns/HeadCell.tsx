import { useRef, type PointerEvent } from 'react'
import { Th } from '../../../../../ui/display/Table.tsx'
import { type ColumnId, columns } from './layout.ts'

interface HeadCellProps {
  id: ColumnId
  width: number
  onResize: (width: number) => void
}

/** A column header, resizable by dragging its right edge; the columns menu does the same by keyboard. */
export function HeadCell({ id, width, onResize }: HeadCellProps) {
  const from = useRef<{ x: number; width: number } | null>(null)
  const drag = (event: PointerEvent<HTMLSpanElement>) => {
    if (from.current) onResize(from.current.width + event.clientX - from.current.x)
  }
  return (
    <Th numeric={id === 'lastContact'} className="relative">
      <span className="block truncate">{columns[id].label}</span>
      <span
        aria-hidden="true"
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = { x: event.clientX, width }
        }}
        onPointerMove={drag}
        onPointerUp={(event) => {
          drag(event)
          from.current = null
        }}
        onPointerCancel={() => {
          from.current = null
        }}
        className="absolute inset-y-2 right-0 w-2 cursor-col-resize touch-none border-r border-transparent hover:border-line-2 active:border-accent"
      />
    </Th>
  )
}
