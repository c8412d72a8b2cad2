import { useForm } from 'react-hook-form'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { toast } from '../../../ui/toast.ts'
import { AccountFields } from './AccountFields.tsx'
import { check, loadCalls, prepareCalls } from './load.ts'

export function SignUpForm({ onSignedUp }: { onSignedUp: () => void }) {
  const form = useForm({
    defaultValues: { firstName: '', lastName: '', email: '', password: '' },
    resolver: check((checks) => checks.signUp),
  })

  return (
    <Form
      form={form}
      onFocus={prepareCalls}
      onSubmit={async (values) => {
        const { client, messageOf, applyFieldErrors } = await loadCalls()
        try {
          await client.auth.signUp(values)
          toast.single('success', 'Success!', 'Your account has been created. Please check your email to verify your account.')
          onSignedUp()
        } catch (error) {
          if (!applyFieldErrors(form, error)) toast.single('error', 'Error signing up', messageOf(error))
        }
      }}
      className="flex flex-col gap-4"
    >
      <AccountFields control={form.control} />
      <Button
        type="submit"
        variant="filled"
        size="lg"
        block
        busy={form.formState.isSubmitting}
        busyLabel="Creating account..."
        className="mt-1"
      >
        Create Account
      </Button>
    </Form>
  )
}
