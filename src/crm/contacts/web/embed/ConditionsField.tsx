import { ListFilter } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { type Filter, filterFields, readFilter, writeFilter } from '../../filter.ts'
import type { Edited } from '../list/filters/change-filter.ts'
import FilterChips from '../list/filters/FilterChips.tsx'
import { describeCondition } from '../list/filters/filter-values.ts'
import { withIds } from '../list/filters/with-ids.ts'
import type { Directory } from './directory.ts'

const FilterEditor = lazyDialog(
  () => import('../list/filters/FilterEditor.tsx'),
  ({ onClose }) => onClose(),
)

interface ConditionsFieldProps {
  /** A filter of the patient list; '' for none. */
  value: string
  directory: Directory
  onChange: (filter: string) => void
}

/** The filters of the patient list in a form: which patients a rule is for. */
export function ConditionsField({ value, directory, onChange }: ConditionsFieldProps) {
  const filter = useMemo(() => withIds(readFilter(value), directory), [value, directory])
  const [edited, setEdited] = useState<Edited | null>(null)
  const opener = useRef<HTMLButtonElement | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  function open(wanted: Edited, from: HTMLButtonElement | null) {
    opener.current = from
    setEdited(wanted)
  }
  function change(next: Filter) {
    onChange(writeFilter(next) ?? '')
    // A removed chip loses the focus.
    if (edited === null && next.conditions.length < filter.conditions.length) add.current?.focus()
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      {filter.conditions.length > 0 && (
        <FilterChips
          filter={filter}
          directory={directory}
          onEdit={(at, chip) => open({ field: filter.conditions[at]!.field, at }, chip)}
          onChange={change}
        />
      )}
      <Popover
        label="Condition"
        control={{
          open: edited !== null,
          onOpenChange: (wanted) => (wanted ? open({ field: null, at: null }, null) : setEdited(null)),
          returnTo: opener,
        }}
        className="w-80 overflow-hidden p-0"
        requires={FilterEditor.code}
        trigger={
          <Button ref={add} icon={<ListFilter />} onPointerEnter={FilterEditor.prepare} onFocus={FilterEditor.prepare}>
            Add condition
          </Button>
        }
      >
        {edited && (
          <FilterEditor
            filter={filter}
            edited={edited}
            directory={directory}
            onEdit={setEdited}
            onChange={change}
            onClose={() => setEdited(null)}
          />
        )}
      </Popover>
    </div>
  )
}

/** A filter in words: 'Stage: Lead, Contacted · Tag: is not VIP'; 'or' between conditions of which one is enough. Empty: ''. */
export function describeFilter(text: string, directory: Directory): string {
  const { mode, conditions } = withIds(readFilter(text), directory)
  return conditions
    .map((condition) => `${filterFields[condition.field].label}: ${describeCondition(condition, directory)}`)
    .join(mode === 'any' ? ' or ' : ' · ')
}
