import type { ReactNode } from 'react'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { PasswordInput } from '../../../../ui/controls/PasswordInput.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { passwordMessages } from '../../rules.ts'

interface PasswordStepProps {
  title: string
  /** The action. */
  label: string
  busyLabel: string
  danger?: boolean
  onPassword: (password: string) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A dialog that requires the password before changing account security. */
export function PasswordStep({ title, label, busyLabel, danger, onPassword, onClose, children }: PasswordStepProps) {
  const form = useActionForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: password === '' ? passwordMessages.required : undefined }),
    refusals: { INVALID_CREDENTIALS: 'password' },
    send: ({ password }) => onPassword(password),
  })
  return (
    <ActionDialog title={title} form={form} action={{ label, busyLabel, isDanger: danger }} onClose={onClose}>
      <p className="text-md text-fg-2">{children}</p>
      <Field label="Password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="current-password" />
      </Field>
    </ActionDialog>
  )
}
