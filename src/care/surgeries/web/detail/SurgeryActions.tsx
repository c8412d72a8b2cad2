import { Check, CheckCheck, type LucideIcon, Pause, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import type { Names } from '../../../calendar/web/embed/names.ts'
import { StatusMenu, type Step } from '../../../calendar/web/embed/booking/StatusMenu.tsx'
import { type StatusOptions, useStatus } from '../../../calendar/web/embed/booking/useStatus.ts'
import { client } from '../../../../ui/client/api.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { isTooEarly, mayFollow, type SurgeryStatus, surgeryStatuses } from '../../rules.ts'
import { type SurgeryInList, surgeryKind } from '../surgery-data.ts'
import { SafetyScreen } from '../safety/SafetySummary.tsx'
import { isPlanned, statusLabels } from '../labels.ts'

const CancelDialog = lazyDialog(
  () => import('./CancelDialog.tsx'),
  ({ onClose }) => onClose(),
)

const CompleteDialog = lazyDialog(
  () => import('./CompleteDialog.tsx'),
  ({ onClose }) => onClose(),
)

const UnsafeDialog = lazyDialog(
  () => import('../safety/UnsafeDialog.tsx'),
  ({ onClose }) => onClose(),
)

const steps: Record<Exclude<SurgeryStatus, 'cancelled'>, { label: string; icon: LucideIcon }> = {
  tentative: { label: 'Back to tentative', icon: RotateCcw },
  confirmed: { label: 'Confirm', icon: Check },
  completed: { label: 'Complete', icon: CheckCheck },
  postponed: { label: 'Postpone', icon: Pause },
}
/** The default next status. */
const defaultNext: Partial<Record<SurgeryStatus, keyof typeof steps>> = {
  tentative: 'confirmed',
  confirmed: 'completed',
  postponed: 'confirmed',
  cancelled: 'tentative',
}

const done: Record<SurgeryStatus, string> = {
  tentative: 'is tentative again',
  confirmed: 'is confirmed',
  completed: 'is completed',
  postponed: 'is postponed. The time is free again',
  cancelled: 'is cancelled. The time is free again',
}

const statusOptions: StatusOptions<SurgeryInList, { reason: string }> = {
  send: ({ id, version }, status, given) => client.surgeries.setStatus({ id, version, status, ...given }),
  labels: statusLabels,
  messageOf: (patient, status) => `${patient}: surgery ${done[status]}`,
  // A cancellation is not undone here: the case can only become tentative again, and a restored cancellation would lack its reason.
  undoSteps: (from, to) => (to === 'cancelled' || !mayFollow(from, to) ? null : [to]),
  overlapAdvice: 'Move it first.',
}

interface SurgeryActionsProps {
  surgery: SurgeryInList
  names: Names
  onEdit: (kind: 'edit' | 'move') => void
}

/** The status actions of a surgery. */
export function SurgeryActions({ surgery, names, onEdit }: SurgeryActionsProps) {
  const { status } = surgery
  const [openDialog, setOpenDialog] = useState<'cancel' | 'complete' | 'unsafe' | 'checklist' | null>(null)
  const { now, timeZone } = useClock()
  const { set, isBusy } = useStatus(surgeryKind, names, statusOptions)
  const [day, today] = [surgery.startsAt, now].map((moment) => dayAt(new Date(moment), timeZone)) as [string, string]
  const isOffered = (to: SurgeryStatus) => mayFollow(status, to) && !isTooEarly(to, day, today)
  const openPhases = surgery.safety.filter(({ outcome }) => outcome === null).map(({ phase }) => phase)
  const standardNext = defaultNext[status]
  const next = standardNext && isOffered(standardNext) ? standardNext : undefined
  const others = surgeryStatuses.filter((to): to is keyof typeof steps => to !== 'cancelled' && to !== next && isOffered(to))
  // Completed surgeries are corrected, not undone.
  const labelOf = (to: keyof typeof steps) =>
    status === 'cancelled' ? 'Book again' : status === 'completed' ? 'Mark as not completed' : steps[to].label
  const stepTo = (to: keyof typeof steps): Step => ({
    icon: steps[to].icon,
    label: labelOf(to),
    run() {
      if (to === 'completed' && openPhases.length > 0) setOpenDialog('unsafe')
      else if (to === 'completed' && surgery.missing.length > 0) setOpenDialog('complete')
      else void set(surgery, to)
    },
  })
  return (
    <>
      <StatusMenu
        noun="surgery"
        next={next && stepTo(next)}
        others={others.map(stepTo)}
        isBusy={isBusy}
        isMovable={isPlanned(status)}
        onEdit={onEdit}
        onCancel={mayFollow(status, 'cancelled') ? () => setOpenDialog('cancel') : undefined}
      />
      {openDialog === 'cancel' && (
        <CancelDialog
          surgery={surgery}
          isBusy={isBusy}
          onCancel={async (reason) => {
            if (await set(surgery, 'cancelled', { reason })) setOpenDialog(null)
          }}
          onClose={() => setOpenDialog(null)}
        />
      )}
      {openDialog === 'unsafe' && (
        <UnsafeDialog surgery={surgery} open={openPhases} onOpen={() => setOpenDialog('checklist')} onClose={() => setOpenDialog(null)} />
      )}
      {openDialog === 'checklist' && <SafetyScreen surgery={surgery} names={names} onClose={() => setOpenDialog(null)} />}
      {openDialog === 'complete' && (
        <CompleteDialog
          surgery={surgery}
          isBusy={isBusy}
          onComplete={async () => {
            if (await set(surgery, 'completed')) setOpenDialog(null)
          }}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </>
  )
}
