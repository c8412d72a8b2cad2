import { type ReactNode, useState } from 'react'

interface Patient {
  id: string
  firstName: string
  lastName: string
}

/** What the dialog is open for: a new booking, with what is known of it already, or one that there is. */
export type DialogState<Values> = { kind: 'new'; patient: Patient | null; given: Partial<Values> } | { kind: 'edit' | 'move'; id: string }

interface Options<Values> {
  /** The booking that is looked at. */
  looked: string | null
  renderDrawer: (id: string, onEdit: (kind: 'edit' | 'move') => void) => ReactNode
  renderDialog: (state: DialogState<Values>, close: () => void) => ReactNode
}

/** The drawer and the dialog of bookings, on whatever page shows some. The focus goes back to where the dialog was opened from. */
export function useBookingDialogs<Values>({ looked, renderDrawer, renderDialog }: Options<Values>) {
  const [state, setState] = useState<DialogState<Values> | null>(null)
  const [opener, setOpener] = useState<Element | null>(null)
  function open(next: DialogState<Values>) {
    setOpener(document.activeElement)
    setState(next)
  }
  // The dialog that stood while its code and data came does not know what had the focus.
  function close() {
    setState(null)
    setTimeout(() => {
      if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    })
  }
  return {
    layers: (
      <>
        {looked !== null && renderDrawer(looked, (kind) => open({ kind, id: looked }))}
        {state && renderDialog(state, close)}
      </>
    ),
    isOpen: state !== null,
    book: (patient: Patient | null, given: Partial<Values> = {}) => open({ kind: 'new', patient, given }),
    edit: (kind: 'edit' | 'move', id: string) => open({ kind, id }),
  }
}
