import { client } from '../../../../ui/client/api.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { photoUseMessages } from '../../contract.ts'
import { isPlaced, type Purpose, purposes, useLimits } from '../../rules.ts'
import { MissingConsent } from '../MissingConsent.tsx'
import { consentProblem, type PatientUsesData } from '../use-data.ts'
import { useMissing } from '../useMissing.ts'

interface UsePhotosDialogProps {
  contactId: string
  photoIds: readonly string[]
  onDone: (uses: PatientUsesData) => void
  /** Of the patient: what is missing is asked again after a change. */
  consents: PatientUsesData['consents'] | undefined
  /** Shows and records consents. */
  onConsents: () => void
  onClose: () => void
}

const choices = (['consult_room', 'website', 'social_media', 'education', 'research'] as const).map((value) => ({
  value,
  label: purposes[value],
}))
const hints: Partial<Record<Purpose, string>> = {
  consult_room: 'Shown in the gallery without a name, once a view is chosen before and after.',
  website: 'Offered to the website as pairs of one view before and after, without a name.',
}

/** Puts the selected photos to a use, for which the patient has to have consented. */
export default function UsePhotosDialog({ contactId, photoIds, onDone, consents, onConsents, onClose }: UsePhotosDialogProps) {
  const [missing, setMissing] = useMissing<string | null>(null, consents)
  const form = useActionForm({
    initial: { purpose: null as Purpose | null, place: '' },
    check: ({ purpose, place }) => ({
      purpose: purpose ? undefined : photoUseMessages.purpose,
      place: purpose && isPlaced(purpose) && !place.trim() ? photoUseMessages.place : undefined,
    }),
    send: ({ purpose, place }) =>
      client.photoUses.begin({ contactId, photoIds: [...photoIds], purpose: purpose!, place: isPlaced(purpose!) ? place : null }),
    onRefused(error, problems) {
      const problem = consentProblem(error, photoIds.length)
      setMissing(problem)
      return problem === null ? problems : {}
    },
    done: (_, { purpose }) =>
      `${photoIds.length === 1 ? 'Photo' : `${photoIds.length} photos`} in use: ${purposes[purpose!].toLowerCase()}`,
    onDone(uses) {
      onDone(uses)
      guard.leave(onClose)
    },
  })
  const { values, problems } = form
  const guard = useUnsavedGuard(() => values.place.trim() !== '')
  return (
    <ActionDialog
      title={photoIds.length === 1 ? 'Use 1 photo' : `Use ${photoIds.length} photos`}
      form={form}
      action={{ label: 'Use photos' }}
      onClose={() => guard.close(onClose)}
    >
      <Field label="What for" error={problems.purpose} hint={values.purpose ? hints[values.purpose] : undefined}>
        <Select
          value={values.purpose}
          onValueChange={(purpose) => {
            setMissing(null)
            form.set({ purpose })
          }}
          placeholder="Choose"
          options={choices}
        />
      </Field>
      {missing && <MissingConsent onConsents={onConsents}>{missing}</MissingConsent>}
      {values.purpose && isPlaced(values.purpose) && (
        <Field label="Where" hint="For example: Instagram, November 27." error={problems.place}>
          <Input {...form.text('place')} maxLength={useLimits.place} autoComplete="off" />
        </Field>
      )}
      {guard.dialog}
    </ActionDialog>
  )
}
