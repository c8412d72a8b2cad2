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

/** The conditions that are on, each to be changed or taken away; of two and more, whether all must be met or any. */
export default function FilterChips({ filter, directory, onEdit, onChange }: FilterChipsProps) {
  const { mode, conditions } = filter
  // A condition has no name of its own: of two that say the same, the second is the second.
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
