import { Field } from '../../../ui/forms/Field.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { PasswordInput } from '../../../ui/controls/PasswordInput.tsx'
import type { FormFields } from '../../../ui/forms/useActionForm.ts'

interface Account {
  firstName: string
  lastName: string
  email: string
  password: string
}

/** Fields of a new account, for sign-up and the first administrator. */
export function AccountFields({ form }: { form: FormFields<Account> }) {
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <Field label="First name" error={form.problems.firstName}>
          <Input {...form.text('firstName')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" error={form.problems.lastName}>
          <Input {...form.text('lastName')} autoComplete="family-name" />
        </Field>
      </div>
      <Field label="Email" error={form.problems.email}>
        <Input {...form.text('email')} type="email" autoComplete="username" inputMode="email" />
      </Field>
      <Field label="Password" error={form.problems.password}>
        <PasswordInput {...form.text('password')} autoComplete="new-password" />
      </Field>
    </>
  )
}
