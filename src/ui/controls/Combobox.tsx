import { Check, ChevronsUpDown, X } from 'lucide-react'
import { Command } from 'cmdk'
import { Popover as Primitive } from 'radix-ui'
import { type ComponentProps, useId, useState, type ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'
import { Spinner } from '../display/Spinner.tsx'

export interface ComboboxOption {
  value: string
  label: string
  /** A secondary text: an email address, a phone number. */
  detail?: string
  icon?: ReactNode
}

/** The search field of the list. */
interface ComboboxSearch {
  placeholder?: string
  /** Text of an empty list. */
  empty?: ReactNode
  /** If given, the caller searches: it debounces and passes results as `options`. */
  onSearch?: (query: string) => void
  isLoading?: boolean
}

interface ComboboxProps extends Omit<ComponentProps<'button'>, 'type' | 'role' | 'value' | 'children'> {
  value: string | null
  onValueChange: (value: string | null, option: ComboboxOption | null) => void
  options: readonly ComboboxOption[]
  /** The selected option, when `options` only holds search results. */
  selected?: ComboboxOption | null
  search?: ComboboxSearch
  placeholder?: string
  clearable?: boolean
  /** Opens the list initially. */
  defaultOpen?: boolean
}

/** A searchable select for long lists. */
export function Combobox(props: ComboboxProps) {
  const { value, onValueChange, options, selected, search = {}, placeholder, clearable = false, defaultOpen = false, ...button } = props
  const { onSearch, isLoading: loading = false } = search
  const { className, disabled, 'aria-label': label } = button
  const [open, setOpen] = useState(defaultOpen)
  const [query, setQuery] = useState('')
  const listId = useId()
  // With remote results, the first is active once loaded; until then Enter would select a result of an earlier query.
  const [activeValue, setActiveValue] = useState('')
  const found = loading ? 'on its way' : options.map((option) => option.value).join(' ')
  const [known, setKnown] = useState(found)
  if (found !== known) {
    setKnown(found)
    setActiveValue(loading ? '' : (options[0]?.value ?? ''))
  }
  const wiring = useFieldControl(button)
  const chosen = options.find((option) => option.value === value) ?? (selected?.value === value ? selected : undefined)

  function find(text: string) {
    setQuery(text)
    onSearch?.(text)
  }
  function choose(option: ComboboxOption | null) {
    onValueChange(option?.value ?? null, option)
    setOpen(false)
    find('')
  }

  return (
    <Primitive.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) find('')
      }}
    >
      <div className={cn('relative', className)}>
        <Primitive.Trigger
          {...button}
          {...wiring}
          type="button"
          role="combobox"
          aria-expanded={open}
          aria-controls={listId}
          className={cn(
            'field-edge flex h-11 w-full min-w-0 items-center gap-2 rounded-md pr-8 pl-2.5 text-left text-lg md:h-9 md:text-md',
            clearable && chosen && 'pr-16',
          )}
        >
          {chosen?.icon}
          <span className={cn('min-w-0 flex-1 truncate', !chosen && 'text-fg-3')}>{chosen?.label ?? placeholder ?? 'Choose'}</span>
          <ChevronsUpDown aria-hidden="true" className="absolute right-2.5 text-fg-3" />
        </Primitive.Trigger>
        {clearable && chosen && !disabled && (
          <button
            type="button"
            aria-label={`Clear ${chosen.label}`}
            onClick={() => choose(null)}
            className="absolute inset-y-0 right-8 my-auto flex size-6 items-center justify-center rounded-xs text-fg-3 touch-target hover:bg-hover hover:text-fg"
          >
            <X />
          </button>
        )}
      </div>
      <Primitive.Portal>
        <Primitive.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-popover) w-(--radix-popover-trigger-width) min-w-64 animate-menu overflow-hidden rounded-md bg-raised text-sm shadow-md outline-none"
        >
          <Command
            shouldFilter={!onSearch}
            label={label ?? placeholder ?? 'Options'}
            {...(onSearch && { value: activeValue, onValueChange: setActiveValue })}
          >
            <div className="flex items-center border-b border-line pr-2.5">
              <Command.Input
                value={query}
                onValueChange={find}
                placeholder={search.placeholder ?? 'Type to search'}
                className="h-11 min-w-0 flex-1 bg-transparent px-3 text-lg outline-none md:h-9 md:text-sm"
              />
              {loading && <Spinner className="text-fg-3" />}
            </div>
            <Command.List
              id={listId}
              className="max-h-[min(18rem,calc(var(--radix-popover-content-available-height)-3rem))] overflow-y-auto p-1"
            >
              {!loading && <Command.Empty className="px-2 py-3 text-fg-3">{search.empty ?? 'Nothing matches.'}</Command.Empty>}
              {options.map((option) => (
                <Command.Item
                  key={option.value}
                  value={option.value}
                  keywords={[option.label, option.detail ?? '']}
                  // Results of an earlier query stay readable but cannot be selected.
                  disabled={onSearch !== undefined && loading}
                  onSelect={() => choose(option)}
                  className="flex min-h-11 cursor-default items-center gap-2 rounded-sm px-2 py-1 data-[selected=true]:bg-hover md:min-h-8"
                >
                  {option.icon}
                  <span className="min-w-0 flex-1">
                    <span className="block truncate">{option.label}</span>
                    {option.detail && <span className="block truncate text-xs text-fg-3">{option.detail}</span>}
                  </span>
                  {option.value === value && <Check className="text-accent-fg" />}
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
