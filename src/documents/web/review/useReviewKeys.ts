import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from '../../../ui/hooks/hotkeys.ts'

interface ReviewActions {
  step: (by: 1 | -1) => void
  open: () => void
  accept: () => void
  reject: () => void
}

/** j and k or the arrows move through the documents; Enter or Space opens the current one, a accepts and r rejects it. */
export function useReviewKeys(actions: ReviewActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useHotkeys(
    useMemo<Hotkey[]>(() => {
      const group = 'Documents to review'
      return [
        { keys: 'j', label: 'Next document', group, run: () => latest.current.step(1) },
        { keys: 'k', label: 'Previous document', group, run: () => latest.current.step(-1) },
        { keys: 'down', label: 'Next document', group, hidden: true, run: () => latest.current.step(1) },
        { keys: 'up', label: 'Previous document', group, hidden: true, run: () => latest.current.step(-1) },
        { keys: 'enter', label: 'Preview', group, run: () => latest.current.open() },
        { keys: 'space', label: 'Preview', group, hidden: true, run: () => latest.current.open() },
        { keys: 'a', label: 'Accept', group, run: () => latest.current.accept() },
        { keys: 'r', label: 'Reject', group, run: () => latest.current.reject() },
      ]
    }, []),
  )
}
