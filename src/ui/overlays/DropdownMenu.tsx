import { ChevronRight, Circle } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { cn } from '../cn.ts'
import { Keys } from '../display/Kbd.tsx'
import { lazyDialog } from './lazy-dialog.tsx'
import { DialogTrigger, useOpen } from './DialogTrigger.tsx'
import { menuPanel, useMenuParts } from './menu-parts.ts'

const MenuPanel = lazyDialog(
  () => import('./MenuPanel.tsx'),
  ({ onOpenChange }) => onOpenChange(false),
)
export const prepareMenu = MenuPanel.prepare

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

export function DropdownMenu({ trigger, children, align = 'end', open: owned, onOpenChange, className }: DropdownMenuProps) {
  const [open, setOpen] = useOpen(owned, onOpenChange)
  const [byPointer, setByPointer] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  const id = useId()
  function change(wanted: boolean, pointer = false) {
    setByPointer(pointer)
    setOpen(wanted)
  }
  return (
    <>
      <DialogTrigger kind="menu" ref={anchor} open={open} onOpenChange={change} prepare={MenuPanel.prepare} controls={id}>
        {trigger}
      </DialogTrigger>
      {open && (
        <MenuPanel id={id} anchor={anchor} onOpenChange={change} byPointer={byPointer} align={align} className={className}>
          {children}
        </MenuPanel>
      )}
    </>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  keys?: string
  danger?: boolean
  disabled?: boolean
  onSelect?: () => void
  /** Renders the only child (a link) as the item; put icon and text inside it. */
  asChild?: boolean
  children: ReactNode
}

export function MenuItem({ icon, keys, danger, disabled, onSelect, asChild, children }: MenuItemProps) {
  const { Item } = useMenuParts()
  const styles = cn(line, danger && 'text-danger-fg [&>svg]:text-current')
  if (asChild) {
    return (
      <Item asChild onSelect={onSelect} className={styles}>
        {children}
      </Item>
    )
  }
  return (
    <Item disabled={disabled} onSelect={onSelect} className={styles}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && <Keys keys={keys} className="max-md:hidden" />}
    </Item>
  )
}

interface MenuRadioGroupProps<V extends string> {
  value: V
  onValueChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; icon?: ReactNode }[]
}

export function MenuRadioGroup<V extends string>({ value, onValueChange, options }: MenuRadioGroupProps<V>) {
  const { RadioGroup, RadioItem, ItemIndicator } = useMenuParts()
  return (
    <RadioGroup
      value={value}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next)
        if (option) onValueChange(option.value)
      }}
    >
      {options.map((option) => (
        <RadioItem key={option.value} value={option.value} className={cn(line, 'pl-8')}>
          <ItemIndicator className="absolute left-3">
            <Circle className="size-1.5! fill-current text-accent-fg" />
          </ItemIndicator>
          {option.icon}
          {option.label}
        </RadioItem>
      ))}
    </RadioGroup>
  )
}

export function MenuSub({ label, icon, children }: { label: ReactNode; icon?: ReactNode; children: ReactNode }) {
  const { Sub, SubTrigger, Portal, SubContent } = useMenuParts()
  const [open, setOpen] = useState(false)
  return (
    <Sub open={open} onOpenChange={setOpen}>
      <SubTrigger className={cn(line, 'data-[state=open]:bg-hover')}>
        {icon}
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <ChevronRight />
      </SubTrigger>
      <Portal>
        <SubContent sideOffset={4} collisionPadding={8} className={menuPanel}>
          {children}
        </SubContent>
      </Portal>
    </Sub>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useMenuParts()
  return <Label className="px-2 pt-2 pb-1 text-xs font-medium text-fg-3">{children}</Label>
}

export function MenuSeparator() {
  const { Separator } = useMenuParts()
  return <Separator className="-mx-1 my-1 h-px bg-line" />
}
