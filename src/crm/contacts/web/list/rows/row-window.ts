export interface Drawn {
  first: number
  /** Not included. */
  end: number
  /** The rows stand this much higher than they would in a list of full height, in px. */
  shift: number
}

/** Which rows of a list are drawn now. Anyone who draws them watches: that part of the page alone is made again while the list scrolls. */
export interface RowWindow {
  drawn: () => Drawn
  change: (next: Drawn) => void
  watch: (show: (drawn: Drawn) => void) => () => void
}

export function createRowWindow(drawn: Drawn): RowWindow {
  let now = drawn
  const watchers = new Set<(drawn: Drawn) => void>()
  return {
    drawn: () => now,
    change(next) {
      now = next
      for (const show of watchers) show(next)
    },
    watch(show) {
      watchers.add(show)
      show(now)
      return () => watchers.delete(show)
    },
  }
}
