import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRowWindow, type Drawn } from './row-window.ts'
import { fromRange, rangeHeight, toRange } from './scroll-range.ts'

/** Rows rendered above and below the visible ones. */
const overscan = 8
/**
 * Milliseconds without scrolling until a scroll has ended, and after a wheel, touch or key event in which a scroll is attributed to it.
 */
const [scrollEndMs, userInputMs] = [150, 300]

interface Options {
  scroller: HTMLElement | null
  /** The number of rows. */
  count: number
  /** The height of every row, in px. */
  rowHeight: number
  /** The height of the sticky header, in px. */
  head: number
  /** Space below the last row, in px. */
  foot: number
  /** The initial scroll position, in px. */
  initialTop: number
}

/** The rows to render. The calling component renders again when that range changes. */
export function useDrawn({ rowWindow }: VirtualRows, count: number): Drawn {
  const [drawn, setDrawn] = useState(() => rowWindow.drawn())
  useLayoutEffect(() => rowWindow.watch(setDrawn), [rowWindow])
  return { ...drawn, end: Math.min(drawn.end, count) }
}

/**
 * Decides which rows of a long list to render, and where. A list of up to about 45,000 rows scrolls like any other. A longer one uses a
 * shorter scroll range (scroll-range.ts): wheel, touch and keys scroll pixel by pixel, the scrollbar by scale, and once scrolling ends, the
 * position in the range is corrected invisibly.
 */
export function useVirtualRows({ scroller, count, rowHeight, head, foot, initialTop }: Options) {
  // The full height, with space so that the last row is not covered.
  const height = count * rowHeight + foot
  const [measured, setMeasured] = useState<number | null>(null)
  const room = measured ?? window.innerHeight
  const [rowWindow] = useState(() => createRowWindow({ ...rangeAround(initialTop, room, count, rowHeight), shift: 0 }))
  // The range of fully visible rows, updated when scrolling ends.
  const [standing, setStanding] = useState(() => seenAt(initialTop, room, count, rowHeight))
  const at = useRef({ top: initialTop, place: 0, lastHand: -Infinity, byHand: true, timer: 0 })
  const latest = useRef({ count, rowHeight, height, room })
  useLayoutEffect(() => {
    latest.current = { count, rowHeight, height, room }
  })

  /** Renders the rows for the current position, if they are not rendered yet. */
  const draw = useCallback(
    (shift: number, atOnce: boolean) => {
      const { count, rowHeight, room } = latest.current
      const drawn = rowWindow.drawn()
      const next = { ...rangeAround(at.current.top, room, count, rowHeight), shift }
      if (isSame(next, drawn)) return
      const seen = seenAt(at.current.top, room, count, rowHeight)
      const isDrawn = shift === drawn.shift && seen.first > drawn.first && seen.end < drawn.end
      if (atOnce && !isDrawn) flushSync(() => rowWindow.change(next))
      else rowWindow.change(next)
    },
    [rowWindow],
  )

  /** Scrolls the list to a position, in px. */
  const moveTo = useCallback(
    (wanted: number) => {
      if (!scroller) return
      const { height, rowHeight, count, room } = latest.current
      const top = Math.max(0, Math.min(wanted, height - room))
      scroller.scrollTo({ top: Math.round(toRange(top, height)) })
      at.current.top = top
      at.current.place = scroller.scrollTop
      draw(top - at.current.place, false)
      const seen = seenAt(top, room, count, rowHeight)
      setStanding((now) => (now.first === seen.first && now.end === seen.end ? now : seen))
    },
    [scroller, draw],
  )

  useLayoutEffect(() => {
    if (!scroller) return
    const measure = () => setMeasured(Math.max(rowHeight, scroller.clientHeight - head))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [scroller, head, rowHeight])

  // Also when the number or height of rows changes.
  const heightBefore = useRef(rowHeight)
  useLayoutEffect(() => {
    if (measured === null) return
    latest.current = { ...latest.current, count, rowHeight, height, room: measured }
    const top = (at.current.top / heightBefore.current) * rowHeight
    heightBefore.current = rowHeight
    moveTo(top)
  }, [moveTo, count, rowHeight, height, measured])

  useEffect(() => {
    if (!scroller) return
    const now = at.current
    const hand = () => {
      now.lastHand = performance.now()
    }
    const bar = (event: PointerEvent) => {
      if (event.target === scroller && event.pointerType === 'mouse') now.lastHand = -Infinity
    }
    function onScrollEnd() {
      now.timer = 0
      delete scroller!.dataset.scrolling
      moveTo(now.top)
    }
    function onScroll() {
      const { height, room } = latest.current
      const place = scroller!.scrollTop
      const by = place - now.place
      if (by === 0) return
      scroller!.dataset.scrolling = ''
      if (now.timer === 0) now.byHand = performance.now() - now.lastHand < userInputMs || Math.abs(by) <= room
      clearTimeout(now.timer)
      now.timer = window.setTimeout(onScrollEnd, scrollEndMs)
      now.place = place
      now.top = Math.max(0, Math.min(now.byHand ? now.top + by : fromRange(place, height), height - room))
      draw(now.top - place, true)
    }
    const passive = { passive: true }
    scroller.addEventListener('scroll', onScroll, passive)
    scroller.addEventListener('wheel', hand, passive)
    scroller.addEventListener('touchmove', hand, passive)
    scroller.addEventListener('keydown', hand, passive)
    scroller.addEventListener('pointerdown', bar, passive)
    return () => {
      clearTimeout(now.timer)
      now.timer = 0
      delete scroller.dataset.scrolling
      scroller.removeEventListener('scroll', onScroll)
      scroller.removeEventListener('wheel', hand)
      scroller.removeEventListener('touchmove', hand)
      scroller.removeEventListener('keydown', hand)
      scroller.removeEventListener('pointerdown', bar)
    }
  }, [scroller, draw, moveTo])

  return {
    /** For `useDrawn`. */
    rowWindow,
    standing,
    /** The height of the element that contains the rows, in px. */
    height: rangeHeight(height),
    ...useMemo(
      () => ({
        /** The scroll position in the list, in px. */
        top: () => at.current.top,
        moveTo,
        moveToRow: (index: number) => moveTo(index * latest.current.rowHeight),
        moveBy: (rows: number) => moveTo(at.current.top + rows * latest.current.rowHeight),
        /** The first visible row, even if partly. */
        firstSeen: () => Math.floor(at.current.top / latest.current.rowHeight),
        /** The number of fully visible rows at a time. */
        rowsSeen: () => Math.max(1, Math.floor(latest.current.room / latest.current.rowHeight)),
        /** Scrolls as little as needed to show the whole row. */
        reveal(index: number) {
          const { rowHeight, room } = latest.current
          const { top } = at.current
          const [from, to] = [index * rowHeight, (index + 1) * rowHeight]
          if (from < top) moveTo(from)
          else if (to > top + room) moveTo(to - room)
        },
      }),
      [moveTo],
    ),
  }
}

export type VirtualRows = ReturnType<typeof useVirtualRows>

/** A range of constant size, so that a row entering and one leaving are a single change. */
function rangeAround(top: number, room: number, count: number, rowHeight: number) {
  const first = Math.floor(top / rowHeight)
  return { first: Math.max(0, first - overscan), end: Math.min(count, first + 1 + Math.ceil(room / rowHeight) + overscan) }
}

function seenAt(top: number, room: number, count: number, rowHeight: number) {
  return { first: Math.ceil(top / rowHeight), end: Math.min(count, Math.max(1, Math.floor((top + room) / rowHeight))) }
}

const isSame = (a: Drawn, b: Drawn) => a.first === b.first && a.end === b.end && a.shift === b.shift
