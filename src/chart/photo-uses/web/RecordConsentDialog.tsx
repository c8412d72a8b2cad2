import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../ui/forms/useUnsavedGuard.tsx'
import { photoUseMessages } from '../contract.ts'
import { type Purpose, purposeNames, purposes, useLimits } from '../rules.ts'
import type { PatientUsesData } from './use-data.ts'

interface RecordConsentDialogProps {
  contactId: string
  /** The selected photos: the consent may be for them alone. */
  photoIds: readonly string[]
  onDone: (uses: PatientUsesData) => void
  onClose: () => void
}

/** Records a consent that the patient gave without one of the practice's forms. */
export default function RecordConsentDialog({ contactId, photoIds, onDone, onClose }: RecordConsentDialogProps) {
  const clock = useClock()
  const form = useActionForm({
    initial: { purposes: [] as Purpose[], isForSelected: photoIds.length > 0, givenOn: today(clock), expiresOn: '', note: '' },
    check: (values) => ({
      purposes: values.purposes.length > 0 ? undefined : photoUseMessages.purpose,
      givenOn: values.givenOn === '' ? 'Enter the day on which it was given' : undefined,
      note: values.note.trim() ? undefined : photoUseMessages.note,
    }),
    send: ({ isForSelected, expiresOn, ...rest }) =>
      client.photoUses.recordConsent({
        contactId,
        ...rest,
        photoIds: isForSelected ? [...photoIds] : null,
        expiresOn: expiresOn === '' ? null : expiresOn,
      }),
    done: 'Consent recorded',
    onDone(uses) {
      onDone(uses)
      guard.leave(onClose)
    },
  })
  const { values, problems } = form
  const guard = useUnsavedGuard(() => form.isDirty)
  return (
    <ActionDialog
      title="Record consent"
      form={form}
      action={{ label: 'Record consent', busyLabel: 'Recording…' }}
      onClose={() => guard.close(onClose)}
    >
      <Field
        label="Uses"
        hint={photoIds.length === 0 && 'For all photos. To record it for some only, select them first.'}
        error={problems.purposes}
      >
        <div className="flex flex-col gap-2 max-md:gap-6 max-md:py-3">
          {purposeNames.map((purpose) => (
            <CheckboxLine
              key={purpose}
              checked={values.purposes.includes(purpose)}
              onCheckedChange={(isChosen) =>
                form.set({ purposes: purposeNames.filter((one) => (one === purpose ? isChosen : values.purposes.includes(one))) })
              }
            >
              {purposes[purpose]}
            </CheckboxLine>
          ))}
        </div>
      </Field>
      {photoIds.length > 0 && (
        <CheckboxLine checked={values.isForSelected} onCheckedChange={(isForSelected) => form.set({ isForSelected })}>
          {photoIds.length === 1 ? 'Only for the selected photo' : `Only for the ${photoIds.length} selected photos`}
        </CheckboxLine>
      )}
      <Field label="How it was given" hint="For example: email of November 27." error={problems.note}>
        <Input {...form.text('note')} maxLength={useLimits.note} autoComplete="off" />
      </Field>
      <Field label="Given on" error={problems.givenOn}>
        <DateInput {...form.bind('givenOn')} max={today(clock)} />
      </Field>
      <Field label="Last day" optional hint="Without one it lasts until the patient withdraws it." error={problems.expiresOn}>
        <DateInput {...form.bind('expiresOn')} />
      </Field>
      {guard.dialog}
    </ActionDialog>
  )
}
