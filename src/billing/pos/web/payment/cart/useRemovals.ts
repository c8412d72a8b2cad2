import { useEffect, useState } from 'react'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { CartItem } from './cart.ts'

interface Removal {
  line: CartItem
  /** Dismisses its toast. */
  close: () => void
}

/** Undo for removed cart lines: by toast, or the last one by key. Only while mounted, because a confirmed cart can't change. */
export function useRemovals(putBack: (line: CartItem) => void) {
  const [removals] = useState(() => new Set<Removal>())
  useEffect(
    () => () => {
      for (const { close } of removals) close()
      removals.clear()
    },
    [removals],
  )
  function undo(removal: Removal) {
    if (!removals.delete(removal)) return
    removal.close()
    putBack(removal.line)
  }
  return {
    say(line: CartItem) {
      const removal: Removal = { line, close: toast.undoable(`Removed ${line.name}`, () => undo(removal), 'mod+z') }
      removals.add(removal)
    },
    /** Restores the last one, or false. */
    undoLast(): boolean {
      const last = [...removals].at(-1)
      if (last) undo(last)
      return last !== undefined
    },
  }
}
