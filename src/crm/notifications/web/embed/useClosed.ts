import { useState } from 'react'

const key = 'refyne.closed-reminders'

/** Those that were closed in this tab, or collapsed into the bell, also once it has been loaded again: they stay unread, and are out of the way. */
export function useClosed(): [closed: ReadonlySet<string>, close: (ids: readonly string[]) => void] {
  const [closed, setClosed] = useState(read)
  function close(ids: readonly string[]) {
    const next = new Set([...closed, ...ids])
    setClosed(next)
    try {
      sessionStorage.setItem(key, JSON.stringify([...next]))
    } catch {
      // A browser that keeps nothing: then they come back with the next load.
    }
  }
  return [closed, close]
}

function read(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}
