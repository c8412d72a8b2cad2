import { type ReactNode, useState } from 'react'
import type { BookedPatient } from './bookings.ts'

/** The state of the booking dialog: a new booking with initial values, or an existing one. */
export type DialogState<Values> =
  | { kind: 'new'; patient: BookedPatient | null; given: Partial<Values> }
  | { kind: 'edit' | 'move'; id: string }

interface Options<Values> {
  /** The booking whose drawer is open. */
  viewedId: string | null
  renderDrawer: (id: string, onEdit: (kind: 'edit' | 'move') => void) => ReactNode
  renderDialog: (state: DialogState<Values>, close: () => void) => ReactNode
}

/** The drawer and the dialog of bookings, for any page that lists them. Closing the dialog returns the focus to its opener. */
export function useBookingDialogs<Values>({ viewedId, renderDrawer, renderDialog }: Options<Values>) {
  const [state, setState] = useState<DialogState<Values> | null>(null)
  const [opener, setOpener] = useState<Element | null>(null)
  function open(next: DialogState<Values>) {
    setOpener(document.activeElement)
    setState(next)
  }
  // The dialog is replaced once its code and data are loaded, so it does not know its opener.
  function close() {
    setState(null)
    setTimeout(() => {
      if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected) opener.focus()
    })
  }
  return {
    dialogs: (
      <>
        {viewedId !== null && renderDrawer(viewedId, (kind) => open({ kind, id: viewedId }))}
        {state && renderDialog(state, close)}
      </>
    ),
    isOpen: state !== null,
    book: (patient: BookedPatient | null, given: Partial<Values> = {}) => open({ kind: 'new', patient, given }),
    edit: (kind: 'edit' | 'move', id: string) => open({ kind, id }),
  }
}
