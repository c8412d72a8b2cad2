import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { indexOf, type ListView, rowAt } from './list-view.ts'

interface Current {
  index: number
  /** The patient in the row; null until loaded, and after they were removed. */
  id: string | null
  isAwaited: boolean
}

/**
 * The row that the keyboard is on: a patient, even if changes move them, or a row that is still loading. Focus follows, so that a screen
 * reader announces the name.
 */
export function useCurrentRow(view: ListView, initial: { index: number; id: string } | null) {
  const [current, setCurrent] = useState<Current | null>(initial && { ...initial, isAwaited: false })
  const key = useRef(view.key)
  const now = placed(current, view)
  if (now !== current) setCurrent(now)

  useLayoutEffect(() => {
    if (key.current === view.key) return
    key.current = view.key
    setCurrent((was) => (was?.id && indexOf(view, was.id) >= 0 ? was : null))
  }, [view])

  const wantsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!wantsFocus.current || now === null) return
    const row = document.getElementById(now.id === null ? `row-${now.index}` : `patient-${now.id}`)
    if (!row) return
    row.focus({ preventScroll: true })
    wantsFocus.current = now.id === null
  })

  return {
    current: now?.id ?? null,
    currentIndex: now?.index ?? null,
    setCurrent: useCallback((index: number, id: string | null) => setCurrent({ index, id, isAwaited: id === null }), []),
    /** Moves to a row and focuses it. */
    focusRow: useCallback((index: number) => {
      wantsFocus.current = true
      setCurrent({ index, id: null, isAwaited: true })
    }, []),
  }
}

function placed(current: Current | null, view: ListView): Current | null {
  if (current === null) return null
  if (current.id === null) {
    const row = current.isAwaited ? rowAt(view, current.index) : undefined
    return row ? { index: current.index, id: row.id, isAwaited: false } : current
  }
  const index = indexOf(view, current.id)
  if (index === current.index) return current
  if (index >= 0) return { ...current, index }
  // Another patient is in this row now: the keyboard keeps its position, but no patient is current.
  return rowAt(view, current.index) ? { index: current.index, id: null, isAwaited: false } : current
}
