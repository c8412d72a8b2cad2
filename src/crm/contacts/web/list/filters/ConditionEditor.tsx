import { Command } from 'cmdk'
import { Check, ChevronLeft, Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Checkbox } from '../../../../../ui/controls/Checkbox.tsx'
import { DateInput } from '../../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
import { Input } from '../../../../../ui/controls/Input.tsx'
import { SegmentedControl } from '../../../../../ui/controls/SegmentedControl.tsx'
import { StageIcon } from '../../../../pipeline/web/embed/StageName.tsx'
import { type Condition, type Days, filterFields, readDays, writeDays } from '../../../filter.ts'
import { byId, type Directory } from '../../embed/directory.ts'
import { toggled } from './change-filter.ts'
import { filterInputStyle, filterItemStyle, filterListStyle } from './filter-styles.ts'
import { valuesOf } from './filter-values.ts'

interface ConditionEditorProps {
  condition: Condition
  directory: Directory
  onChange: (condition: Condition) => void
  onBack: () => void
  onClose: () => void
}

const relations = [
  { value: 'is', label: 'is' },
  { value: 'not', label: 'is not' },
] as const

/**
 * Edits a condition: is or is not, and values chosen from a list, as dates or typed. Backspace in the empty field goes back to the fields.
 */
export function ConditionEditor(props: ConditionEditorProps) {
  const { condition, onChange, onBack } = props
  const { label, also } = filterFields[condition.field]
  const relation = condition.not ? 'not' : 'is'
  return (
    <>
      <div className="flex h-12 items-center gap-1 border-b border-line px-1.5 md:h-10">
        <IconButton size="sm" label="All fields" icon={<ChevronLeft />} onClick={onBack} />
        <span className="min-w-0 flex-1 truncate font-semibold">{label}</span>
        <SegmentedControl
          aria-label={`${label} is or is not`}
          value={relation}
          onValueChange={(next) => onChange({ ...condition, not: next === 'not' })}
          options={relations}
        />
      </div>
      {also === 'text' ? <TextEditor {...props} /> : <ChoiceEditor {...props} />}
      {also === 'days' && <DaysEditor condition={condition} onChange={onChange} />}
    </>
  )
}

const backIfEmpty = (event: KeyboardEvent<HTMLInputElement>, onBack: () => void) => {
  if (event.key === 'Backspace' && event.currentTarget.value === '') onBack()
}

/** The values of a list, filtered by typing. */
function ChoiceEditor({ condition, directory, onChange, onBack, onClose }: ConditionEditorProps) {
  const { label, isSingle } = filterFields[condition.field]
  return (
    <Command label={label} loop>
      <Command.Input
        autoFocus
        placeholder="Type to search"
        onKeyDown={(event) => backIfEmpty(event, onBack)}
        className={filterInputStyle}
      />
      <Command.List className={filterListStyle}>
        <Command.Empty className="px-2 py-3 text-fg-3">No results.</Command.Empty>
        {valuesOf(condition.field, directory).map(({ value, name }) => {
          const stage = condition.field === 'stage' ? byId(directory.stages, value) : null
          const isChosen = condition.values.includes(value)
          return (
            <Command.Item
              key={value}
              value={value}
              keywords={[name]}
              aria-checked={isChosen}
              onSelect={() => {
                onChange(toggled(condition, value))
                if (isSingle) onClose()
              }}
              className={filterItemStyle}
            >
              {stage && <StageIcon stages={directory.stages} stage={stage} />}
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {isChosen && <Check aria-label="Selected" className="text-accent-fg" />}
            </Command.Item>
          )
        })}
      </Command.List>
    </Command>
  )
}

/** Text values: Enter adds the typed one. Unchecked values stay visible until the menu is closed. */
function TextEditor({ condition, directory, onChange, onBack }: ConditionEditorProps) {
  const { label, maxLength } = filterFields[condition.field]
  const [typed, setTyped] = useState('')
  const named = valuesOf(condition.field, directory)
  const isNamed = (value: string) => named.some((one) => one.value === value)
  const [known, setKnown] = useState(condition.values)
  const texts = [...new Set([...known, ...condition.values])].filter((value) => !isNamed(value))

  function add() {
    const value = typed.trim()
    if (value === '') return
    setTyped('')
    setKnown([...known, value])
    if (!condition.values.includes(value)) onChange(toggled(condition, value))
  }
  return (
    <>
      <form
        className="border-b border-line p-2"
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          add()
        }}
      >
        <Field label={label} hideLabel>
          <Input
            autoFocus
            value={typed}
            maxLength={maxLength}
            autoComplete="off"
            placeholder="Type a value and press Enter"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => backIfEmpty(event, onBack)}
            trailing={<IconButton type="submit" size="sm" label="Add value" icon={<Plus />} />}
          />
        </Field>
      </form>
      <div role="group" aria-label={`Values of ${label}`} className={filterListStyle}>
        {[...texts.map((value) => ({ value, name: value })), ...named].map(({ value, name }) => (
          <label key={value} className={`${filterItemStyle} hover:bg-hover`}>
            <Checkbox checked={condition.values.includes(value)} onCheckedChange={() => onChange(toggled(condition, value))} />
            <span className="min-w-0 flex-1 truncate">{name}</span>
          </label>
        ))}
      </div>
    </>
  )
}

/** A date range with optional ends. Typed text counts once it is a valid date. */
function DaysEditor({ condition, onChange }: Pick<ConditionEditorProps, 'condition' | 'onChange'>) {
  const [days, setDays] = useState<Days>(() => readDays(condition.values[0] ?? '') ?? { from: null, to: null })
  const set = (next: Days) => {
    setDays(next)
    const value = writeDays(next)
    if ((next.from ?? next.to) === null) onChange({ ...condition, values: [] })
    else if (readDays(value)) onChange({ ...condition, values: [value] })
  }
  return (
    <div className="grid gap-2 border-t border-line p-2 md:grid-cols-2">
      <Field label="From">
        <DateInput value={days.from ?? ''} max={days.to ?? undefined} onValueChange={(day) => set({ ...days, from: day || null })} />
      </Field>
      <Field label="To">
        <DateInput value={days.to ?? ''} min={days.from ?? undefined} onValueChange={(day) => set({ ...days, to: day || null })} />
      </Field>
    </div>
  )
}
