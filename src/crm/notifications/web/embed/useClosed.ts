import { useState } from 'react'

const key = 'refyne.closed-reminders'

/** The reminders closed or collapsed in this tab, also after a reload. They stay unread, but do not pop up again. */
export function useClosed(): [closed: ReadonlySet<string>, close: (ids: readonly string[]) => void] {
  const [closed, setClosed] = useState(read)
  function close(ids: readonly string[]) {
    const next = new Set([...closed, ...ids])
    setClosed(next)
    try {
      sessionStorage.setItem(key, JSON.stringify([...next]))
    } catch {
      // If storage is unavailable, they pop up again after a reload.
    }
  }
  return [closed, close]
}

function read(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [])
  } catch {
    return new Set()
  }
}
