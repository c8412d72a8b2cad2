import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { client } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../../ui/Dialog.tsx'
import { Form, FormField } from '../../../../ui/Form.tsx'
import { Input } from '../../../../ui/Input.tsx'
import { toast } from '../../../../ui/toast.ts'
import { type PosCustomer, posMessages } from '../../contract.ts'
import { checked, isEmail } from './check-customer.ts'
import { reasonOf } from './reason-of.ts'

interface AddEmailDialogProps {
  customer: PosCustomer
  onClose: () => void
  onAdded: (customer: PosCustomer) => void
}

/** Spec 2: 'Add Email for {customer}'. Without one no one can be chosen. */
export function AddEmailDialog({ customer, onClose, onAdded }: AddEmailDialogProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm<{ email: string }, unknown, { email: string }>({
    defaultValues: { email: '' },
    resolver: ({ email }) => {
      const typed = email.trim()
      const wrong = typed === '' ? posMessages.emailRequired : isEmail(typed) ? null : posMessages.email
      return checked({ email: typed }, wrong ? [['email', wrong]] : [])
    },
  })
  const { isSubmitting } = form.formState

  async function add({ email }: { email: string }) {
    setProblem(null)
    try {
      const { refyneContactId } = await client.pos.updateCustomerEmail({ customerId: customer.id, email })
      toast.success('Customer email updated and synced with Refyne')
      onAdded({ ...customer, email, refyneContactId })
    } catch (error) {
      toast.error('Failed to update customer email')
      setProblem(reasonOf(error))
    }
  }

  return (
    <Dialog open onOpenChange={onClose} title={`Add Email for ${customer.name}`} dismissible={!isSubmitting}>
      <Form form={form} onSubmit={add} className={dialogForm}>
        <DialogBody className="flex flex-col gap-4">
          {problem && <Alert tone="danger">{problem}</Alert>}
          <FormField
            control={form.control}
            name="email"
            label="Email"
            hint="A payment needs one: the receipt goes onto the timeline of the patient who has it."
          >
            {(field) => <Input {...field} type="email" inputMode="email" autoComplete="off" maxLength={254} />}
          </FormField>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="filled" busy={isSubmitting} busyLabel="Adding...">
            Add email
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
