import type { ReactNode } from 'react'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { useDialogs } from '../../calendar/web/embed/useDialogs.ts'
import type { SurgeryDialogState } from './form/SurgeryDialog.tsx'
import type { SurgeryData, SurgeryPatient } from './surgery-data.ts'

const SurgeryDialog = lazyDialog(
  () => import('./form/SurgeryDialog.tsx'),
  ({ onClose }) => onClose(),
)
const SurgeryDrawer = lazyDialog(
  () => import('./detail/SurgeryDrawer.tsx'),
  ({ onClose }) => onClose(),
)

interface Options {
  /** The case that is looked at. */
  looked: string | null
  /** The item of its checklist that it opens at. */
  lookedItem?: string | undefined
  onLook: (id: string | null) => void
  /** On a patient's own page: they are not to be opened from it. */
  isOfPatient?: boolean
  onSaved?: (after: SurgeryData) => void
}

/** The drawer and the dialog of surgeries, on whatever page shows some. */
export function useSurgeryDialogs({ looked, lookedItem, onLook, isOfPatient = false, onSaved }: Options) {
  const { state: dialog, open, close } = useDialogs<SurgeryDialogState>()
  const layers: ReactNode = (
    <>
      {looked !== null && (
        <SurgeryDrawer
          id={looked}
          item={lookedItem}
          linksPatient={!isOfPatient}
          onClose={() => onLook(null)}
          onEdit={(kind) => open({ kind, id: looked })}
        />
      )}
      {dialog && <SurgeryDialog state={dialog} onClose={close} onSaved={onSaved} />}
    </>
  )
  return {
    layers,
    isOpen: dialog !== null,
    prepare: SurgeryDialog.prepare,
    book: (patient: SurgeryPatient | null, given: Extract<SurgeryDialogState, { kind: 'new' }>['given'] = {}) =>
      open({ kind: 'new', patient, given }),
    edit: (kind: 'edit' | 'move', id: string) => open({ kind, id }),
  }
}
