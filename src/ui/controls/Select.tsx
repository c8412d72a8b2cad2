import { Check, ChevronsUpDown } from 'lucide-react'
import { Select as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '../cn.ts'
import { useFieldControl } from '../forms/Field.tsx'

export interface SelectOption<V extends string = string> {
  value: V
  label: string
  /** Icon before the label: a ring, an avatar. */
  icon?: ReactNode
  disabled?: boolean
}

interface SelectProps<V extends string> extends Omit<ComponentProps<'button'>, 'type' | 'value' | 'name' | 'children'> {
  value: V | null
  onValueChange: (value: V | null) => void
  options: readonly SelectOption<V>[]
  /** Label of an initial "none" option: 'Unassigned'. Without it a selection cannot be cleared. */
  noneLabel?: string
  placeholder?: string
  /** Opens the list initially. */
  defaultOpen?: boolean
}

// Radix reserves '' for no selection, so the none option needs its own value.
const none = '\0none'

export function Select<V extends string>({
  value,
  onValueChange,
  options,
  noneLabel,
  placeholder,
  defaultOpen,
  className,
  ...rest
}: SelectProps<V>) {
  const wiring = useFieldControl(rest)
  const chosen = options.find((option) => option.value === value)
  return (
    <Primitive.Root
      value={value ?? (noneLabel === undefined ? '' : none)}
      onValueChange={(next) => onValueChange(options.find((option) => option.value === next)?.value ?? null)}
      disabled={rest.disabled}
      defaultOpen={defaultOpen}
    >
      <Primitive.Trigger
        {...rest}
        {...wiring}
        className={cn(
          'group field-edge flex h-11 w-full min-w-0 items-center gap-2 rounded-md px-2.5 text-left text-lg md:h-9 md:text-md',
          className,
        )}
      >
        {chosen?.icon}
        <span className="min-w-0 flex-1 truncate group-data-placeholder:text-fg-3">
          <Primitive.Value placeholder={placeholder ?? 'Choose'}>{chosen?.label ?? noneLabel}</Primitive.Value>
        </span>
        <ChevronsUpDown aria-hidden="true" className="text-fg-3" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-(--z-popover) max-h-(--radix-select-content-available-height) max-w-(--radix-select-content-available-width) min-w-(--radix-select-trigger-width) animate-menu overflow-hidden rounded-md bg-raised shadow-md"
        >
          <Primitive.Viewport className="p-1">
            {noneLabel !== undefined && <Item value={none} label={noneLabel} quiet />}
            {options.map((option) => (
              <Item key={option.value} {...option} />
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Item({ value, label, icon, disabled, quiet }: SelectOption & { quiet?: boolean }) {
  return (
    <Primitive.Item
      value={value}
      disabled={disabled}
      className={cn(
        'flex min-h-11 cursor-default items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-md outline-none select-none md:min-h-8 md:text-sm',
        'data-disabled:text-fg-disabled data-highlighted:bg-hover',
        quiet && 'text-fg-3',
      )}
    >
      {icon}
      <Primitive.ItemText>{label}</Primitive.ItemText>
      <Primitive.ItemIndicator className="absolute right-2.5">
        <Check className="text-accent-fg" />
      </Primitive.ItemIndicator>
    </Primitive.Item>
  )
}
