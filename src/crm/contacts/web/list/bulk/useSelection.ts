import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../../../../ui/client/api.ts'
import { type Hotkey, useHotkeys } from '../../../../../ui/hooks/hotkeys.ts'
import { toast } from '../../../../../ui/overlays/toast.ts'
import type { IdsBetween } from '../rows/useIdsBetween.ts'
import { extended, isNobody, nobody, pageToggled, toggled, type Selection } from './selection.ts'

/** The menus of the bar, by what they change. */
export type BulkMenu = 'stage' | 'tag' | 'assign' | 'followUp'

interface Options {
  /** Those of the page at the top. */
  page: readonly string[]
  /** Those of the page that a patient is on. */
  pageOf: (id: string) => readonly string[]
  /** Everyone in the list from one patient to another, whether they have been loaded or not. */
  idsBetween: IdsBetween
  /** The row in hand. */
  current: string | null
  /** Names what the list shows. */
  shown: string
}

/**
 * What is selected in the list, kept over its pages and forgotten when it shows something else (`shown`). x selects the row in hand, shift+x
 * up to it, mod+a the page; s, a and f open a menu of the bar, for the row in hand when nothing is selected.
 */
export function useSelection(options: Options) {
  const { shown } = options
  const [selection, setSelection] = useState<Selection>(nobody)
  const [menu, setMenu] = useState<BulkMenu | null>(null)
  const latest = useRef({ ...options, selection })
  useEffect(() => {
    latest.current = { ...options, selection }
  })
  useEffect(() => {
    setSelection(nobody)
    setMenu(null)
  }, [shown])

  const toggle = useCallback((id: string, range: boolean) => {
    const { pageOf, idsBetween, selection, shown } = latest.current
    const { anchor } = selection
    if (!range || anchor === null) return setSelection((now) => toggled(now, id, pageOf(id)))
    const between = idsBetween(anchor, id)
    if (between === null) return toast.error('That is too many', 'Choose at most 5,000 patients, or all that match.')
    if (!(between instanceof Promise)) return setSelection((now) => extended(now, between))
    between.then(
      (found) => latest.current.shown === shown && setSelection((now) => extended(now, found)),
      (error: unknown) => toast.error('No more patients were selected', messageOf(error)),
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
      if (isNobody(selection)) {
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
      { keys: 'esc', label: 'Clear the selection', group: 'Lists', run: () => setSelection(nobody) },
    ]
  }, [toggle, togglePage])
  useHotkeys(hotkeys)

  return {
    selection,
    menu,
    setMenu,
    toggle,
    togglePage,
    selectMatching: useCallback(() => setSelection({ ...nobody, matching: true }), []),
    clear: useCallback(() => setSelection(nobody), []),
  }
}
