import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { problemsIn, useActionForm } from '../../../ui/forms/useActionForm.ts'
import { ContactPicker } from '../../contacts/web/embed/ContactPicker.tsx'
import { maxReferrerName, referrerFields } from '../contract.ts'

interface ReferrerDialogProps {
  contactId: string
  referrer: { id: string; firstName: string; lastName: string } | null
  /** The name on the record. */
  referredBy: string | null
  onClose: () => void
}

interface Values {
  kind: 'patient' | 'other'
  patientId: string | null
  name: string
  createTask: boolean
}

const toInput = ({ kind, patientId, name, createTask }: Values) => ({
  patientId: kind === 'patient' ? patientId : null,
  name: kind === 'other' ? name : null,
  createTask,
})

/** Records who referred a patient: another patient, or the name of a practice or person. */
export default function ReferrerDialog({ contactId, referrer, referredBy, onClose }: ReferrerDialogProps) {
  const cache = useQueryClient()
  const initial: Values = { kind: 'patient', patientId: referrer?.id ?? null, name: referredBy ?? '', createTask: true }
  const form = useActionForm({
    initial,
    check: (values) => problemsIn(referrerFields, toInput(values)),
    send: (values) => client.referrals.setReferrer({ contactId, ...toInput(values) }),
    done: 'Referrer recorded',
    onDone(state) {
      cache.setQueryData(orpc.referrals.ofContact.queryKey({ input: { contactId } }), state)
      onClose()
    },
  })
  const { values, problems } = form
  return (
    <ActionDialog
      title="Record referrer"
      description={referredBy ? `Named as “${referredBy}”` : undefined}
      form={form}
      action={{ label: 'Record referrer' }}
      onClose={onClose}
    >
      <SegmentedControl
        aria-label="Referred by"
        value={values.kind}
        onValueChange={(kind) => form.set({ kind })}
        options={[
          { value: 'patient', label: 'A patient' },
          { value: 'other', label: 'A practice or person' },
        ]}
      />
      {values.kind === 'patient' ? (
        <Field label="Patient" error={problems.patientId}>
          <ContactPicker {...form.bind('patientId')} selected={referrer} exclude={[contactId]} />
        </Field>
      ) : (
        <Field label="Name" error={problems.name}>
          <Input {...form.text('name')} maxLength={maxReferrerName} autoComplete="off" />
        </Field>
      )}
      <CheckboxLine {...form.tick('createTask')}>Create a thank-you task for the owner</CheckboxLine>
    </ActionDialog>
  )
}
