import { ArrowUpToLine, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { fieldLabels } from '../../../derived-fields.ts'
import { madePrimary } from '../../../rules.ts'
import type { ContactForm } from './useContactForm.ts'

/** The contract's limit. */
const maxPoints = 10

const kinds = {
  otherEmails: { primary: 'email', one: 'email', input: { type: 'email', inputMode: 'email', maxLength: 254 } },
  otherPhones: { primary: 'phone', one: 'phone', input: { type: 'tel', inputMode: 'tel', maxLength: 50 } },
} as const

interface PointsFieldProps {
  form: ContactForm
  name: keyof typeof kinds
  className?: string
}

/** The other emails or phones. Making one primary swaps it with the primary one. */
export function PointsField({ form, name, className }: PointsFieldProps) {
  const { primary, one, input } = kinds[name]
  const others = form.values[name]
  const change = (next: string[]) => form.set({ [name]: next })
  const addButton = useRef<HTMLButtonElement>(null)
  const justAdded = useRef<number | null>(null)
  const label = fieldLabels[name] ?? name

  function add() {
    justAdded.current = others.length
    change([...others, ''])
  }
  function makePrimary(index: number) {
    const swapped = madePrimary({ primary: form.values[primary], others }, index)
    form.set({ [primary]: swapped.primary ?? '', [name]: swapped.others })
  }
  function remove(index: number) {
    change(others.toSpliced(index, 1))
    addButton.current?.focus()
  }

  return (
    <Field label={label} hideLabel={others.length === 0} error={form.problems[name]} className={className}>
      <div role="group" aria-label={label} className="flex flex-col gap-2">
        {others.map((value, index) => {
          const which = value.trim() || `other ${one} ${index + 1}`
          return (
            // oxlint-disable-next-line no-array-index-key -- a row has no other identity while it is being typed
            <div key={index} className="flex gap-1">
              <Input
                {...input}
                id={`${name}-${index}`}
                ref={(element) => {
                  if (justAdded.current !== index || !element) return
                  justAdded.current = null
                  element.focus()
                }}
                aria-label={`Other ${one} ${index + 1}`}
                autoComplete="off"
                value={value}
                onChange={(event) => change(others.with(index, event.target.value))}
                className="min-w-0 flex-1"
              />
              <IconButton
                label={`Make ${which} the primary ${one}`}
                icon={<ArrowUpToLine />}
                size="lg"
                className="md:size-9"
                disabled={value.trim() === ''}
                onClick={() => makePrimary(index)}
              />
              <IconButton label={`Remove ${which}`} icon={<X />} size="lg" className="md:size-9" onClick={() => remove(index)} />
            </div>
          )
        })}
        {others.length < maxPoints && (
          <Button ref={addButton} size="sm" variant="quiet" icon={<Plus />} className="self-start" onClick={add}>
            Add another {one}
          </Button>
        )}
      </div>
    </Field>
  )
}
