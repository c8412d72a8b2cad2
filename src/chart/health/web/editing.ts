import { createContext, use, useEffect, useMemo, useRef, useState } from 'react'
import type { EntryKind } from '../rules.ts'

/** What is edited: an entry by its id, or a new one in the list for this kind. */
export type Edited = { id: string } | { add: EntryKind }
/** Saves the open editor; false if it was refused and stays open. */
type Save = () => Promise<boolean>

interface Editing {
  isOpen: (edited: Edited) => boolean
  /** Opens an editor after the open one has saved; the open one stays if that fails. */
  edit: (edited: Edited) => void
  close: () => void
  /** The open editor registers its save function here. */
  registerSave: (save: Save | null) => void
}

const keyOf = (edited: Edited): string => ('id' in edited ? edited.id : `add ${edited.add}`)

export const EditingContext = createContext<Editing | null>(null)

/** State of editing in place: one entry of a chart at a time. */
export function useEntryEditing(): Editing {
  const [open, setOpen] = useState<string | null>(null)
  const save = useRef<Save | null>(null)
  return useMemo(
    () => ({
      isOpen: (edited) => keyOf(edited) === open,
      edit(edited) {
        if (save.current === null) setOpen(keyOf(edited))
        else void save.current().then((isSaved) => isSaved && setOpen(keyOf(edited)))
      },
      close: () => setOpen(null),
      registerSave(newSave) {
        save.current = newSave
      },
    }),
    [open],
  )
}

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('useEditing must be used within EditingContext')
  return editing
}

/** For the button that opens an editor: takes the focus back when the editor closes. */
export function useReturnedFocus(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // Another editor that opened instead has taken the focus already.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
