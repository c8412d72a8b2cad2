import type { ReactNode } from 'react'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { MultiSelect } from '../../../../ui/controls/MultiSelect.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'

interface NumberFieldProps {
  label: ReactNode
  /** NaN while it is empty. */
  value: number
  onChange: (value: number) => void
  min?: number
  max: number
  /** After the number: 'days'. */
  unit?: string
  hint?: ReactNode
  error?: string | undefined
  className?: string
}

/** A whole number. */
export function NumberField({ label, value, onChange, min = 0, max, unit, hint, error, className }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      <Input
        inputMode="numeric"
        autoComplete="off"
        value={Number.isNaN(value) ? '' : String(value)}
        onChange={({ target }) => {
          const text = target.value.replace(min < 0 ? /[^\d-]/g : /\D/g, '')
          onChange(text === '' || text === '-' ? Number.NaN : Math.max(min, Math.min(max, Number(text))))
        }}
        className="max-w-40 tabular-nums"
        {...(unit !== undefined && { trailing: <span className="pr-1 text-sm">{unit}</span> })}
      />
    </Field>
  )
}

interface PeopleFieldProps {
  label: string
  hint: string
  value: readonly string[]
  directory: Directory
  onChange: (people: string[]) => void
  error?: string | undefined
}

/** Colleagues, in the order in which their turn comes. */
export function PeopleField({ label, hint, value, directory: { people }, onChange, error }: PeopleFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <MultiSelect
        listLabel="Chosen colleagues"
        placeholder="Add a colleague"
        picked={value.map((id) => ({ value: id, label: people.find((one) => one.id === id)?.fullName ?? 'A former colleague' }))}
        options={people
          .filter(({ id }) => !value.includes(id))
          .map(({ id, fullName, email }) => ({ value: id, label: fullName, detail: email }))}
        onAdd={(id) => onChange([...value, id])}
        onRemove={(id) => onChange(value.filter((one) => one !== id))}
      />
    </Field>
  )
}
