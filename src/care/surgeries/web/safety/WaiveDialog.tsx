import { client } from '../../../../ui/client/api.ts'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { safetyMessages } from '../../safety-contract.ts'
import { phaseLabels, type SafetyPhase } from '../../safety-rules.ts'

interface WaiveDialogProps {
  surgeryId: string
  open: readonly SafetyPhase[]
  onDone: () => void
  onClose: () => void
}

/** Asks why the open phases of a safety checklist are waived. */
export default function WaiveDialog({ surgeryId, open, onDone, onClose }: WaiveDialogProps) {
  const form = useActionForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() ? undefined : safetyMessages.reason }),
    send: ({ reason }) => client.safetyChecklists.waive({ id: surgeryId, reason }),
    done: 'Safety checklist waived',
    onDone,
  })
  return (
    <ActionDialog
      title="Waive the safety checklist?"
      form={form}
      action={{ label: 'Waive checklist', busyLabel: 'Waiving…', isDanger: true }}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">
        {new Intl.ListFormat('en-CA').format(open.map((phase) => phaseLabels[phase].name))} will be recorded as waived by you, with your
        reason. This can’t be undone.
      </p>
      <Field label="Reason" error={form.problems.reason}>
        <Textarea {...form.text('reason')} rows={3} maxLength={500} />
      </Field>
    </ActionDialog>
  )
}
