import { Plus, X } from 'lucide-react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { fieldLabels } from '../../../derived-fields.ts'
import type { ContactForm } from './useContactForm.ts'

/** The contract's limit. */
const maxDetails = 50

/** Other details of a patient from forms and imports, as name and value. */
export function DetailsField({ form, className, unmarked }: { form: ContactForm; className?: string; unmarked?: boolean }) {
  const value = form.values.metadata
  const onChange = (metadata: typeof value) => form.set({ metadata })
  return (
    <Field label={fieldLabels.metadata} optional={!unmarked} error={form.problems.metadata} className={className}>
      <div role="group" aria-label={fieldLabels.metadata} className="flex flex-col gap-2">
        {value.map((detail, index) => {
          const change = (part: Partial<typeof detail>) =>
            onChange(value.map((other, at) => (at === index ? { ...other, ...part } : other)))
          const which = detail.name || `detail ${index + 1}`
          return (
            // oxlint-disable-next-line no-array-index-key -- a row has no other identity while its name is being typed
            <div key={index} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
              <Input
                id={`detail-name-${index}`}
                aria-label={`Name of ${which}`}
                placeholder="Name"
                value={detail.name}
                maxLength={100}
                onChange={(event) => change({ name: event.target.value })}
              />
              <Input
                id={`detail-value-${index}`}
                aria-label={`Value of ${which}`}
                aria-invalid={false}
                placeholder="Value"
                value={detail.value}
                maxLength={2000}
                onChange={(event) => change({ value: event.target.value })}
              />
              <IconButton
                label={`Remove ${which}`}
                icon={<X />}
                size="lg"
                className="md:size-9"
                onClick={() => onChange(value.filter((_, at) => at !== index))}
              />
            </div>
          )
        })}
        {value.length < maxDetails && (
          <Button icon={<Plus />} className="self-start" onClick={() => onChange([...value, { name: '', value: '' }])}>
            Add detail
          </Button>
        )}
      </div>
    </Field>
  )
}
