import { type ReactNode, useState } from 'react'
import { DeedDialog, type Problems } from '../../../../ui/DeedDialog.tsx'
import { Field } from '../../../../ui/Field.tsx'
import { PasswordInput } from '../../../../ui/PasswordInput.tsx'
import { useDeed } from '../../../../ui/useDeed.ts'
import { passwordMessages } from '../../rules.ts'

interface PasswordStepProps {
  title: string
  /** The deed. */
  label: string
  busyLabel: string
  danger?: boolean
  onPassword: (password: string) => Promise<void>
  onClose: () => void
  children: ReactNode
}

/** A dialog that asks for the password before it does something to the account. */
export function PasswordStep({ title, label, busyLabel, danger, onPassword, onClose, children }: PasswordStepProps) {
  const deed = useDeed()
  const [password, setPassword] = useState('')
  const wrong: Problems = password === '' ? { password: passwordMessages.required } : {}
  const problems = deed.problems(wrong)
  return (
    <DeedDialog
      title={title}
      deed={deed}
      problems={problems}
      label={label}
      busyLabel={busyLabel}
      danger={danger}
      onSubmit={() => void deed.send({ wrong, fields: { INVALID_CREDENTIALS: 'password' }, call: () => onPassword(password) })}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">{children}</p>
      <Field label="Password" error={problems.password}>
        <PasswordInput value={password} autoComplete="current-password" onChange={({ target }) => deed.typed(setPassword)(target.value)} />
      </Field>
    </DeedDialog>
  )
}
