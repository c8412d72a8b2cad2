import { type ReactNode, useState } from 'react'
import { ActionDialog, type Problems } from '../../../../ui/ActionDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { PasswordInput } from '../../../../ui/PasswordInput.tsx'
import { useAction } from '../../../../ui/useAction.ts'
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

/** A dialog that asks for the password before it does something to the account. */
export function PasswordStep({ title, label, busyLabel, danger, onPassword, onClose, children }: PasswordStepProps) {
  const action = useAction()
  const [password, setPassword] = useState('')
  const wrong: Problems = password === '' ? { password: passwordMessages.required } : {}
  const problems = action.problems(wrong)
  return (
    <ActionDialog
      title={title}
      action={action}
      problems={problems}
      label={label}
      busyLabel={busyLabel}
      danger={danger}
      onSubmit={() => void action.send({ wrong, fields: { INVALID_CREDENTIALS: 'password' }, call: () => onPassword(password) })}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">{children}</p>
      <Field label="Password" error={problems.password}>
        <PasswordInput
          value={password}
          autoComplete="current-password"
          onChange={({ target }) => action.typed(setPassword)(target.value)}
        />
      </Field>
    </ActionDialog>
  )
}
