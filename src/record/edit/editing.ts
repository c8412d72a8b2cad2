import { createContext, use, useMemo, useRef, useState } from 'react'
import type { Directory } from '../../crm/contacts/web/embed/directory.ts'
import type { ContactData } from '../../crm/contacts/web/embed/contact-data.ts'
import type { ChangeContact } from '../../crm/contacts/web/embed/useContactChange.ts'
import type { FactName } from '../../crm/contacts/fields.ts'

/** Saves what stands in the open editor; false when it was refused and stays there. */
type Save = () => Promise<boolean>

interface Editing {
  contact: ContactData
  directory: Directory
  change: ChangeContact
  /** The fact that is being edited. */
  open: FactName | null
  /** Opens a fact's editor once the one that is open has saved; stays there if it cannot. */
  edit: (fact: FactName) => void
  close: () => void
  /** Saves, and goes to the fact after or before this one on the page. Past the ends it closes. */
  step: (by: 1 | -1) => void
  /** The open editor tells here how it is saved. */
  offer: (save: Save | null) => void
}

export const EditingContext = createContext<Editing | null>(null)

/** One fact of a patient at a time is edited in place. */
export function useFactEditing(contact: ContactData, directory: Directory, change: ChangeContact): Editing {
  const [open, setOpen] = useState<FactName | null>(null)
  const save = useRef<Save | null>(null)

  return useMemo(() => {
    /** Goes on at once where nothing is to be saved, so that the next key finds what it is meant for. */
    function then(go: () => void) {
      if (save.current === null) go()
      else void save.current().then((saved) => saved && go())
    }
    return {
      contact,
      directory,
      change,
      open,
      offer(saveIt) {
        save.current = saveIt
      },
      close: () => setOpen(null),
      edit: (fact) => then(() => setOpen(fact)),
      step(by) {
        // In the order of the page, which the page itself knows best.
        const facts = factsInSight()
        const next = open === null ? undefined : facts[facts.indexOf(open) + by]
        then(() => setOpen(next ?? null))
      },
    }
  }, [contact, directory, change, open])
}

const factsInSight = (): FactName[] =>
  [...document.querySelectorAll<HTMLElement>('[data-fact]')]
    .filter((element) => element.offsetParent !== null)
    .map((element) => element.dataset.fact as FactName)

export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('A fact stands outside of the patient it belongs to')
  return editing
}
