import { useQueryClient } from '@tanstack/react-query'
import { client, orpc } from '../../../ui/client/api.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { type ConsentWay, consentWays } from '../rules.ts'
import { sourceLabels } from './labels.ts'

const maxWordingLength = 2_000

interface RecordDialogProps {
  contactId: string
  unsubscribed: readonly string[]
  onClose: () => void
}

/** Records what a patient agreed to and how consent was given. */
export default function RecordDialog({ contactId, unsubscribed, onClose }: RecordDialogProps) {
  const cache = useQueryClient()
  const { name } = usePractice()
  const form = useActionForm({
    initial: { way: 'in_person' as ConsentWay, wording: `I would like ${name} to email me about treatments, events and offers.` },
    check: ({ wording }) => ({ wording: wording.trim() === '' ? 'Enter what the patient agreed to' : undefined }),
    send: (values) => client.consent.record({ id: contactId, ...values }),
    done: 'Consent recorded',
    onDone(state) {
      cache.setQueryData(orpc.consent.get.queryKey({ input: { id: contactId } }), state)
      void cache.invalidateQueries({ queryKey: orpc.contacts.get.key({ input: { id: contactId } }) })
      onClose()
    },
  })
  const { form: problem, ...problems } = form.problems
  return (
    <ActionDialog
      title="Record consent"
      form={{ ...form, problems }}
      action={{ label: 'Record consent', busyLabel: 'Recording…' }}
      onClose={onClose}
    >
      {problem && (
        <Alert tone="danger" title="Couldn’t record consent">
          {problem}
        </Alert>
      )}
      {unsubscribed.length > 0 && (
        <Alert tone="warning" title={`${new Intl.ListFormat('en-CA').format(unsubscribed)} unsubscribed.`}>
          Recording consent allows marketing email to this address again. Do so only if the patient has asked for it since.
        </Alert>
      )}
      <Field label="How it was given">
        <Select {...form.choice('way')} options={consentWays.map((value) => ({ value, label: sourceLabels[value] }))} />
      </Field>
      <Field label="What the patient agreed to" hint="Exact wording shown to the patient." error={problems.wording}>
        <Textarea {...form.text('wording')} rows={4} maxLength={maxWordingLength} />
      </Field>
    </ActionDialog>
  )
}
