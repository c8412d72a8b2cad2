import { type ReactNode, useState } from 'react'
import { CheckboxLine } from '../../../../../ui/controls/Checkbox.tsx'
import { Combobox } from '../../../../../ui/controls/Combobox.tsx'
import { DateInput, TimeInput } from '../../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { Textarea } from '../../../../../ui/controls/Textarea.tsx'
import { contactFieldDeclarations } from '../../../fields.ts'
import { fieldLabels, type FieldOfKind } from '../../../derived-fields.ts'
import type { Directory } from '../directory.ts'
import type { ContactFormValues } from './form-values.ts'
import type { ContactForm } from './useContactForm.ts'
import { vocabularyOptions } from './vocabulary-options.ts'

type TextName = { [Key in keyof ContactFormValues]: ContactFormValues[Key] extends string ? Key : never }[keyof ContactFormValues]

interface FieldProps {
  form: ContactForm
  name: TextName
  label?: string
  hint?: ReactNode
  /** Hides "optional": for required fields, and on the patient page. */
  unmarked?: boolean
  className?: string
}

/** A line of text. */
export function TextField({
  form,
  name,
  label,
  hint,
  unmarked,
  className,
  ...input
}: FieldProps & Omit<React.ComponentProps<typeof Input>, keyof FieldProps | 'ref'>) {
  return (
    <Field error={form.problems[name]} label={label ?? fieldLabels[name]} hint={hint} optional={!unmarked} className={className}>
      <Input {...input} {...form.text(name)} />
    </Field>
  )
}

export function LongTextField({ form, name, label, className, unmarked }: FieldProps) {
  return (
    <Field error={form.problems[name]} label={label ?? fieldLabels[name]} optional={!unmarked} className={className}>
      <Textarea {...form.text(name)} />
    </Field>
  )
}

export function DayField({ form, name, label, className, unmarked, max }: FieldProps & { max?: string }) {
  return (
    <Field error={form.problems[name]} label={label ?? fieldLabels[name]} optional={!unmarked} className={className}>
      <DateInput {...form.bind(name)} max={max} />
    </Field>
  )
}

/** A date with its time of day, as one field. */
export function MomentField({ form, name, time, className, hint, unmarked }: FieldProps & { time: TextName }) {
  const label = fieldLabels[name] ?? name
  return (
    <Field error={form.problems[name]} label={label} optional={!unmarked} hint={hint} className={className}>
      <span className="grid grid-cols-[minmax(0,1fr)_8.5rem] gap-2">
        <DateInput {...form.bind(name)} />
        <TimeInput {...form.bind(time)} id={`${name}-time`} aria-label={`${label}, time`} aria-invalid={false} />
      </span>
    </Field>
  )
}

interface VocabularyFieldProps extends Omit<FieldProps, 'label' | 'hint'> {
  name: FieldOfKind<'vocabulary'>
  directory: Directory
  /** If set, the list is open at first, and this is called on a choice. */
  onChosen?: () => void
}

/** An entry of the clinic's own list, or any other text (product "Data"). */
export function VocabularyField({ form, name, directory, className, unmarked, onChosen }: VocabularyFieldProps) {
  const [query, setQuery] = useState('')
  const value = form.values[name]
  const entries = directory[contactFieldDeclarations[name].control.list]
  return (
    <Field error={form.problems[name]} label={fieldLabels[name]} optional={!unmarked} className={className}>
      <Combobox
        value={value || null}
        onValueChange={(next) => {
          form.set({ [name]: next ?? '' })
          onChosen?.()
        }}
        defaultOpen={onChosen !== undefined}
        options={vocabularyOptions(entries, query)}
        selected={value ? { value, label: entries.find(({ id }) => id === value)?.name ?? value } : null}
        search={{ placeholder: 'Choose, or type another', empty: 'Type a name.', onSearch: setQuery }}
        clearable
        placeholder="None"
      />
    </Field>
  )
}

interface TickProps {
  form: ContactForm
  name: FieldOfKind<'tick'>
  className?: string
  onTicked?: () => void
}

export function Tick({ form, name, className, onTicked }: TickProps) {
  return (
    <CheckboxLine
      checked={form.values[name]}
      onCheckedChange={(isChecked) => {
        form.set({ [name]: isChecked })
        if (isChecked) onTicked?.()
      }}
      className={className}
    >
      {contactFieldDeclarations[name].control.statement}
    </CheckboxLine>
  )
}
