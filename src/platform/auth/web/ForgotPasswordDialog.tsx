import { Button } from '../../../ui/Button.tsx'
import { Dialog, DialogBody, DialogFooter, dialogForm } from '../../../ui/Dialog.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { prepareCalls } from './load.ts'
import { useRequestReset } from './useRequestReset.ts'

export default function ForgotPasswordDialog({ onClose }: { onClose: () => void }) {
  const { form, send } = useRequestReset()
  return (
    <Dialog open onOpenChange={onClose} title="Reset Password" dismissible={!form.formState.isSubmitting}>
      <Form
        form={form}
        onFocus={prepareCalls}
        // Spec 2: it closes and clears the field, whatever the answer; a toast says how it went.
        onSubmit={async (values) => {
          await send(values)
          onClose()
        }}
        // Spec 2: nothing happens if the email is empty.
        onSubmitCapture={(event) => {
          if (form.getValues('email').trim()) return
          event.preventDefault()
          event.stopPropagation()
        }}
        className={dialogForm}
      >
        <DialogBody className="flex flex-col gap-4">
          <p className="text-md text-fg-2">Enter your email address and we&apos;ll send you a link to reset your password.</p>
          <FormField control={form.control} name="email" label="Email">
            {(field) => <Input {...field} type="email" autoComplete="username" inputMode="email" />}
          </FormField>
        </DialogBody>
        <DialogFooter>
          <Button size="lg" disabled={form.formState.isSubmitting} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="filled" size="lg" busy={form.formState.isSubmitting} busyLabel="Sending...">
            Send Reset Link
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  )
}
