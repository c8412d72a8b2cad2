import { CheckboxLine } from '../../../ui/controls/Checkbox.tsx'
import { Input } from '../../../ui/controls/Input.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { Textarea } from '../../../ui/controls/Textarea.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { type Answer, noteLimits, type NoteSection, valueFor } from '../rules.ts'

interface SectionFieldProps {
  section: NoteSection
  onChange: (answer: Answer) => void
}

/** The answer of a section, as its type asks for it. */
export function SectionField({ section, onChange }: SectionFieldProps) {
  const { title, type, options, answer } = section
  if (type === 'text') {
    const text = typeof answer === 'string' ? answer : ''
    return (
      <Field label={title}>
        <Textarea
          rows={3}
          value={text}
          // The counter is of use only near the limit.
          maxLength={text.length > noteLimits.text * 0.9 ? noteLimits.text : undefined}
          onChange={({ target }) => onChange(target.value)}
          className="max-h-none"
        />
      </Field>
    )
  }
  if (type === 'choice') {
    return (
      <Field label={title}>
        <Select
          value={typeof answer === 'string' && answer !== '' ? answer : null}
          noneLabel="Not specified"
          onValueChange={(value) => onChange(value ?? '')}
          options={options.map((option) => ({ value: option, label: option }))}
          className="md:max-w-90"
        />
      </Field>
    )
  }
  const chosen = Array.isArray(answer) ? answer : []
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 text-sm font-medium text-fg">{title}</legend>
      {type === 'choices' ? (
        <div className="grid gap-x-6 gap-y-2.5 sm:grid-cols-2">
          {options.map((option) => (
            <CheckboxLine
              key={option}
              checked={chosen.includes(option)}
              onCheckedChange={(isChosen) => onChange(isChosen ? [...chosen, option] : chosen.filter((one) => one !== option))}
            >
              {option}
            </CheckboxLine>
          ))}
        </div>
      ) : (
        <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {options.map((option) => (
            <Field key={option} label={option}>
              <Input
                value={valueFor(answer, option)}
                maxLength={noteLimits.value}
                autoComplete="off"
                onChange={({ target }) => onChange({ ...(answer as Record<string, string>), [option]: target.value })}
              />
            </Field>
          ))}
        </div>
      )}
    </fieldset>
  )
}
