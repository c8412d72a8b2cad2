import { usePractice } from '../../../ui/client/session.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { photoUseMessages } from '../../photo-uses/contract.ts'
import type { DownloadPurpose } from '../../photo-uses/rules.ts'
import { downloadChoices } from '../../photo-uses/web/use-data.ts'
import { fileNameOf } from '../rules.ts'
import { type PhotoData, photoUrl } from './photo-data.ts'

/** The original leaves the chart for the patient, or for a use that the patient consented to. */
export default function DownloadDialog({ photo, onClose }: { photo: PhotoData; onClose: () => void }) {
  const { timeZone } = usePractice()
  const form = useActionForm({
    initial: { purpose: null as DownloadPurpose | null },
    check: ({ purpose }) => ({ purpose: purpose ? undefined : photoUseMessages.purpose }),
    async send({ purpose }) {
      const response = await fetch(`${photoUrl(photo, 'original')}?purpose=${purpose}`)
      if (!response.ok) throw new RefusedDownload(((await response.json()) as { message: string }).message)
      const address = URL.createObjectURL(await response.blob())
      const link = Object.assign(document.createElement('a'), {
        href: address,
        download: fileNameOf({ ...photo, takenAt: new Date(photo.takenAt) }, timeZone),
      })
      link.click()
      URL.revokeObjectURL(address)
    },
    onRefused: (error, problems) => (error instanceof RefusedDownload ? { form: error.message } : problems),
    onDone: onClose,
  })
  return (
    <ActionDialog
      title="Download the original"
      description="It leaves the chart as the camera took it. The audit log keeps what for."
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

class RefusedDownload extends Error {}
