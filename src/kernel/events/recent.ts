const defaults = { keepFor: 60_000, keepMost: 1000, now: () => performance.now() }

/** What happened in the last minute, a thousand things at most. Times are in milliseconds. */
export function rememberRecent<T>({ keepFor, keepMost, now }: typeof defaults = defaults) {
  let recent: { what: T; at: number }[] = []
  /** What happened until then is no longer known, or not. */
  let unknownUntil = now()

  return {
    add(what: T): void {
      const at = now()
      recent.push({ what, at })
      const firstKept = Math.max(
        recent.findIndex((one) => one.at > at - keepFor),
        recent.length - keepMost,
      )
      if (firstKept <= 0) return
      unknownUntil = recent[firstKept - 1]!.at
      recent = recent.slice(firstKept)
    },
    /** What happened within this time, oldest first; null when not all of it is known. */
    within(time: number): T[] | null {
      const from = now() - time
      return from <= unknownUntil ? null : recent.filter(({ at }) => at >= from).map(({ what }) => what)
    },
  }
}
