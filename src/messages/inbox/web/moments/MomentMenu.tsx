import { type ReactNode, useState } from 'react'
import { useClock } from '../../../../ui/client/session.ts'
import { formatDateTime } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { momentsFrom } from './moments.ts'

const MomentDialog = lazyDialog(
  () => import('./MomentDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface MomentMenuProps {
  trigger: ReactNode
  /** Of the dialog for another time. */
  title: string
  action: string
  onChoose: (at: string) => void
  /** Further items, such as ending a snooze. */
  children?: ReactNode
}

/** Offers some times, and a dialog for any other. */
export function MomentMenu({ trigger, title, action, onChoose, children }: MomentMenuProps) {
  const clock = useClock()
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <DropdownMenu trigger={trigger}>
        {momentsFrom(clock).map(({ label, at }) => (
          <MenuItem key={label} onSelect={() => onChoose(at)}>
            {label}
            <span className="pl-4 text-xs text-fg-3">{formatDateTime(at, clock)}</span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setChoosing(true)}>Choose a time…</MenuItem>
        {children}
      </DropdownMenu>
      {isChoosing && (
        <MomentDialog
          title={title}
          action={action}
          onClose={() => setChoosing(false)}
          onChoose={(at) => {
            setChoosing(false)
            onChoose(at)
          }}
        />
      )}
    </>
  )
}
