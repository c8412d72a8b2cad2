import { Select } from '../../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { photoUseMessages } from '../../contract.ts'
import type { DownloadPurpose } from '../../rules.ts'
import { downloadOriginal } from '../download-photos.ts'
import { downloadChoices } from '../use-data.ts'

/** The original leaves the chart for the patient, or for a use that the patient consented to. */
export default function DownloadOriginalDialog({ photo, onClose }: { photo: { id: string }; onClose: () => void }) {
  const form = useActionForm({
    initial: { purpose: null as DownloadPurpose | null },
    check: ({ purpose }) => ({ purpose: purpose ? undefined : photoUseMessages.purpose }),
    send: ({ purpose }) => downloadOriginal(photo.id, purpose!),
    onDone: onClose,
  })
  return (
    <ActionDialog
      title="Download the original"
      description="It leaves the chart as the camera took it. The audit log records the purpose."
      form={form}
      action={{ label: 'Download', busyLabel: 'Downloading…' }}
      onClose={onClose}
    >
      <Field label="What for" error={form.problems.purpose}>
        <Select {...form.bind('purpose')} placeholder="Choose" options={downloadChoices} />
      </Field>
    </ActionDialog>
  )
}
