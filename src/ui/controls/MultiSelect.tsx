import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Combobox, type ComboboxOption } from './Combobox.tsx'

export interface Picked {
  value: string
  label: string
  icon?: ReactNode
}

interface MultiSelectProps extends Omit<ComponentProps<typeof Combobox>, 'value' | 'onValueChange' | 'selected'> {
  /** In selection order. */
  picked: readonly Picked[]
  /** Remaining options. */
  options: readonly ComboboxOption[]
  onAdd: (value: string) => void
  onRemove: (value: string) => void
  /** Label of the selected items. */
  listLabel: string
}

/** A multi-select for long lists: type to add; selected items appear below and can be removed there. */
export function MultiSelect({ picked, options, onAdd, onRemove, listLabel, ...rest }: MultiSelectProps) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Combobox {...rest} value={null} onValueChange={(value) => value !== null && onAdd(value)} options={options} />
      {picked.length > 0 && (
        <ul aria-label={listLabel} className="flex max-h-26 flex-wrap gap-1.5 overflow-y-auto">
          {picked.map(({ value, label, icon }) => (
            <li
              key={value}
              className={`flex h-9 max-w-full items-center gap-1.5 rounded-md bg-hover text-sm md:h-7 ${icon ? 'pl-1.5' : 'pl-2.5'}`}
            >
              {icon}
              <span className="truncate">{label}</span>
              <button
                type="button"
                aria-label={`Remove ${label}`}
                onClick={() => onRemove(value)}
                className="relative flex size-9 flex-none items-center justify-center rounded-md text-fg-3 hover:bg-active hover:text-fg md:size-7"
              >
                <X className="size-3.5!" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
