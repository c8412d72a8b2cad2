import { client } from '../../../../ui/client/api.ts'
import { NameDialog } from '../../../../ui/forms/NameDialog.tsx'
import type { ViewedList } from '../../contract.ts'
import type { View } from './useViews.ts'

interface ViewDialogProps {
  /** The view to rename; null for a new one. */
  view: View | null
  /** The list parameters of a new view. */
  list: ViewedList
  onClose: () => void
  onSaved: (view: { id: string; list: ViewedList }) => void
}

/** Names a view; for a new one, also asks whether to share it. */
export default function ViewDialog({ view, list, onClose, onSaved }: ViewDialogProps) {
  return (
    <NameDialog
      noun="view"
      name={view?.name ?? null}
      shareHint="Colleagues see it in their views. Only you and administrators can change it."
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
