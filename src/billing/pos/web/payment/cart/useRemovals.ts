import { useEffect, useState } from 'react'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { CartItem } from './cart.ts'

interface Removal {
  line: CartItem
  /** Takes its message away. */
  close: () => void
}

/** Lines that were taken out of the cart can be put back, each by its message and the last one by a key: while this stands, for what is confirmed stays as it is. */
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
    /** Puts the last one back; false when there is none. */
    undoLast(): boolean {
      const last = [...removals].at(-1)
      if (last) undo(last)
      return last !== undefined
    },
  }
}
