import { client } from '../../../ui/client/api.ts'
import { NameDialog } from '../../../ui/forms/NameDialog.tsx'
import type { WebAsk } from './reports-search.ts'
import type { Saved } from './saved-data.ts'

interface SaveDialogProps {
  /** The report to rename; null for a new one. */
  saved: Saved | null
  /** Request of a new one. */
  ask: WebAsk
  onClose: () => void
  onSaved: (saved: Saved) => void
}

/** Name of a saved report; for a new one, also its visibility. */
export default function SaveDialog({ saved, ask, onClose, onSaved }: SaveDialogProps) {
  return (
    <NameDialog
      noun="report"
      name={saved?.name ?? null}
      shareHint="Everyone with access to reports can open it here. Only you and administrators can change it."
      onClose={onClose}
      onSave={async ({ name, isShared }) => {
        const report = saved ? await client.reports.change({ id: saved.id, name }) : await client.reports.save({ name, isShared, ask })
        onSaved(report)
        return report.name
      }}
    />
  )
}
