import type { ReactNode } from 'react'
import { ActionDialog, type Problems } from '../../../../ui/forms/ActionDialog.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { refusalOf } from '../../../calendar/web/embed/refusal.ts'
import { ItemFields } from './ItemFields.tsx'
import { itemProblems, type ItemValues, toItem } from './item-values.ts'

interface ItemDialogProps {
  title: string
  label: string
  busyLabel: string
  initial: ItemValues
  /** Throws the error of a refused save. */
  onSave: (item: ReturnType<typeof toItem>) => Promise<void>
  onClose: () => void
  /** Fields before the item's own. */
  before?: ReactNode
  /** On the left of the footer. */
  extra?: ReactNode
}

/** The dialog for an item of a case or a template. */
export function ItemDialog({ title, initial, onSave, onClose, before, extra, label, busyLabel }: ItemDialogProps) {
  const form = useActionForm({
    initial,
    check: itemProblems,
    send: (values) => onSave(toItem(values)),
    onDone: onClose,
    onRefused: problemsOf,
  })
  return (
    <ActionDialog title={title} form={form} action={{ label, busyLabel }} footer={{ start: extra }} onClose={onClose}>
      {before}
      <ItemFields values={form.values} problems={form.problems} onChange={form.set} />
    </ActionDialog>
  )
}

function problemsOf(error: unknown): Problems {
  const refusal = refusalOf(error, 'surgery')
  if (refusal.kind === 'fields') return { form: Object.values(refusal.fields).join('. ') }
  return refusal.kind === 'message' ? { form: refusal.message } : {}
}
