import { client } from '../../../../ui/client/api.ts'
import { NameDialog } from '../../../../ui/forms/NameDialog.tsx'
import type { ViewedList } from '../../contract.ts'
import type { View } from './useViews.ts'

interface ViewDialogProps {
  /** The one to rename; null for a new one. */
  view: View | null
  /** What a new one shows. */
  list: ViewedList
  onClose: () => void
  onSaved: (view: { id: string; list: ViewedList }) => void
}

/** The name of a view; of a new one, also who may open it. */
export default function ViewDialog({ view, list, onClose, onSaved }: ViewDialogProps) {
  return (
    <NameDialog
      noun="view"
      name={view?.name ?? null}
      shareHint="Colleagues find it among their views. Only you can change it."
      onClose={onClose}
      onSave={async ({ name, isShared }) => {
        const saved = view
          ? await client.savedViews.update({ id: view.id, name })
          : await client.savedViews.create({ name, isShared, list })
        onSaved(saved)
        return saved.name
      }}
    />
  )
}
