import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'

/** The choice without an address. */
export const byLink = 'link'

interface SendByFieldProps {
  /** The patient's addresses. */
  addresses: readonly string[]
  /** An address, or `byLink`. */
  value: string
  onChange: (value: string) => void
  /** For an email. */
  hint?: string
  /** 'Copy a link' */
  linkLabel: string
  linkHint: string
  error?: string
}

/** How a form or consent form gets to the patient: by email, or as a link that staff pass on. */
export function SendByField({ addresses, value, onChange, hint, linkLabel, linkHint, error }: SendByFieldProps) {
  return (
    <Field label="Send by" error={error} hint={value === byLink ? linkHint : hint}>
      <Select
        value={value}
        onValueChange={(to) => to !== null && onChange(to)}
        options={[...addresses.map((address) => ({ value: address, label: `Email to ${address}` })), { value: byLink, label: linkLabel }]}
      />
    </Field>
  )
}
