import { Ban, CalendarClock, Ellipsis, type LucideIcon, Pencil } from 'lucide-react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'

/** A status that a booking can be given. */
export interface Step {
  label: string
  icon: LucideIcon
  take: () => void
}

interface StatusMenuProps {
  noun: 'appointment' | 'surgery'
  /** What comes next as a rule, as a button of its own. */
  next: Step | undefined
  others: readonly Step[]
  isBusy: boolean
  isMovable: boolean
  onEdit: (kind: 'edit' | 'move') => void
  /** Absent where it cannot be cancelled. */
  onCancel: (() => void) | undefined
  /** All in one menu, named after whose it is. */
  menuLabel?: string | undefined
}

/** What can be done with a booking: its next step, another time, and whatever else may follow. */
export function StatusMenu({ noun, next, others, isBusy, isMovable, onEdit, onCancel, menuLabel }: StatusMenuProps) {
  const isCompact = menuLabel !== undefined
  const move = { icon: <CalendarClock />, children: 'Move' }
  return (
    <>
      {next && (
        <Button variant="filled" icon={<next.icon />} disabled={isBusy} onClick={next.take}>
          {next.label}
        </Button>
      )}
      {!isCompact && isMovable && <Button {...move} onClick={() => onEdit('move')} />}
      <DropdownMenu
        trigger={
          <IconButton
            label={menuLabel ?? 'More actions'}
            variant={isCompact ? 'quiet' : 'outlined'}
            size={isCompact ? 'sm' : 'lg'}
            icon={<Ellipsis />}
          />
        }
      >
        {others.map(({ label, icon: Icon, take }) => (
          <MenuItem key={label} icon={<Icon />} disabled={isBusy} onSelect={take}>
            {label}
          </MenuItem>
        ))}
        {others.length > 0 && <MenuSeparator />}
        {isCompact && isMovable && <MenuItem {...move} onSelect={() => onEdit('move')} />}
        <MenuItem icon={<Pencil />} onSelect={() => onEdit('edit')}>
          Edit
        </MenuItem>
        {onCancel && (
          <MenuItem icon={<Ban />} danger onSelect={onCancel}>
            Cancel {noun}…
          </MenuItem>
        )}
      </DropdownMenu>
    </>
  )
}
