import { client } from '../../../../../ui/client/api.ts'
import { ActionDialog } from '../../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { toast } from '../../../../../ui/overlays/toast.ts'
import { problemsIn, useActionForm } from '../../../../../ui/forms/useActionForm.ts'
import { customerNames, type PosCustomer, posMessages } from '../../../contract.ts'
import { isEmail } from './check-customer.ts'
import { reasonOf } from '../../../../../ui/client/refusal.ts'

export type NewCustomer = {
  firstName: string
  lastName: string
  email: string
  /** The patient that the customer is created for. */
  contactId?: string
}

interface NewCustomerDialogProps {
  begin: Partial<NewCustomer>
  onClose: () => void
  onCreated: (customer: PosCustomer) => void
}

/** Adds a customer to QuickBooks and shows a toast. */
export async function createCustomer(person: NewCustomer): Promise<PosCustomer> {
  const { Id, name, refyneContactId } = await client.pos.createCustomer(person)
  toast.success('Customer created successfully')
  return { id: Id, name, email: person.email, refyneContactId }
}

/** Spec 2: 'Add New Customer'. The server finds or creates the customer's patient. */
export function NewCustomerDialog({ begin, onClose, onCreated }: NewCustomerDialogProps) {
  const form = useActionForm({
    initial: { firstName: begin.firstName ?? '', lastName: begin.lastName ?? '', email: begin.email ?? '' },
    check(values) {
      const ready = trimmed(values)
      const missing = Object.entries(ready).filter(([, text]) => text === '')
      if (missing.length > 0) return Object.fromEntries(missing)
      return { email: isEmail(ready.email) ? undefined : posMessages.email, ...problemsIn(customerNames, ready) }
    },
    send: (values) => createCustomer({ ...trimmed(values), ...(begin.contactId && { contactId: begin.contactId }) }),
    onDone: onCreated,
    onRefused(error) {
      toast.error('Failed to create customer')
      return { form: reasonOf(error) }
    },
  })
  const { problems } = form
  // One message for all three fields (spec 5), so it is shown once.
  const isIncomplete = Object.values(problems).includes('')
  const field = (name: 'firstName' | 'lastName' | 'email') => ({
    ...form.text(name),
    autoComplete: 'off',
    'aria-invalid': problems[name] !== undefined,
  })

  return (
    <ActionDialog
      title="Add New Customer"
      form={isIncomplete ? { ...form, problems: { form: posMessages.newCustomer } } : form}
      action={{ label: 'Create customer', busyLabel: 'Creating…' }}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-x-3">
        <Field label="First name" error={problems.firstName}>
          <Input {...field('firstName')} maxLength={100} />
        </Field>
        <Field label="Last name" error={problems.lastName}>
          <Input {...field('lastName')} maxLength={100} />
        </Field>
      </div>
      <Field label="Email" error={problems.email}>
        <Input {...field('email')} type="email" inputMode="email" maxLength={254} />
      </Field>
      <p className="text-sm text-fg-3">
        {begin.contactId
          ? 'The customer is added to QuickBooks and linked to this patient.'
          : 'The customer is added to QuickBooks and becomes a patient here, unless one has this email.'}
      </p>
    </ActionDialog>
  )
}

const trimmed = ({ firstName, lastName, email }: Pick<NewCustomer, 'firstName' | 'lastName' | 'email'>) => ({
  firstName: firstName.trim(),
  lastName: lastName.trim(),
  email: email.trim(),
})
