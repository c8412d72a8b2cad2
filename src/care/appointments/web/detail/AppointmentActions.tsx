import { Ban, CalendarClock, Check, CheckCheck, CircleDot, Ellipsis, type LucideIcon, Pencil, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/DropdownMenu.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { type AppointmentStatus, appointmentStatuses, coming, isTooEarly, mayFollow } from '../../rules.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { useStatus } from '../useStatus.ts'
import type { Names } from '../../../calendar/web/embed/names.ts'

const CancelDialog = lazyDialog(
  () => import('./CancelDialog.tsx'),
  ({ onClose }) => onClose(),
)

const steps: Record<Exclude<AppointmentStatus, 'cancelled'>, { label: string; icon: LucideIcon }> = {
  booked: { label: 'Unconfirm', icon: RotateCcw },
  confirmed: { label: 'Confirm', icon: Check },
  arrived: { label: 'Arrived', icon: CircleDot },
  completed: { label: 'Completed', icon: CheckCheck },
  no_show: { label: 'No-show', icon: X },
}
/** What comes next as a rule. */
const defaultNext: Partial<Record<AppointmentStatus, keyof typeof steps>> = {
  booked: 'confirmed',
  confirmed: 'arrived',
  arrived: 'completed',
  cancelled: 'booked',
}

interface AppointmentActionsProps {
  appointment: AppointmentData
  names: Names
  onEdit: (kind: 'edit' | 'move') => void
  /** All in one menu, named after whose it is; else the usual next step stands before it. */
  menuLabel?: string
}

/** What becomes of an appointment: its next step, and whatever else may follow. */
export function AppointmentActions({ appointment, names, onEdit, menuLabel }: AppointmentActionsProps) {
  const { status, startsAt } = appointment
  const now = new Date(useClock().now)
  const [isCancelling, setCancelling] = useState(false)
  const { set, isBusy } = useStatus(names)
  const next = menuLabel === undefined ? defaultNext[status] : undefined
  const others = appointmentStatuses.filter(
    (to): to is keyof typeof steps =>
      to !== 'cancelled' && to !== next && mayFollow(status, to) && !isTooEarly(to, new Date(startsAt), now),
  )
  const isMovable = coming.includes(status)
  const Next = next && steps[next]

  return (
    <>
      {Next && (
        <Button variant="filled" icon={<Next.icon />} disabled={isBusy} onClick={() => void set(appointment, next)}>
          {status === 'cancelled' ? 'Book again' : Next.label}
        </Button>
      )}
      {menuLabel === undefined && isMovable && (
        <Button icon={<CalendarClock />} onClick={() => onEdit('move')}>
          Move
        </Button>
      )}
      <DropdownMenu
        trigger={
          <IconButton
            label={menuLabel ?? 'More actions'}
            variant={menuLabel === undefined ? 'outlined' : 'quiet'}
            size={menuLabel === undefined ? 'lg' : 'sm'}
            icon={<Ellipsis />}
          />
        }
      >
        {others.map((to) => {
          const { label, icon: Icon } = steps[to]
          return (
            <MenuItem key={to} icon={<Icon />} disabled={isBusy} onSelect={() => void set(appointment, to)}>
              {status === 'cancelled' ? 'Book again' : label}
            </MenuItem>
          )
        })}
        <MenuSeparator />
        {menuLabel !== undefined && isMovable && (
          <MenuItem icon={<CalendarClock />} onSelect={() => onEdit('move')}>
            Move
          </MenuItem>
        )}
        <MenuItem icon={<Pencil />} onSelect={() => onEdit('edit')}>
          Edit
        </MenuItem>
        {mayFollow(status, 'cancelled') && (
          <MenuItem icon={<Ban />} danger onSelect={() => setCancelling(true)}>
            Cancel appointment…
          </MenuItem>
        )}
      </DropdownMenu>
      {isCancelling && (
        <CancelDialog
          appointment={appointment}
          isBusy={isBusy}
          onCancel={async (given) => {
            if (await set(appointment, 'cancelled', given)) setCancelling(false)
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  )
}
