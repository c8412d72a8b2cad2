import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Hotkey, useHotkeys } from '../../../../../web/ui/hotkeys.ts'
import { extended, isNobody, nobody, pageToggled, toggled, type Selection } from './selection.ts'

/** The menus of the bar, by what they change. */
export type BulkMenu = 'stage' | 'tag' | 'assign' | 'followUp'

/**
 * What is selected in the list, kept over its pages and forgotten when it shows something else (`shown`). x selects the row in hand, shift+x
 * up to it, mod+a the page; s, a and f open a menu of the bar, for the row in hand when nothing is selected.
 */
export function useSelection(page: readonly string[], current: string | null, shown: string) {
  const [selection, setSelection] = useState<Selection>(nobody)
  const [menu, setMenu] = useState<BulkMenu | null>(null)
  const latest = useRef({ page, current, selection })
  useEffect(() => {
    latest.current = { page, current, selection }
  })
  useEffect(() => {
    setSelection(nobody)
    setMenu(null)
  }, [shown])

  const toggle = useCallback((id: string, range: boolean) => {
    setSelection((now) => (range ? extended : toggled)(now, id, latest.current.page))
  }, [])

  const togglePage = useCallback(() => setSelection((now) => pageToggled(now, latest.current.page)), [])

  const hotkeys = useMemo<Hotkey[]>(() => {
    const inHand = () => {
      const { page, current } = latest.current
      return current !== null && page.includes(current) ? current : null
    }
    const select = (range: boolean) => () => {
      const id = inHand()
      if (id !== null) toggle(id, range)
    }
    const open = (wanted: BulkMenu) => () => {
      const { selection, page } = latest.current
      const id = inHand()
      if (isNobody(selection)) {
        if (id === null) return
        setSelection(toggled(selection, id, page))
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
