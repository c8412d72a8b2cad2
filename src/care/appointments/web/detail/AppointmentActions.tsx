import { Check, CheckCheck, CircleDot, type LucideIcon, RotateCcw, X } from 'lucide-react'
import { useState } from 'react'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { type AppointmentStatus, appointmentStatuses, upcomingStatuses, isTooEarly, mayFollow } from '../../rules.ts'
import { type AppointmentData, appointmentKind } from '../appointment-data.ts'
import { statusLabels } from '../embed/labels.ts'
import type { Names } from '../../../calendar/web/embed/names.ts'
import { StatusMenu, type Step } from '../../../calendar/web/embed/booking/StatusMenu.tsx'
import { type StatusOptions, useStatus } from '../../../calendar/web/embed/booking/useStatus.ts'
import { client } from '../../../../ui/client/api.ts'

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
/** The default next status. */
const defaultNext: Partial<Record<AppointmentStatus, keyof typeof steps>> = {
  booked: 'confirmed',
  confirmed: 'arrived',
  arrived: 'completed',
  cancelled: 'booked',
}

const messages: Record<AppointmentStatus, string> = {
  booked: 'is booked again',
  confirmed: 'is confirmed',
  arrived: 'has arrived',
  completed: 'is completed',
  no_show: 'did not show up. A rebooking task was created',
  cancelled: 'is cancelled. A rebooking task was created',
}

const statusOptions: StatusOptions<AppointmentData, { reason?: string; notifiesPatient?: boolean; andFollowing?: boolean }> = {
  send: ({ id, version }, status, given) => client.appointments.setStatus({ id, version, status, ...given }),
  labels: statusLabels,
  messageOf: (patient, status) => `${patient} ${messages[status]}`,
  // A cancellation is undone by booking again. Other undos that the rules do not allow directly go through booked.
  undoSteps: (from, to) => (to === 'cancelled' ? null : mayFollow(from, to) ? [to] : ['booked', to]),
  undoInput: ({ notifiesPatient }) => ({ notifiesPatient }),
}

interface AppointmentActionsProps {
  appointment: AppointmentData
  names: Names
  onEdit: (kind: 'edit' | 'move') => void
  /** Given, all actions are in one menu with this label; otherwise the default next step has its own button. */
  menuLabel?: string
}

/** The status actions of an appointment. */
export function AppointmentActions({ appointment, names, onEdit, menuLabel }: AppointmentActionsProps) {
  const { status, startsAt } = appointment
  const now = new Date(useClock().now)
  const [isCancelling, setCancelling] = useState(false)
  const { set, isBusy } = useStatus(appointmentKind, names, statusOptions)
  const next = menuLabel === undefined ? defaultNext[status] : undefined
  const others = appointmentStatuses.filter(
    (to): to is keyof typeof steps =>
      to !== 'cancelled' && to !== next && mayFollow(status, to) && !isTooEarly(to, new Date(startsAt), now),
  )
  const stepTo = (to: keyof typeof steps): Step => ({
    ...steps[to],
    ...(status === 'cancelled' && { label: 'Book again' }),
    run: () => void set(appointment, to),
  })
  return (
    <>
      <StatusMenu
        noun="appointment"
        next={next && stepTo(next)}
        others={others.map(stepTo)}
        isBusy={isBusy}
        isMovable={upcomingStatuses.includes(status)}
        onEdit={onEdit}
        onCancel={mayFollow(status, 'cancelled') ? () => setCancelling(true) : undefined}
        menuLabel={menuLabel}
      />
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
