import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import type { Problems } from '../../../ui/forms/useActionForm.ts'
import { signingLimits } from '../rules.ts'

export interface SignerValues {
  /** Null: not chosen, which is the patient unless the patient is under age. */
  signer: 'patient' | 'substitute' | null
  name: string
  relation: string
}
export const noSigner: SignerValues = { signer: null, name: '', relation: '' }

export const checkSigner = ({ signer, name, relation }: SignerValues, hasToChoose: boolean) => ({
  substitute: hasToChoose && signer === null ? 'Choose who signs: the patient is under 18' : undefined,
  name: signer === 'substitute' && name.trim() === '' ? 'Enter the name' : undefined,
  relation: signer === 'substitute' && relation.trim() === '' ? 'Enter how they are related to the patient' : undefined,
})
/** As the API takes it. */
export const substituteOf = ({ signer, name, relation }: SignerValues) =>
  signer === null ? undefined : signer === 'patient' ? null : { name, relation }

interface SignerFieldsProps {
  label: string
  /** The patient is under age. */
  hasToChoose: boolean
  values: SignerValues
  problems: Problems
  onChange: (part: Partial<SignerValues>) => void
}

/** The patient or a substitute decision-maker. */
export function SignerFields({ label, hasToChoose, values, problems, onChange }: SignerFieldsProps) {
  return (
    <>
      <Field
        label={label}
        error={problems.substitute}
        hint={
          hasToChoose || values.signer === 'substitute'
            ? 'Ontario has no age of consent: a provider decides whether the patient is capable of deciding.'
            : undefined
        }
      >
        <Select
          value={values.signer ?? (hasToChoose || problems.substitute ? null : 'patient')}
          onValueChange={(signer) => onChange({ signer })}
          options={[
            { value: 'patient', label: 'The patient' },
            { value: 'substitute', label: 'A substitute decision-maker' },
          ]}
        />
      </Field>
      {values.signer === 'substitute' && (
        <div className="grid gap-3 md:grid-cols-2">
          <Field label="Name" error={problems.name}>
            <Input
              value={values.name}
              onChange={({ target }) => onChange({ name: target.value })}
              maxLength={signingLimits.name}
              autoComplete="off"
            />
          </Field>
          <Field label="Relation to the patient" error={problems.relation}>
            <Input
              value={values.relation}
              onChange={({ target }) => onChange({ relation: target.value })}
              maxLength={signingLimits.relation}
              autoComplete="off"
            />
          </Field>
        </div>
      )}
    </>
  )
}
