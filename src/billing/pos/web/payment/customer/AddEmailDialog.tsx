import { client } from '../../../../../ui/client/api.ts'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { type PosCustomer, posMessages } from '../../../contract.ts'
import { isEmail } from './check-customer.ts'
import { reasonOf } from '../../../../../ui/client/refusal.ts'

interface AddEmailDialogProps {
  customer: PosCustomer
  onClose: () => void
  onAdded: (customer: PosCustomer) => void
}

/** Spec 2: 'Add Email for {customer}'. A customer without an email can't be chosen. */
export function AddEmailDialog({ customer, onClose, onAdded }: AddEmailDialogProps) {
  const form = useActionForm({
    initial: { email: '' },
    check({ email }) {
      const typed = email.trim()
      return { email: typed === '' ? posMessages.emailRequired : isEmail(typed) ? undefined : posMessages.email }
    },
    async send(values) {
      const email = values.email.trim()
      const { refyneContactId } = await client.pos.updateCustomerEmail({ customerId: customer.id, email })
      return { ...customer, email, refyneContactId }
    },
    done: 'Customer email updated and synced with Refyne',
    onDone: onAdded,
    onRefused(error) {
      toast.error('Failed to update customer email')
      return { form: reasonOf(error) }
    },
  })

  return (
    <ActionDialog
      title={`Add Email for ${customer.name}`}
      form={form}
      action={{ label: 'Add email', busyLabel: 'Adding…' }}
      onClose={onClose}
    >
      <Field
        label="Email"
        error={form.problems.email}
        hint="A payment needs one: the receipt appears on the timeline of the patient with this address."
      >
        <Input {...form.text('email')} type="email" inputMode="email" autoComplete="off" maxLength={254} />
      </Field>
    </ActionDialog>
  )
}
