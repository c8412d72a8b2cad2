import { Search, X } from 'lucide-react'
import { useRef, type ComponentProps } from 'react'
import { cn } from '../cn.ts'
import { Kbd } from '../display/Kbd.tsx'

interface SearchInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'ref'> {
  value: string
  onValueChange: (value: string) => void
  /** Accessible name, since there is no visible label. */
  label: string
  /** Shortcut that focuses it; bind it with useHotkeys. */
  keyHint?: string
  ref?: React.RefObject<HTMLInputElement | null>
}

/** The toolbar's search. Esc clears it, and leaves it when empty. */
export function SearchInput({ value, onValueChange, label, keyHint, className, ref, ...rest }: SearchInputProps) {
  const own = useRef<HTMLInputElement>(null)
  const input = ref ?? own
  return (
    <div
      className={cn(
        'field-edge flex h-11 items-center gap-2 rounded-md border-line-2 pl-2.5 text-lg md:h-(--control) md:text-sm',
        className,
      )}
    >
      <Search aria-hidden="true" className="text-fg-3" />
      <input
        {...rest}
        ref={input}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (value) onValueChange('')
          else event.currentTarget.blur()
          event.stopPropagation()
        }}
        className="h-full min-w-0 flex-1 bg-transparent outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {value ? (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onValueChange('')
            input.current?.focus()
          }}
          className="relative mr-1 flex size-6 items-center justify-center rounded-xs text-fg-3 touch-target hover:bg-hover hover:text-fg"
        >
          <X />
        </button>
      ) : (
        keyHint && <Kbd className="mr-2 max-md:hidden">{keyHint}</Kbd>
      )}
    </div>
  )
}
