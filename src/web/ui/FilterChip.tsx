import { X } from 'lucide-react'
import type { ReactNode } from 'react'

interface FilterChipProps {
  field: string
  value: ReactNode
  /** Given, the value is a button: open the choice of values from it. */
  onEdit?: () => void
  onRemove: () => void
}

/** field | value | × */
export function FilterChip({ field, value, onEdit, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-9 max-w-full flex-none items-stretch overflow-hidden rounded-md border border-line-2 bg-raised text-sm md:h-7">
      <span className="flex items-center border-r border-line px-2 text-fg-3">{field}</span>
      {onEdit ? (
        <button type="button" onClick={onEdit} className="truncate px-2 font-medium text-fg outline-offset-[-2px] hover:bg-hover">
          {value}
        </button>
      ) : (
        <span className="flex items-center truncate px-2 font-medium text-fg">{value}</span>
      )}
      <button
        type="button"
        aria-label={`Remove filter ${field}`}
        onClick={onRemove}
        className="relative flex w-9 items-center justify-center border-l border-line text-fg-2 outline-offset-[-2px] hover:bg-hover hover:text-fg md:w-6"
      >
        <X className="size-3.5!" />
      </button>
    </span>
  )
}
