import { type ReactNode, useState } from 'react'
import { ActionDialog, type Problems } from '../../../../ui/ActionDialog.tsx'
import { useAction } from '../../../../ui/useAction.ts'
import { refusalOf } from '../../../calendar/web/embed/refusal.ts'
import { ItemFields } from './ItemFields.tsx'
import { itemProblems, type ItemValues, sentItem } from './item-values.ts'

interface ItemDialogProps {
  title: string
  label: string
  busyLabel: string
  initial: ItemValues
  /** Throws what was refused. */
  onSave: (item: ReturnType<typeof sentItem>) => Promise<void>
  onClose: () => void
  /** Fields before the item's own. */
  before?: ReactNode
  /** At the left of the footer. */
  extra?: ReactNode
}

/** The dialog for an item of a checklist, of a case or of a template. */
export function ItemDialog({ initial, onSave, onClose, before, ...frame }: ItemDialogProps) {
  const [values, setValues] = useState(initial)
  const action = useAction({ onDone: onClose, problemsOf })
  const wrong = itemProblems(values)
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      {...frame}
      action={action}
      problems={problems}
      onSubmit={() => void action.send({ wrong, call: () => onSave(sentItem(values)) })}
      onClose={onClose}
    >
      {before}
      <ItemFields values={values} problems={problems} onChange={action.typed(setValues)} />
    </ActionDialog>
  )
}

function problemsOf(error: unknown): Problems {
  const refusal = refusalOf(error, 'surgery')
  if (refusal.kind === 'fields') return { form: Object.values(refusal.fields).join('. ') }
  return refusal.kind === 'message' ? { form: refusal.message } : {}
}
