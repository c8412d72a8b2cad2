import { Ban, CalendarClock, Ellipsis, type LucideIcon, Pencil } from 'lucide-react'
import { Button } from '../../../../../ui/controls/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../../ui/overlays/DropdownMenu.tsx'
import { IconButton } from '../../../../../ui/controls/IconButton.tsx'

/** A status change to offer. */
export interface Step {
  label: string
  icon: LucideIcon
  run: () => void
}

interface StatusMenuProps {
  noun: 'appointment' | 'surgery'
  /** The default next step, as a separate button. */
  next: Step | undefined
  others: readonly Step[]
  isBusy: boolean
  isMovable: boolean
  onEdit: (kind: 'edit' | 'move') => void
  /** Undefined if it cannot be cancelled. */
  onCancel: (() => void) | undefined
  /** Given, all actions are in one menu with this label. */
  menuLabel?: string | undefined
}

/** The actions of a booking: next status, move, edit, other statuses and cancel. */
export function StatusMenu({ noun, next, others, isBusy, isMovable, onEdit, onCancel, menuLabel }: StatusMenuProps) {
  const isCompact = menuLabel !== undefined
  const move = { icon: <CalendarClock />, children: 'Move' }
  return (
    <>
      {next && (
        <Button variant="filled" icon={<next.icon />} disabled={isBusy} onClick={next.run}>
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
        {others.map(({ label, icon: Icon, run }) => (
          <MenuItem key={label} icon={<Icon />} disabled={isBusy} onSelect={run}>
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
