import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRowWindow, type Drawn } from './row-window.ts'
import { fromRange, rangeHeight, toRange } from './scroll-range.ts'

/** Drawn beyond what is seen, above and below, so that a scroll finds its rows there. */
const overscan = 8
/** Milliseconds without a scroll until the list stands; and since the last turn of the wheel, that a scroll still belongs to it. */
const [standsAfter, handAfter] = [150, 300]

interface Options {
  scroller: HTMLElement | null
  /** How many rows there are. */
  count: number
  /** Every row is as high as the others, in px. */
  rowHeight: number
  /** What sticks to the top of the scroller and covers rows, in px. */
  head: number
  /** Room below the last row, in px. */
  foot: number
  /** Where the list begins when it is first seen, in px from its top. */
  initialTop: number
}

/** Which rows to draw now. Anyone who asks is made again when others come into sight. */
export function useDrawn({ rowWindow }: VirtualRows, count: number): Drawn {
  const [drawn, setDrawn] = useState(() => rowWindow.drawn())
  useLayoutEffect(() => rowWindow.watch(setDrawn), [rowWindow])
  return { ...drawn, end: Math.min(drawn.end, count) }
}

/**
 * Which rows of a long list to draw, and where. A list of up to some 45,000 rows scrolls like any other. A longer one stands in a shorter range
 * (scroll-range.ts): what the wheel, a finger or a key moves goes pixel by pixel, what the scrollbar moves goes by the scale, and when the list
 * stands, the range's place is put right unseen.
 */
export function useVirtualRows({ scroller, count, rowHeight, head, foot, initialTop }: Options) {
  // As high as there is to scroll through, so that the last row comes out from under what covers it.
  const height = count * rowHeight + foot
  const [measured, setMeasured] = useState<number | null>(null)
  const room = measured ?? window.innerHeight
  const [rowWindow] = useState(() => createRowWindow({ ...around(initialTop, room, count, rowHeight), shift: 0 }))
  // The first row that is wholly seen and the end of those that are, whenever the list stands.
  const [standing, setStanding] = useState(() => seenAt(initialTop, room, count, rowHeight))
  const at = useRef({ top: initialTop, place: 0, lastHand: -Infinity, byHand: true, timer: 0 })
  const latest = useRef({ count, rowHeight, height, room })
  useLayoutEffect(() => {
    latest.current = { count, rowHeight, height, room }
  })

  /** Draws what is to be seen at the list's present top, if it is not drawn already. */
  const draw = useCallback(
    (shift: number, atOnce: boolean) => {
      const { count, rowHeight, room } = latest.current
      const drawn = rowWindow.drawn()
      const next = { ...around(at.current.top, room, count, rowHeight), shift }
      if (isSame(next, drawn)) return
      const seen = seenAt(at.current.top, room, count, rowHeight)
      const isDrawn = shift === drawn.shift && seen.first > drawn.first && seen.end < drawn.end
      if (atOnce && !isDrawn) flushSync(() => rowWindow.change(next))
      else rowWindow.change(next)
    },
    [rowWindow],
  )

  /** Puts the list's top there, in px: the scroller follows. */
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

  // Also when there are more rows or fewer than before, or when they have become higher.
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
    function stand() {
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
      if (now.timer === 0) now.byHand = performance.now() - now.lastHand < handAfter || Math.abs(by) <= room
      clearTimeout(now.timer)
      now.timer = window.setTimeout(stand, standsAfter)
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
    /** How high the element is that the rows stand in, in px. */
    height: rangeHeight(height),
    ...useMemo(
      () => ({
        /** The list's top, in px. */
        top: () => at.current.top,
        moveTo,
        moveToRow: (index: number) => moveTo(index * latest.current.rowHeight),
        moveBy: (rows: number) => moveTo(at.current.top + rows * latest.current.rowHeight),
        /** The first row that is seen, be it in part. */
        firstSeen: () => Math.floor(at.current.top / latest.current.rowHeight),
        /** How many whole rows are seen at a time. */
        rowsSeen: () => Math.max(1, Math.floor(latest.current.room / latest.current.rowHeight)),
        /** Scrolls no further than needed to have the whole row in sight. */
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

/** As many rows wherever the list stands, so that a row that comes and one that goes are one change. */
function around(top: number, room: number, count: number, rowHeight: number) {
  const first = Math.floor(top / rowHeight)
  return { first: Math.max(0, first - overscan), end: Math.min(count, first + 1 + Math.ceil(room / rowHeight) + overscan) }
}

function seenAt(top: number, room: number, count: number, rowHeight: number) {
  return { first: Math.ceil(top / rowHeight), end: Math.min(count, Math.max(1, Math.floor((top + room) / rowHeight))) }
}

const isSame = (a: Drawn, b: Drawn) => a.first === b.first && a.end === b.end && a.shift === b.shift
