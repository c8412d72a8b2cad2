import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { Keys } from '../../../../ui/display/Kbd.tsx'

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="pb-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-1 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  value: string
  icon: ReactNode
  detail?: string
  keys?: string
  onSelect: (value: string) => void
  children: ReactNode
}

export function Item({ value, icon, detail, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex h-11 cursor-default items-center gap-2.5 rounded-sm px-2 text-md data-[selected=true]:bg-hover md:h-9 md:text-sm"
    >
      <span className="flex w-5.5 flex-none justify-center text-fg-3">{icon}</span>
      <span className="flex-none truncate font-medium max-md:max-w-[60%]">{children}</span>
      {detail && <span className="truncate text-fg-3 tabular-nums">{detail}</span>}
      {keys && <Keys keys={keys} className="ml-auto max-md:hidden" />}
    </Command.Item>
  )
}
