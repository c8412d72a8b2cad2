import { ChevronRight, Circle } from 'lucide-react'
import { DropdownMenu as Primitive } from 'radix-ui'
import type { FocusEvent, ReactNode } from 'react'
import { cn } from './cn.ts'
import { Keys } from './Kbd.tsx'

const panel =
  'z-(--z-popover) max-h-(--radix-dropdown-menu-content-available-height) min-w-48 max-w-80 animate-menu overflow-y-auto rounded-md bg-raised p-1 text-sm text-fg shadow-md outline-none'
const line =
  'relative flex min-h-11 cursor-default items-center gap-2.5 rounded-sm px-2 outline-none select-none data-disabled:text-fg-disabled data-highlighted:bg-hover md:min-h-8 [&>svg]:text-fg-3'

interface DropdownMenuProps {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

export function DropdownMenu({ trigger, children, align = 'end', open, onOpenChange, className }: DropdownMenuProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(panel, className)}
          onFocus={open === undefined ? undefined : startAtFirst}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** A menu that a key has opened from elsewhere has its first entry in hand. Leaving an entry with the pointer leaves none in hand. */
function startAtFirst({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>) {
  const comesFromWithin = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
  if (target === currentTarget && !comesFromWithin)
    currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus()
}

interface MenuItemProps {
  icon?: ReactNode
  keys?: string
  danger?: boolean
  disabled?: boolean
  onSelect?: () => void
  /** Renders the only child (a link) as the entry; put icon and words inside it. */
  asChild?: boolean
  children: ReactNode
}

export function MenuItem({ icon, keys, danger, disabled, onSelect, asChild, children }: MenuItemProps) {
  const looks = cn(line, danger && 'text-danger-fg [&>svg]:text-current')
  if (asChild) {
    return (
      <Primitive.Item asChild onSelect={onSelect} className={looks}>
        {children}
      </Primitive.Item>
    )
  }
  return (
    <Primitive.Item disabled={disabled} onSelect={onSelect} className={looks}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Keys keys={keys} className="max-md:hidden" />}
    </Primitive.Item>
  )
}

interface MenuRadioGroupProps<V extends string> {
  value: V
  onValueChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; icon?: ReactNode }[]
}

export function MenuRadioGroup<V extends string>({ value, onValueChange, options }: MenuRadioGroupProps<V>) {
  return (
    <Primitive.RadioGroup
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
    >
      {options.map((option) => (
        <Primitive.RadioItem key={option.value} value={option.value} className={cn(line, 'pl-8')}>
          <Primitive.ItemIndicator className="absolute left-3">
            <Circle className="size-1.5! fill-current text-accent-fg" />
          </Primitive.ItemIndicator>
          {option.icon}
          {option.label}
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  )
}

export function MenuSub({ label, icon, children }: { label: ReactNode; icon?: ReactNode; children: ReactNode }) {
  return (
    <Primitive.Sub>
      <Primitive.SubTrigger className={cn(line, 'data-[state=open]:bg-hover')}>
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRight />
      </Primitive.SubTrigger>
      <Primitive.Portal>
        <Primitive.SubContent sideOffset={4} collisionPadding={8} className={panel}>
          {children}
        </Primitive.SubContent>
      </Primitive.Portal>
    </Primitive.Sub>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 pt-2 pb-1 text-xs font-medium text-fg-3">{children}</Primitive.Label>
}

export function MenuSeparator() {
  return <Primitive.Separator className="-mx-1 my-1 h-px bg-line" />
}
