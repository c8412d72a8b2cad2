import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../../../../ui/client/api.ts'
import { type Hotkey, useHotkeys } from '../../../../../ui/hooks/hotkeys.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { IdsBetween } from '../rows/useIdsBetween.ts'
import { extended, isEmptySelection, emptySelection, pageState, pageToggled, toggled, type Selection } from './selection.ts'

/** The menus of the selection bar. */
export type BulkMenu = 'stage' | 'tag' | 'assign' | 'followUp'

interface Options {
  /** The ids of the page at the top. */
  page: readonly string[]
  /** The ids of the page that a patient is on. */
  pageOf: (id: string) => readonly string[]
  /** The ids from one patient to another in the list, loaded or not. */
  idsBetween: IdsBetween
  /** The current row. */
  current: string | null
  /** A key of the list's search and filters. */
  shown: string
}

/**
 * The selection of the list, kept across pages and cleared when the search or filters (`shown`) change. x selects the current row, shift+x
 * the range up to it, mod+a the page; s, a and f open a menu of the bar, for the current row if nothing is selected.
 */
export function useSelection(options: Options) {
  const { shown } = options
  const [selection, setSelection] = useState<Selection>(emptySelection)
  const [menu, setMenu] = useState<BulkMenu | null>(null)
  const latest = useRef({ ...options, selection })
  useEffect(() => {
    latest.current = { ...options, selection }
  })
  useEffect(() => {
    setSelection(emptySelection)
    setMenu(null)
  }, [shown])

  const toggle = useCallback((id: string, range: boolean) => {
    const { pageOf, idsBetween, selection, shown } = latest.current
    const { anchor } = selection
    if (!range || anchor === null) return setSelection((now) => toggled(now, id, pageOf(id)))
    const between = idsBetween(anchor, id)
    if (between === null) return toast.error('Too many patients', 'Select at most 5,000 patients, or select all matches.')
    if (!(between instanceof Promise)) return setSelection((now) => extended(now, between))
    between.then(
      (found) => latest.current.shown === shown && setSelection((now) => extended(now, found)),
      (error: unknown) => toast.error('Couldn’t extend the selection', messageOf(error)),
    )
  }, [])

  const togglePage = useCallback(() => setSelection((now) => pageToggled(now, latest.current.page)), [])

  const hotkeys = useMemo<Hotkey[]>(() => {
    const select = (range: boolean) => () => {
      const id = latest.current.current
      if (id !== null) toggle(id, range)
    }
    const open = (wanted: BulkMenu) => () => {
      const { selection, current: id, pageOf } = latest.current
      if (isEmptySelection(selection)) {
        if (id === null) return
        setSelection(toggled(selection, id, pageOf(id)))
      }
      setMenu(wanted)
    }
    return [
      { keys: 'x', label: 'Select', group: 'Lists', run: select(false) },
      { keys: 'shift+x', label: 'Select up to here', group: 'Lists', run: select(true) },
      { keys: 'mod+a', label: 'Select the page', group: 'Lists', run: togglePage },
      { keys: 's', label: 'Move to stage', group: 'Lists', run: open('stage') },
      { keys: 'a', label: 'Assign', group: 'Lists', run: open('assign') },
      { keys: 'f', label: 'Set follow-up', group: 'Lists', run: open('followUp') },
      { keys: 'esc', label: 'Clear selection', group: 'Lists', run: () => setSelection(emptySelection) },
    ]
  }, [toggle, togglePage])
  useHotkeys(hotkeys)

  return {
    selection,
    /** Whether all, some or none of the page at the top are selected. */
    pageSelected: pageState(selection, options.page),
    menu,
    setMenu,
    toggle,
    togglePage,
    selectMatching: useCallback(() => setSelection({ ...emptySelection, matching: true }), []),
    clear: useCallback(() => setSelection(emptySelection), []),
  }
}

export type BulkSelection = ReturnType<typeof useSelection>
