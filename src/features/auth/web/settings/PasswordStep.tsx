import { type ReactNode, useState } from 'react'
import { DeedDialog } from '../../../../web/ui/DeedDialog.tsx'
import { Field } from '../../../../web/ui/Field.tsx'
import { PasswordInput } from '../../../../web/ui/PasswordInput.tsx'
import { passwordMessages } from '../../rules.ts'
import { useDeed } from './useDeed.ts'

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
  const { deed, problems, refuse, run } = useDeed({ INVALID_CREDENTIALS: 'password' })
  const [password, setPassword] = useState('')
  return (
    <DeedDialog
      title={title}
      deed={deed}
      problems={problems}
      label={label}
      busyLabel={busyLabel}
      danger={danger}
      onSubmit={() => (password === '' ? refuse({ password: passwordMessages.required }) : void run(() => onPassword(password)))}
      onClose={onClose}
    >
      <p className="text-md text-fg-2">{children}</p>
      <Field label="Password" error={problems.password}>
        <PasswordInput value={password} autoComplete="current-password" onChange={({ target }) => setPassword(target.value)} />
      </Field>
    </DeedDialog>
  )
}
