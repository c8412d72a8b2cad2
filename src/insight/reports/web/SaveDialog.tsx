import { client } from '../../../ui/client/api.ts'
import { NameDialog } from '../../../ui/forms/NameDialog.tsx'
import type { WebAsk } from './reports-search.ts'
import type { Saved } from './saved-data.ts'

interface SaveDialogProps {
  /** The one to rename; null for a new one. */
  saved: Saved | null
  /** What a new one asks. */
  ask: WebAsk
  onClose: () => void
  onSaved: (saved: Saved) => void
}

/** The name of a saved report; of a new one, also who may open it. */
export default function SaveDialog({ saved, ask, onClose, onSaved }: SaveDialogProps) {
  return (
    <NameDialog
      noun="report"
      name={saved?.name ?? null}
      shareHint="Anyone who reads reports finds it here. Only you can change it."
      onClose={onClose}
      onSave={async ({ name, isShared }) => {
        const report = saved ? await client.reports.change({ id: saved.id, name }) : await client.reports.save({ name, isShared, ask })
        onSaved(report)
        return report.name
      }}
    />
  )
}
