import { Link } from '@tanstack/react-router'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { fieldLabels } from '../../../derived-fields.ts'
import { fullName } from '../contact-data.ts'
import { contactMessages } from '../../../contact-contract.ts'
import type { ContactForm } from './useContactForm.ts'

/** The patient who already has the email. */
export interface EmailOwner {
  id: string
  firstName: string
  lastName: string
}

interface EmailFieldProps {
  form: ContactForm
  /** Set after the server refused the email. */
  owner?: EmailOwner | null
  busy?: boolean
  onAddAnyway?: () => void
}

/** The email field. For a taken email, links to the patient in a new tab, so that nothing typed is lost, and offers to add it anyway. */
export function EmailField({ form, owner, busy, onAddAnyway }: EmailFieldProps) {
  const problem = form.problems.email
  return (
    <Field
      label={fieldLabels.email}
      optional
      error={
        problem === contactMessages.emailTaken && owner ? (
          <span className="flex flex-col items-start gap-2">
            <span>
              {problem}:{' '}
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
          problem
        )
      }
    >
      <Input {...form.text('email')} type="email" inputMode="email" autoComplete="off" />
    </Field>
  )
}
