import { createContext, use, useMemo, useRef, useState } from 'react'
import type { Directory } from '../../crm/contacts/web/embed/directory.ts'
import type { ContactData } from '../../crm/contacts/web/embed/contact-data.ts'
import type { ChangeContact } from '../../crm/contacts/web/embed/useContactChange.ts'
import type { FactName } from '../../crm/contacts/form-fields.ts'

/** Saves the open editor; false if the change was refused and the editor stays open. */
type Save = () => Promise<boolean>

interface Editing {
  contact: ContactData
  directory: Directory
  change: ChangeContact
  /** The fact being edited. */
  open: FactName | null
  /** Opens a fact's editor after the open one has saved; the open one stays if saving fails. */
  edit: (fact: FactName) => void
  close: () => void
  /** Saves and moves to the next or previous fact on the page; closes at either end. */
  step: (by: 1 | -1) => void
  /** The open editor registers its save function here. */
  registerSave: (save: Save | null) => void
}

export const EditingContext = createContext<Editing | null>(null)

/** State of in-place editing: one fact of a patient at a time. */
export function useFactEditing(contact: ContactData, directory: Directory, change: ChangeContact): Editing {
  const [open, setOpen] = useState<FactName | null>(null)
  const save = useRef<Save | null>(null)

  return useMemo(() => {
    /** Runs `action` after saving; immediately if there is nothing to save, so that the next key press reaches the right element. */
    function afterSave(action: () => void) {
      if (save.current === null) action()
      else void save.current().then((saved) => saved && action())
    }
    return {
      contact,
      directory,
      change,
      open,
      registerSave(newSave) {
        save.current = newSave
      },
      close: () => setOpen(null),
      edit: (fact) => afterSave(() => setOpen(fact)),
      step(by) {
        // In page order, read from the DOM.
        const facts = visibleFacts()
        const next = open === null ? undefined : facts[facts.indexOf(open) + by]
        afterSave(() => setOpen(next ?? null))
      },
    }
  }, [contact, directory, change, open])
}

const visibleFacts = (): FactName[] =>
  [...document.querySelectorAll<HTMLElement>('[data-fact]')]
    .filter((element) => element.offsetParent !== null)
    .map((element) => element.dataset.fact as FactName)

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('useEditing must be used within EditingContext')
  return editing
}
