import type { Control } from 'react-hook-form'
import { FormField } from '../../../ui/Form.tsx'
import { Input } from '../../../ui/Input.tsx'
import { PasswordInput } from '../../../ui/PasswordInput.tsx'

interface Account {
  firstName: string
  lastName: string
  email: string
  password: string
}

/** What a new account asks for: signing up, and the first administrator. */
export function AccountFields<Out>({ control }: { control: Control<Account, unknown, Out> }) {
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2 sm:gap-3">
        <FormField control={control} name="firstName" label="First name">
          {(field) => <Input {...field} autoComplete="given-name" />}
        </FormField>
        <FormField control={control} name="lastName" label="Last name">
          {(field) => <Input {...field} autoComplete="family-name" />}
        </FormField>
      </div>
      <FormField control={control} name="email" label="Email">
        {(field) => <Input {...field} type="email" autoComplete="username" inputMode="email" />}
      </FormField>
      <FormField control={control} name="password" label="Password">
        {(field) => <PasswordInput {...field} autoComplete="new-password" />}
      </FormField>
    </>
  )
}
