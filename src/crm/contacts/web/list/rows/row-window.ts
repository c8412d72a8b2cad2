export interface Drawn {
  first: number
  /** Not included. */
  end: number
  /** How much higher the rows are than in a list of full height, in px. */
  shift: number
}

/** The rendered range of rows. Subscribers render again on scroll, without the rest of the page. */
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
