import { Button } from '../../../ui/controls/Button.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { AccountFields } from './AccountFields.tsx'
import { prepareCalls, useAuthForm } from './load.ts'

export function SignUpForm({ onSignedUp }: { onSignedUp: () => void }) {
  const form = useAuthForm({
    initial: { firstName: '', lastName: '', email: '', password: '' },
    check: (checks) => checks.signUp,
    send: (client, values) => client.auth.signUp(values),
    onDone() {
      toast.single('success', 'Success!', 'Your account has been created. Please check your email to verify your account.')
      onSignedUp()
    },
    failed: 'Error signing up',
  })

  return (
    <Form form={form} onFocus={prepareCalls} className="flex flex-col gap-4">
      <AccountFields form={form} />
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Creating account..." className="mt-1">
        Create Account
      </Button>
    </Form>
  )
}
