import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { useReorder } from './useReorder.ts'

export type LineOrder = ReturnType<typeof useLineOrder>

/** Reordering of lines: by dragging handles, or with Alt and an arrow key anywhere in a line. */
export function useLineOrder<Line extends { key: string }>(
  lines: readonly Line[],
  nameOf: (line: Line) => string,
  onChange: (lines: Line[]) => void,
) {
  const lineOf = (key: string) => lines.find((line) => line.key === key)
  const { shift, ...reorder } = useReorder({
    ids: lines.map(({ key }) => key),
    nameOf(key) {
      const line = lineOf(key)
      return (line && nameOf(line)) || 'The line'
    },
    onMove(key, before) {
      const moved = lineOf(key)
      const others = lines.filter((line) => line.key !== key)
      const at = before === null ? others.length : others.findIndex((line) => line.key === before)
      if (moved) onChange(others.toSpliced(at, 0, moved))
    },
  })

  /** Returns whether the key moved the line. */
  function moveByKey(event: KeyboardEvent, key: string): boolean {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return false
    event.preventDefault()
    const { target } = event
    flushSync(() => shift(key, event.key === 'ArrowUp' ? -1 : 1))
    // A row that moves in the DOM loses the focus.
    if (target instanceof HTMLElement) target.focus()
    return true
  }
  return { ...reorder, moveByKey }
}
