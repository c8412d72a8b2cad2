import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { client } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/Dialog.tsx'
import { Form, FormField } from '../../../../ui/Form.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { toast } from '../../../../ui/toast.ts'
import { customerNames, type PosCustomer, posMessages } from '../../contract.ts'
import { checked, isEmail } from './check-customer.ts'
import { reasonOf } from './reason-of.ts'

export type NewCustomer = {
  firstName: string
  lastName: string
  email: string
  /** The patient whom the customer is made for. */
  contactId?: string
}

interface NewCustomerDialogProps {
  begin: Partial<NewCustomer>
  onClose: () => void
  onCreated: (customer: PosCustomer) => void
}

/** Adds a customer to QuickBooks, and says so. */
export async function createCustomer(person: NewCustomer): Promise<PosCustomer> {
  const { Id, name, refyneContactId } = await client.pos.createCustomer(person)
  toast.success('Customer created successfully')
  return { id: Id, name, email: person.email, refyneContactId }
}

/** Spec 2: 'Add New Customer'. The patient who goes with the customer is found or made by the server. */
export function NewCustomerDialog({ begin, onClose, onCreated }: NewCustomerDialogProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<NewCustomer, unknown, NewCustomer>({
    defaultValues: { firstName: begin.firstName ?? '', lastName: begin.lastName ?? '', email: begin.email ?? '' },
    resolver: (values) => {
      const ready = { firstName: values.firstName.trim(), lastName: values.lastName.trim(), email: values.email.trim() }
      const wrong: [keyof NewCustomer, string][] = (['firstName', 'lastName', 'email'] as const)
        .filter((name) => ready[name] === '')
        .map((name) => [name, ''])
      if (wrong.length > 0) return checked(ready, wrong)
      for (const { path, message } of customerNames.safeParse(ready).error?.issues ?? [])
        wrong.push([path[0] as keyof NewCustomer, message])
      if (!isEmail(ready.email)) wrong.push(['email', posMessages.email])
      return checked(ready, wrong)
    },
  })
  const { errors, isSubmitting } = form.formState
  // One sentence for all three (spec 5), so it stands once.
  const isIncomplete = Object.values(errors).some((error) => error?.message === '')

  async function create(person: NewCustomer) {
    setProblem(null)
    try {
      onCreated(await createCustomer({ ...person, ...(begin.contactId && { contactId: begin.contactId }) }))
    } catch (error) {
      toast.error('Failed to create customer')
      setProblem(reasonOf(error))
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title="Add New Customer" dismissible={!isSubmitting}>
      <Form form={form} onSubmit={create} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {isIncomplete ? <Alert tone="danger">{posMessages.newCustomer}</Alert> : problem && <Alert tone="danger">{problem}</Alert>}
          <div className="grid grid-cols-2 gap-x-3">
            <FormField control={form.control} name="firstName" label="First name">
              {(field) => <Input {...field} autoComplete="off" maxLength={100} aria-invalid={Boolean(errors.firstName)} />}
            </FormField>
            <FormField control={form.control} name="lastName" label="Last name">
              {(field) => <Input {...field} autoComplete="off" maxLength={100} aria-invalid={Boolean(errors.lastName)} />}
            </FormField>
          </div>
          <FormField control={form.control} name="email" label="Email">
            {(field) => (
              <Input {...field} type="email" inputMode="email" autoComplete="off" maxLength={254} aria-invalid={Boolean(errors.email)} />
            )}
          </FormField>
          <p className="text-sm text-fg-3">
            {begin.contactId
              ? 'The customer is added to QuickBooks and linked to this patient.'
              : 'The customer is added to QuickBooks and becomes a patient here, unless one has this email.'}
          </p>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isSubmitting} busyLabel="Creating...">
            Create customer
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
