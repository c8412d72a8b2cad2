import { Link } from '@tanstack/react-router'
import { Controller } from 'react-hook-form'
import { Button } from '../../../../../ui/Button.tsx'
import { Field } from '../../../../../ui/Field.tsx'
import { Input } from '../../../../../ui/Input.tsx'
import { fieldLabels } from '../../../fields.ts'
import { fullName } from '../contact-data.ts'
import type { FormControl } from './controls.tsx'

/** The patient who has the address already. */
export interface EmailOwner {
  id: string
  firstName: string
  lastName: string
}

interface EmailFieldProps {
  control: FormControl
  /** Known once the server has refused the address. */
  owner?: EmailOwner | null
  busy?: boolean
  onAddAnyway?: () => void
}

/** The error of an address that is taken. */
export const taken = 'taken'

/** An address that another patient has leads to that patient, in a tab of its own so that nothing typed is lost; or is used all the same. */
export function EmailField({ control, owner, busy, onAddAnyway }: EmailFieldProps) {
  return (
    <Controller
      control={control}
      name="email"
      render={({ field, fieldState: { error } }) => (
        <Field
          label={fieldLabels.email}
          optional
          error={
            error?.type === taken && owner ? (
              <span className="flex flex-col items-start gap-2">
                <span>
                  {error.message}:{' '}
                  <Link
                    to="/contacts/$id"
                    params={{ id: owner.id }}
                    target="_blank"
                    className="rounded-xs font-medium underline underline-offset-2"
                  >
                    {fullName(owner)}
                  </Link>
                </span>
                <Button size="sm" busy={busy} onClick={onAddAnyway}>
                  Add anyway
                </Button>
              </span>
            ) : (
              error?.message
            )
          }
        >
          <Input {...field} type="email" inputMode="email" autoComplete="off" />
        </Field>
      )}
    />
  )
}
