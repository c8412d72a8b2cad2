import { type ReactNode, useState } from 'react'
import { type Control, Controller } from 'react-hook-form'
import { CheckboxLine } from '../../../../../ui/Checkbox.tsx'
import { Combobox } from '../../../../../ui/Combobox.tsx'
import { DateInput, TimeInput } from '../../../../../ui/DateInput.tsx'
import { FormField } from '../../../../../ui/Form.tsx'
import { Input } from '../../../../../ui/Input.tsx'
import { Textarea } from '../../../../../ui/Textarea.tsx'
import { contactFieldDeclarations, fieldLabels, type FieldOfKind } from '../../../fields.ts'
import type { Directory } from '../directory.ts'
import type { ReadyContact } from './check-contact.ts'
import type { ContactFormValues } from './form-values.ts'
import { vocabularyOptions } from './vocabulary-options.ts'

export type FormControl = Control<ContactFormValues, unknown, ReadyContact>

type TextName = { [Key in keyof ContactFormValues]: ContactFormValues[Key] extends string ? Key : never }[keyof ContactFormValues]

interface FieldProps {
  control: FormControl
  name: TextName
  label?: string
  hint?: ReactNode
  /** Does not say that it is optional: because it is required, or because it stands where nothing says so. */
  unmarked?: boolean
  className?: string
}

/** A line of text. */
export function TextField({
  control,
  name,
  label,
  hint,
  unmarked,
  className,
  ...input
}: FieldProps & Omit<React.ComponentProps<typeof Input>, keyof FieldProps | 'ref'>) {
  return (
    <FormField control={control} name={name} label={label ?? fieldLabels[name]} hint={hint} optional={!unmarked} className={className}>
      {(field) => <Input {...input} {...field} />}
    </FormField>
  )
}

export function LongTextField({ control, name, label, className, unmarked }: FieldProps) {
  return (
    <FormField control={control} name={name} label={label ?? fieldLabels[name]} optional={!unmarked} className={className}>
      {(field) => <Textarea {...field} />}
    </FormField>
  )
}

export function DayField({ control, name, label, className, unmarked, max }: FieldProps & { max?: string }) {
  return (
    <FormField control={control} name={name} label={label ?? fieldLabels[name]} optional={!unmarked} className={className}>
      {({ value, onChange, onBlur, ref }) => <DateInput value={value} max={max} onValueChange={onChange} onBlur={onBlur} ref={ref} />}
    </FormField>
  )
}

/** A day and, beside it, the time of that day; one field for the reader. */
export function MomentField({ control, name, time, className, hint, unmarked }: FieldProps & { time: TextName }) {
  const label = fieldLabels[name] ?? name
  return (
    <FormField control={control} name={name} label={label} optional={!unmarked} hint={hint} className={className}>
      {({ value, onChange, onBlur, ref }) => (
        <span className="grid grid-cols-[minmax(0,1fr)_8.5rem] gap-2">
          <DateInput value={value} onValueChange={onChange} onBlur={onBlur} ref={ref} />
          <Controller
            control={control}
            name={time}
            render={({ field }) => (
              <TimeInput
                id={`${name}-time`}
                aria-label={`${label}, time`}
                aria-invalid={false}
                value={field.value}
                onValueChange={field.onChange}
                onBlur={field.onBlur}
              />
            )}
          />
        </span>
      )}
    </FormField>
  )
}

interface VocabularyFieldProps extends FieldProps {
  name: FieldOfKind<'vocabulary'>
  directory: Directory
  /** Given, the list stands open, and a choice ends it. */
  onChosen?: () => void
}

/** One of the clinic's own words, or any other: what nothing is called is kept as text (product "Data"). */
export function VocabularyField({ control, name, directory, className, unmarked, onChosen }: VocabularyFieldProps) {
  const [query, setQuery] = useState('')
  const entries = directory[contactFieldDeclarations[name].control.list]
  return (
    <FormField control={control} name={name} label={fieldLabels[name]} optional={!unmarked} className={className}>
      {({ value, onChange, onBlur, ref }) => (
        <Combobox
          value={value || null}
          onValueChange={(next) => {
            onChange(next ?? '')
            onChosen?.()
          }}
          defaultOpen={onChosen !== undefined}
          options={vocabularyOptions(entries, query)}
          selected={value ? { value, label: entries.find(({ id }) => id === value)?.name ?? value } : null}
          onSearch={setQuery}
          clearable
          placeholder="None"
          searchPlaceholder="Choose, or type another"
          empty="Type what it is called."
          onBlur={onBlur}
          ref={ref}
        />
      )}
    </FormField>
  )
}

interface TickProps {
  control: FormControl
  name: FieldOfKind<'tick'>
  className?: string
  onTicked?: () => void
}

export function Tick({ control, name, className, onTicked }: TickProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <CheckboxLine
          checked={value}
          onCheckedChange={(checked) => {
            onChange(checked)
            if (checked) onTicked?.()
          }}
          onBlur={onBlur}
          ref={ref}
          className={className}
        >
          {contactFieldDeclarations[name].control.statement}
        </CheckboxLine>
      )}
    />
  )
}
