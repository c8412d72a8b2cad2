import { Command } from 'cmdk'
import { Check, ChevronLeft } from 'lucide-react'
import { useState } from 'react'
import { DateInput } from '../../../../../ui/controls/DateInput.tsx'
import { Field } from '../../../../../ui/forms/Field.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'
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

/** One field: is or is not, and its values, narrowed by typing. Backspace in the empty field goes back to the fields. */
export function ConditionEditor({ condition, directory, onChange, onBack, onClose }: ConditionEditorProps) {
  const { label, also, isSingle } = filterFields[condition.field]
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
      <Command label={label} loop>
        <Command.Input
          autoFocus
          placeholder="Type to search"
          onKeyDown={(event) => {
            if (event.key === 'Backspace' && event.currentTarget.value === '') onBack()
          }}
          className={filterInputStyle}
        />
        <Command.List className={filterListStyle}>
          <Command.Empty className="px-2 py-3 text-fg-3">Nothing is called that.</Command.Empty>
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
                {isChosen && <Check aria-label="Chosen" className="text-accent-fg" />}
              </Command.Item>
            )
          })}
        </Command.List>
      </Command>
      {also === 'days' && <DaysEditor condition={condition} onChange={onChange} />}
    </>
  )
}

/** From one day to another; either may be left open. What is typed counts once it is a day. */
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
