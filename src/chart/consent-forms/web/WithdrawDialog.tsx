import { client } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../ui/controls/DateInput.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { today } from '../../../ui/format.ts'
import { ActionDialog } from '../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { useActionForm } from '../../../ui/forms/useActionForm.ts'
import type { ConsentData } from './consent-data.ts'
import { scopeLabels } from './labels.ts'

interface WithdrawDialogProps {
  consent: ConsentData
  onDone: () => void
  onClose: () => void
}

/** Records a withdrawal that a patient made in person, on the phone or in writing. */
export default function WithdrawDialog({ consent, onDone, onClose }: WithdrawDialogProps) {
  const clock = useClock()
  const open = consent.scopes.filter((scope) => !consent.withdrawnScopes.includes(scope))
  const form = useActionForm({
    initial: () => ({ on: today(clock), by: '', scopes: open }),
    check: ({ on, by, scopes }) => ({
      on: on === '' ? 'Enter the day on which it was withdrawn' : undefined,
      by: by.trim() === '' ? 'Enter who withdrew it' : undefined,
      scopes: open.length > 0 && scopes.length === 0 ? 'Choose what is withdrawn' : undefined,
    }),
    send: ({ scopes, ...values }) =>
      client.consentForms.withdraw({ id: consent.id, ...values, scopes: scopes.length === open.length ? null : scopes }),
    done: 'Withdrawal recorded',
    onDone() {
      onDone()
      onClose()
    },
  })
  return (
    <ActionDialog
      title={`Record withdrawal of “${consent.title.en}”?`}
      description="This can’t be undone: the patient would have to sign again. A surgery that requires this consent is no longer cleared."
      form={form}
      action={{ label: 'Record withdrawal', busyLabel: 'Recording…', isDanger: true }}
      onClose={onClose}
    >
      <Field label="By whom" hint="For example: the patient, by phone." error={form.problems.by}>
        <Input {...form.text('by')} maxLength={120} autoComplete="off" />
      </Field>
      <Field label="Withdrawn on" error={form.problems.on}>
        <DateInput value={form.values.on} max={today(clock)} onValueChange={(on) => form.set({ on })} />
      </Field>
      {open.length > 0 && (
        <Field label="What is withdrawn" error={form.problems.scopes}>
          <div className="flex flex-col gap-2">
            {open.map((scope) => (
              <CheckboxLine
                key={scope}
                checked={form.values.scopes.includes(scope)}
                onCheckedChange={(isChosen) =>
                  form.set({ scopes: open.filter((one) => (one === scope ? isChosen : form.values.scopes.includes(one))) })
                }
              >
                {scopeLabels[scope]}
              </CheckboxLine>
            ))}
          </div>
        </Field>
      )}
    </ActionDialog>
  )
}
