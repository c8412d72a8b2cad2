import { Braces, GripVertical, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Textarea } from '../../../../ui/controls/Textarea.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import type { LineOrder } from '../../../../ui/hooks/useLineOrder.ts'
import { InsertVariable } from '../../../templates/web/embed/InsertVariable.tsx'
import { noteVariables } from '../../prefill-rules.ts'
import { noteLimits, type SectionType, sectionTypes } from '../../rules.ts'
import type { SectionDraft } from './template-draft.ts'

const typeLabels: Record<SectionType, string> = {
  text: 'Text',
  choice: 'One choice',
  choices: 'Several choices',
  values: 'Values',
}

interface SectionRowProps {
  section: SectionDraft
  /** One-based, for accessible names. */
  place: number
  problem: (field: string) => string | undefined
  handle: ReturnType<LineOrder['handle']>
  onChange: (part: Partial<SectionDraft>) => void
  onRemove: () => void
}

/** A section of a template: its heading and type, and what is asked. */
export function SectionRow({ section, place, problem, handle, onChange, onRemove }: SectionRowProps) {
  const { title, type, options, prefill } = section
  const text = useRef<HTMLTextAreaElement>(null)
  const wrong = problem('title')

  return (
    <div className="grid grid-cols-[1.25rem_minmax(0,1fr)_2rem] items-start gap-x-2 gap-y-2">
      <IconButton label={`Move section ${place}`} keys="Alt+↑ ↓" icon={<GripVertical />} className="w-full cursor-grab" {...handle} />
      <div className="grid min-w-0 gap-2 md:grid-cols-[minmax(0,1fr)_11rem]">
        <Input
          aria-label={`Heading of section ${place}`}
          aria-invalid={wrong !== undefined}
          data-title
          placeholder="Heading"
          value={title}
          maxLength={noteLimits.sectionTitle}
          autoComplete="off"
          onChange={({ target }) => onChange({ title: target.value })}
        />
        <Select
          aria-label={`Type of section ${place}`}
          value={type}
          onValueChange={(next) => next && onChange({ type: next })}
          options={sectionTypes.map((value) => ({ value, label: typeLabels[value] }))}
        />
        {wrong && (
          <p role="alert" className="col-span-full text-sm text-danger-fg">
            {wrong}
          </p>
        )}
        {type === 'text' ? (
          <Field
            label="Begins with"
            optional
            className="col-span-full"
            error={problem('prefill')}
            aside={
              <InsertVariable
                trigger={
                  <Button size="sm" variant="quiet" className="-my-1.5 -mr-2.5 self-center" icon={<Braces />}>
                    Insert variable
                  </Button>
                }
                field={text}
                value={prefill}
                variables={noteVariables}
                onChange={(next) => onChange({ prefill: next })}
              />
            }
          >
            <Textarea ref={text} rows={2} value={prefill} onChange={({ target }) => onChange({ prefill: target.value })} />
          </Field>
        ) : (
          <Field
            label={type === 'values' ? 'Values' : 'Options'}
            hint="One on each line."
            className="col-span-full"
            error={problem('options')}
          >
            <Textarea rows={4} value={options} onChange={({ target }) => onChange({ options: target.value })} />
          </Field>
        )}
      </div>
      <IconButton label={`Remove section ${place}`} icon={<Trash2 />} tooltipSide="left" data-removes onClick={onRemove} />
    </div>
  )
}
