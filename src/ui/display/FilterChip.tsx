import { X } from 'lucide-react'

interface FilterChipProps {
  field: string
  /** The condition, formatted: 'Consult Booked', 'is not Cold Lead'. */
  value: string
  /** Opens the value picker. */
  onEdit: (chip: HTMLButtonElement) => void
  onRemove: () => void
}

/** field | value | ×. Delete or Backspace on the value also removes it. */
export function FilterChip({ field, value, onEdit, onRemove }: FilterChipProps) {
  return (
    <span className="inline-flex h-9 max-w-full flex-none items-stretch overflow-hidden rounded-md border border-line-2 bg-raised text-sm md:h-7">
      <span className="flex items-center border-r border-line px-2 text-fg-3">{field}</span>
      <button
        type="button"
        aria-label={`${field}: ${value}`}
        onClick={(event) => onEdit(event.currentTarget)}
        onKeyDown={(event) => {
          if (event.key !== 'Delete' && event.key !== 'Backspace') return
          event.preventDefault()
          onRemove()
        }}
        className="max-w-72 truncate px-2 font-medium text-fg outline-offset-[-2px] hover:bg-hover"
      >
        {value}
      </button>
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
