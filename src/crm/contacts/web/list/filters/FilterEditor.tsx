import { Command } from 'cmdk'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { type Filter, type FilterField, filterFields } from '../../../filter.ts'
import type { Directory } from '../../embed/directory.ts'
import { type Edited, placeOf, toggled, withCondition } from './change-filter.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { filterInputStyle, filterItemStyle, filterListStyle } from './filter-styles.ts'
import { valuesOf } from './filter-values.ts'

interface FilterEditorProps {
  filter: Filter
  edited: Edited
  directory: Directory
  onEdit: (edited: Edited) => void
  onChange: (filter: Filter) => void
  onClose: () => void
}

const fields = Object.keys(filterFields) as FilterField[]

/** The filter menu: the fields, then the values of one. Typing among the fields also finds values. */
export default function FilterEditor({ filter, edited, directory, onEdit, onChange, onClose }: FilterEditorProps) {
  const [query, setQuery] = useState('')
  const { field, at } = edited
  if (field !== null) {
    const condition = (at === null ? undefined : filter.conditions[at]) ?? { field, not: edited.not ?? false, values: [] }
    return (
      <ConditionEditor
        key={field}
        condition={condition}
        directory={directory}
        onChange={(next) => {
          if (at !== null || next.values.length > 0) onChange(withCondition(filter, at, next))
          // The condition exists as long as it has a value.
          const isThere = next.values.length > 0
          onEdit({ field, at: isThere ? (at ?? filter.conditions.length) : null, not: next.not })
        }}
        onBack={() => {
          setQuery('')
          onEdit({ field: null, at: null })
        }}
        onClose={onClose}
      />
    )
  }

  function add(wanted: FilterField, value: string) {
    const place = placeOf(filter, wanted)
    const before = (place === null ? undefined : filter.conditions[place]) ?? { field: wanted, not: false, values: [] }
    onChange(withCondition(filter, place, before.values.includes(value) ? before : toggled(before, value)))
    onClose()
  }
  return (
    <Command label="Filter" loop>
      <Command.Input autoFocus value={query} onValueChange={setQuery} placeholder="Field or value" className={filterInputStyle} />
      <Command.List className={filterListStyle}>
        <Command.Empty className="px-2 py-3 text-fg-3">No results.</Command.Empty>
        {fields.map((one) => (
          <Command.Item
            key={one}
            value={one}
            keywords={[filterFields[one].label]}
            onSelect={() => onEdit({ field: one, at: placeOf(filter, one) })}
            className={filterItemStyle}
          >
            <span className="min-w-0 flex-1 truncate">{filterFields[one].label}</span>
            <ChevronRight className="text-fg-3" />
          </Command.Item>
        ))}
        {query.trim() !== '' &&
          fields.flatMap((one) =>
            valuesOf(one, directory).map(({ value, name }) => (
              <Command.Item
                key={`${one} ${value}`}
                value={`${one} ${value}`}
                keywords={[name]}
                onSelect={() => add(one, value)}
                className={filterItemStyle}
              >
                <span className="min-w-0 flex-1 truncate">
                  <span className="text-fg-3">{filterFields[one].label}: </span>
                  {name}
                </span>
              </Command.Item>
            )),
          )}
      </Command.List>
    </Command>
  )
}
