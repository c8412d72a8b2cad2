import { useEffect, useRef, useState } from 'react'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ProgressBar } from '../../../../ui/display/ProgressBar.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { formatFileSize } from '../../../../ui/format.ts'
import type { NamedPhoto } from '../../../photos/web/embed/PatientPhotos.tsx'
import { photoUseMessages } from '../../contract.ts'
import { type DownloadPurpose, gapTexts, useLimits } from '../../rules.ts'
import { type Blocked, blockedBy, downloadPhotos } from '../download-photos.ts'
import { MissingConsent } from '../MissingConsent.tsx'
import { downloadChoices, type PatientUsesData, whatToDo } from '../use-data.ts'
import { useMissing } from '../useMissing.ts'

interface DownloadPhotosDialogProps {
  contactId: string
  photos: readonly NamedPhoto[]
  /** Of the patient: what is missing is asked again after a change. */
  consents: PatientUsesData['consents'] | undefined
  /** Shows and records consents. */
  onConsents: () => void
  onClose: () => void
}

const none: readonly Blocked[] = []
const countOf = (count: number) => (count === 1 ? '1 photo' : `${count} photos`)

/** Downloads the originals of photos as a zip, for a purpose and with a reason. Photos without a consent to the purpose are named, and stay. */
export default function DownloadPhotosDialog({ contactId, photos, consents, onConsents, onClose }: DownloadPhotosDialogProps) {
  const [blocked, setBlocked] = useMissing<readonly Blocked[]>(none, consents)
  const [arrived, setArrived] = useState(0)
  const running = useRef<AbortController>(null)
  // Closing the dialog ends the download.
  useEffect(() => () => running.current?.abort(), [])
  const allowed = photos.filter(({ id }) => !blocked.some((one) => one.id === id))
  const bytes = allowed.reduce((sum, { size }) => sum + size, 0)
  const form = useActionForm({
    initial: { purpose: null as DownloadPurpose | null, reason: '' },
    check: ({ purpose, reason }) => ({
      purpose: purpose ? undefined : photoUseMessages.purpose,
      reason: reason.trim() ? undefined : photoUseMessages.reason,
      form: photos.length > useLimits.downloaded ? photoUseMessages.tooManyDownloaded : undefined,
    }),
    send: ({ purpose, reason }) => {
      setArrived(0)
      running.current = new AbortController()
      const asked = { contactId, photoIds: allowed.map(({ id }) => id), purpose: purpose!, reason }
      return downloadPhotos(asked, setArrived, running.current.signal)
    },
    onRefused(error, problems) {
      const missing = blockedBy(error)
      if (!missing) return problems
      setBlocked(missing)
      return {}
    },
    done: () => `${countOf(allowed.length)} downloaded`,
    onDone: () => guard.leave(onClose),
  })
  // While it runs, closing ends the download at once.
  const guard = useUnsavedGuard(() => !form.isBusy && form.values.reason.trim() !== '')
  const close = () => guard.close(onClose)
  return (
    <ActionDialog
      title={`Download ${countOf(photos.length)}`}
      description="The originals, as the camera took them, in one zip file. The audit log records the purpose and the reason, and administrators are warned."
      form={form}
      action={
        allowed.length === 0
          ? null
          : {
              label: blocked.length > 0 ? `Download the other ${countOf(allowed.length)}` : `Download ${countOf(allowed.length)}`,
              busyLabel: 'Downloading…',
            }
      }
      footer={{ cancel: { label: 'Cancel', onClick: close, endsAction: true } }}
      onClose={close}
    >
      <Field label="What for" error={form.problems.purpose}>
        <Select
          value={form.values.purpose}
          onValueChange={(purpose) => {
            setBlocked(none)
            form.set({ purpose })
          }}
          placeholder="Choose"
          options={downloadChoices}
        />
      </Field>
      {blocked.length > 0 && <BlockedPhotos blocked={blocked} photos={photos} onConsents={onConsents} />}
      <Field label="Reason" hint="For example: second opinion at another clinic." error={form.problems.reason}>
        <Input {...form.text('reason')} maxLength={useLimits.reason} autoComplete="off" />
      </Field>
      {form.isBusy && arrived > 0 && (
        <ProgressBar label="Downloading" value={arrived / bytes} detail={`${formatFileSize(arrived)} of ${formatFileSize(bytes)}`} />
      )}
      {guard.dialog}
    </ActionDialog>
  )
}

/** Which photos may not leave for this purpose, each reason once, and what to do. */
function BlockedPhotos({
  blocked,
  photos,
  onConsents,
}: { blocked: readonly Blocked[] } & Pick<DownloadPhotosDialogProps, 'photos' | 'onConsents'>) {
  const byGap = [...Map.groupBy(blocked, ({ gap }) => gap)]
  const isAll = blocked.length === photos.length
  const nameOf = (id: string) => photos.find((photo) => photo.id === id)?.name ?? 'A photo'
  return (
    <MissingConsent
      title={`${isAll ? 'No photo may' : `${countOf(blocked.length)} may not`} be downloaded for this purpose.`}
      onConsents={onConsents}
    >
      {byGap.map(([gap, ones]) => (
        <span key={gap} className="block">
          {isAll && byGap.length === 1 ? gapTexts[gap] : `${ones.map(({ id }) => nameOf(id)).join('; ')}. ${gapTexts[gap]}`}
        </span>
      ))}
      <span className="block">{whatToDo}</span>
    </MissingConsent>
  )
}
