import { Input } from '../../../ui/controls/Input.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { entryLimits, healthMessages } from '../contract.ts'
import type { EntryData } from './health-data.ts'

interface ErrorDialogProps {
  entry: EntryData
  onDone: (reason: string) => void
  onClose: () => void
}

/** Asks why an entry was made in error. It stays in the chart, crossed out. */
export default function ErrorDialog({ entry, onDone, onClose }: ErrorDialogProps) {
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? healthMessages.reason : undefined }),
    send: ({ reason }) => Promise.resolve(reason.trim()),
    onDone(reason) {
      onClose()
      onDone(reason)
    },
  })
  return (
    <ActionDialog
      title="Entered in error"
      description={`${entry.name} no longer counts, and stays in the chart with your reason.`}
      form={form}
      action={{ label: 'Mark as entered in error', isDanger: true }}
      onClose={onClose}
    >
      <Field label="Reason" error={form.problems.reason}>
        <Input {...form.text('reason')} maxLength={entryLimits.reason} autoComplete="off" />
      </Field>
    </ActionDialog>
  )
}
