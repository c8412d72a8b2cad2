import { type ReactNode, useState } from 'react'
import { DeedDialog, type Problems } from '../../../../ui/DeedDialog.tsx'
import { useDeed } from '../../../../ui/useDeed.ts'
import { refusalOf } from '../refusals.ts'
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
  const deed = useDeed({ onDone: onClose, problemsOf })
  const wrong = itemProblems(values)
  const problems = deed.problems(wrong)
  return (
    <DeedDialog
      {...frame}
      deed={deed}
      problems={problems}
      onSubmit={() => void deed.send({ wrong, call: () => onSave(sentItem(values)) })}
      onClose={onClose}
    >
      {before}
      <ItemFields values={values} problems={problems} onChange={deed.typed(setValues)} />
    </DeedDialog>
  )
}

function problemsOf(error: unknown): Problems {
  const refusal = refusalOf(error)
  if (refusal.kind === 'fields') return { form: Object.values(refusal.fields).join('. ') }
  return refusal.kind === 'message' ? { form: refusal.message } : {}
}
