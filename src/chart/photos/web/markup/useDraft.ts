import { useState } from 'react'
import type { Shape } from '../../markup-rules.ts'

interface History {
  past: readonly (readonly Shape[])[]
  now: readonly Shape[]
  future: readonly (readonly Shape[])[]
  /** What the last change did: a run of the same, such as moving a shape by keys, is undone as one. */
  last: string | null
}

/** More steps than anyone remembers. */
const maxSteps = 200
const start = (shapes: readonly Shape[]): History => ({ past: [], now: shapes, future: [], last: null })

/** The shapes of a layer while they are drawn, with undo and redo. */
export function useDraft() {
  const [history, setHistory] = useState(() => start([]))
  return {
    shapes: history.now,
    isChanged: history.past.length > 0,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    begin: (shapes: readonly Shape[]) => setHistory(start(shapes)),
    /** `run`: names a change that is undone together with the same one before it. */
    change: (next: (shapes: readonly Shape[]) => readonly Shape[], run: string | null = null) =>
      setHistory(({ past, now, last }) => {
        const isSame = run !== null && run === last
        return { past: isSame ? past : [...past, now].slice(-maxSteps), now: next(now), future: [], last: run }
      }),
    undo: () =>
      setHistory((history) => {
        const before = history.past.at(-1)
        if (!before) return history
        return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], last: null }
      }),
    redo: () =>
      setHistory((history) => {
        const [next, ...future] = history.future
        return next ? { past: [...history.past, history.now], now: next, future, last: null } : history
      }),
  }
}
