import { client } from '../../../../ui/client/api.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { useUnsavedGuard } from '../../../../ui/forms/useUnsavedGuard.tsx'
import { photoUseMessages } from '../../contract.ts'
import { linkPurposes, purposes, useLimits } from '../../rules.ts'
import { MissingConsent } from '../MissingConsent.tsx'
import { consentProblem, type PatientUsesData } from '../use-data.ts'
import { useMissing } from '../useMissing.ts'

interface SharePhotosDialogProps {
  contactId: string
  photoIds: readonly string[]
  onDone: (uses: PatientUsesData) => void
  /** Of the patient: what is missing is asked again after a change. */
  consents: PatientUsesData['consents'] | undefined
  /** Shows and records consents. */
  onConsents: () => void
  onClose: () => void
}

const days = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
] as const

/** Emails a link to the selected photos to one person outside the practice. */
export default function SharePhotosDialog({ contactId, photoIds, onDone, consents, onConsents, onClose }: SharePhotosDialogProps) {
  const [missing, setMissing] = useMissing<string | null>(null, consents)
  const form = useActionForm({
    initial: {
      purpose: 'referral' as (typeof linkPurposes)[number],
      recipient: '',
      email: '',
      days: '7' as (typeof days)[number]['value'],
    },
    check: ({ recipient, email }) => ({
      recipient: recipient.trim() ? undefined : photoUseMessages.recipient,
      email: email.trim() ? undefined : photoUseMessages.email,
    }),
    send: ({ days: count, email, ...rest }) =>
      client.photoUses.share({ contactId, photoIds: [...photoIds], ...rest, email: email.trim(), days: Number(count) }),
    onRefused(error, problems) {
      const problem = consentProblem(error, photoIds.length)
      setMissing(problem)
      return problem === null ? problems : {}
    },
    done: (_, { recipient }) => `Link sent to ${recipient}`,
    onDone(uses) {
      onDone(uses)
      guard.leave(onClose)
    },
  })
  const { values, problems } = form
  const guard = useUnsavedGuard(() => form.isDirty)
  return (
    <ActionDialog
      title={photoIds.length === 1 ? 'Share 1 photo' : `Share ${photoIds.length} photos`}
      description="The recipient gets a link by email. It stops working after the time below, when you end it, or when the patient withdraws the consent."
      form={form}
      action={{ label: 'Send link', busyLabel: 'Sending…' }}
      onClose={() => guard.close(onClose)}
    >
      <Field
        label="What for"
        error={problems.purpose}
        hint={
          values.purpose === 'referral'
            ? 'The page shows the patient’s name and birth date.'
            : 'The page does not say whose photos they are.'
        }
      >
        <Select
          value={values.purpose}
          onValueChange={(purpose) => {
            setMissing(null)
            if (purpose) form.set({ purpose })
          }}
          options={linkPurposes.map((value) => ({ value, label: purposes[value] }))}
        />
      </Field>
      {missing && <MissingConsent onConsents={onConsents}>{missing}</MissingConsent>}
      <Field label="Recipient" hint="For example: Dr. Lee, Lakeside ENT." error={problems.recipient}>
        <Input {...form.text('recipient')} maxLength={useLimits.name} autoComplete="off" />
      </Field>
      <Field label="Email" error={problems.email}>
        <Input {...form.text('email')} type="email" maxLength={254} autoComplete="off" />
      </Field>
      <Field label="Works for" error={problems.days}>
        <Select value={values.days} onValueChange={(count) => count && form.set({ days: count })} options={days} />
      </Field>
      {guard.dialog}
    </ActionDialog>
  )
}
