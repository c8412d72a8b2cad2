import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form, FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { toast } from '../../../ui/toast.ts'
import { check, loadCalls } from './load.ts'

/** For a link that is not good any more. The answer is the same whether the address is known or not. */
export function ResendVerificationForm() {
  const [sent, setSent] = useState(false)
  const form = useForm({ defaultValues: { email: '' }, resolver: check((checks) => checks.address) })
  return (
    <Form
      form={form}
      onSubmit={async (values) => {
        const { client, messageOf } = await loadCalls()
        try {
          await client.auth.resendVerification(values)
          setSent(true)
        } catch (error) {
          toast.single('error', 'The link was not sent', messageOf(error))
        }
      }}
      className="flex flex-col gap-4"
    >
      {sent ? (
        <Alert tone="success" title="Sent.">
          If an account waits at this address, a new link is on its way. It works for 24 hours.
        </Alert>
      ) : (
        <Alert tone="warning" title="This link has expired or was used already.">
          Give the address of your account, and we send a new one.
        </Alert>
      )}
      <FormField control={form.control} name="email" label="Email">
        {(field) => <Input {...field} type="email" autoComplete="username" inputMode="email" />}
      </FormField>
      <Button type="submit" variant="filled" size="lg" block busy={form.formState.isSubmitting} busyLabel="Sending...">
        Send me a new link
      </Button>
    </Form>
  )
}
