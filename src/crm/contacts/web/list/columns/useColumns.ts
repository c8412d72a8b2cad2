import { useCallback, useMemo, useState } from 'react'
import { type ColumnLayout, readLayout, shownAsText, withShown } from './layout.ts'

const key = 'refyne.list-columns'

/** The user's columns, stored in this browser, or those in the URL. Widths are always the user's own. */
export function useColumns(
  inAddress: string | undefined,
  setAddress: (columns: string) => void,
): [layout: ColumnLayout, setLayout: (next: ColumnLayout) => void] {
  const [own, setOwn] = useState(() => readLayout(localStorage.getItem(key)))
  const layout = useMemo(() => (inAddress === undefined ? own : withShown(own, inAddress)), [own, inAddress])
  const setLayout = useCallback(
    (next: ColumnLayout) => {
      const kept = inAddress === undefined ? next : { ...next, shown: own.shown }
      localStorage.setItem(key, JSON.stringify(kept))
      setOwn(kept)
      if (inAddress !== undefined && shownAsText(next) !== shownAsText(layout)) setAddress(shownAsText(next))
    },
    [inAddress, own, layout, setAddress],
  )
  return [layout, setLayout]
}
