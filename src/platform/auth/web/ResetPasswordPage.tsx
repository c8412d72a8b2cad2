import { useState } from 'react'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { Form } from '../../../ui/forms/Form.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { AuthFrame, inlineLink } from './AuthFrame.tsx'
import { useRequestReset } from './useRequestReset.ts'

export default function ResetPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useRequestReset(setSentTo)
  return (
    <AuthFrame
      title="Reset Password"
      lead="Enter your email address and we'll send you a link to reset your password."
      footer={
        <a href="/auth" className={inlineLink}>
          Back to Login
        </a>
      }
    >
      <Form form={form} className="flex flex-col gap-4">
        {sentTo && (
          <Alert tone="success" title="Sent.">
            If {sentTo} has an account, a link is on its way to it. It works once, within one hour.
          </Alert>
        )}
        <Field label="Email" error={form.problems.email}>
          <Input {...form.text('email')} type="email" autoComplete="username" inputMode="email" />
        </Field>
        <Button type="submit" variant="filled" size="lg" block busy={form.isBusy} busyLabel="Sending…">
          Send Reset Link
        </Button>
      </Form>
    </AuthFrame>
  )
}
