import { Button } from '../../../../../ui/controls/Button.tsx'
import { FilterChip } from '../../../../../ui/display/FilterChip.tsx'
import { SegmentedControl } from '../../../../../ui/controls/SegmentedControl.tsx'
import { type Filter, filterFields } from '../../../filter.ts'
import type { Directory } from '../../embed/directory.ts'
import { withCondition } from './change-filter.ts'
import { describeCondition } from './filter-values.ts'

interface FilterChipsProps {
  filter: Filter
  directory: Directory
  onEdit: (at: number, chip: HTMLButtonElement) => void
  onChange: (filter: Filter) => void
}

const modes = [
  { value: 'all', label: 'All' },
  { value: 'any', label: 'Any' },
] as const

/** The active conditions, each editable and removable; for two or more, whether all or any must match. */
export default function FilterChips({ filter, directory, onEdit, onChange }: FilterChipsProps) {
  const { mode, conditions } = filter
  // Conditions have no id, so equal fields are numbered.
  const keys = conditions.map(
    (condition, at) => `${condition.field} ${conditions.slice(0, at).filter(({ field }) => field === condition.field).length}`,
  )
  return (
    <>
      {conditions.length > 1 && (
        <SegmentedControl
          aria-label="Which filters a patient must match"
          value={mode}
          onValueChange={(next) => onChange({ ...filter, mode: next })}
          options={modes}
        />
      )}
      {conditions.map((condition, at) => (
        <FilterChip
          key={keys[at]}
          field={filterFields[condition.field].label}
          value={describeCondition(condition, directory)}
          onEdit={(chip) => onEdit(at, chip)}
          onRemove={() => onChange(withCondition(filter, at, null))}
        />
      ))}
      <Button variant="quiet" size="sm" onClick={() => onChange({ mode: 'all', conditions: [] })}>
        Clear
      </Button>
    </>
  )
}
