const defaults = { keepFor: 60_000, maxEvents: 1000, now: () => performance.now() }

/** Remembers the events of the last minute, at most a thousand. Times are in milliseconds. */
export function rememberRecent<T>({ keepFor, maxEvents, now }: typeof defaults = defaults) {
  let recent: { what: T; at: number }[] = []
  /** Events up to this time may be forgotten. */
  let unknownUntil = now()

  return {
    add(what: T): void {
      const at = now()
      recent.push({ what, at })
      const firstKept = Math.max(
        recent.findIndex((one) => one.at > at - keepFor),
        recent.length - maxEvents,
      )
      if (firstKept <= 0) return
      unknownUntil = recent[firstKept - 1]!.at
      recent = recent.slice(firstKept)
    },
    /** The events within this time, oldest first; null if some may be forgotten. */
    within(time: number): T[] | null {
      const from = now() - time
      return from <= unknownUntil ? null : recent.filter(({ at }) => at >= from).map(({ what }) => what)
    },
  }
}
