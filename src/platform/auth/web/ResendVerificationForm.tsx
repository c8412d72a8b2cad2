import { useState } from 'react'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { useAuthForm } from './load.ts'

/** For an invalid link. The response is the same for known and unknown addresses. */
export function ResendVerificationForm() {
  const [sent, setSent] = useState(false)
  const form = useAuthForm({
    initial: { email: '' },
    check: (checks) => checks.address,
    send: (client, values) => client.auth.resendVerification(values),
    onDone: () => setSent(true),
    failed: 'The link was not sent',
  })
  return (
    <Form form={form} className="flex flex-col gap-4">
      {sent ? (
        <Alert tone="success" title="Sent.">
          If this address has an unverified account, a new link is on its way. It works for 24 hours.
        </Alert>
      ) : (
        <Alert tone="warning" title="This link has expired or was used already.">
          Enter your account’s email address and we’ll send a new one.
        </Alert>
      )}
      <Field label="Email" error={form.problems.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" inputMode="email" />
      </Field>
      <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Sending…">
        Send me a new link
      </Button>
    </Form>
  )
}
