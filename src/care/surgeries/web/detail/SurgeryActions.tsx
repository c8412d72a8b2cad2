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
import { isAwaited, statusLabels } from '../labels.ts'

const CancelDialog = lazyDialog(
  () => import('./CancelDialog.tsx'),
  ({ onClose }) => onClose(),
)

const CompleteDialog = lazyDialog(
  () => import('./CompleteDialog.tsx'),
  ({ onClose }) => onClose(),
)

const steps: Record<Exclude<SurgeryStatus, 'cancelled'>, { label: string; icon: LucideIcon }> = {
  tentative: { label: 'Back to tentative', icon: RotateCcw },
  confirmed: { label: 'Confirm', icon: Check },
  completed: { label: 'Complete', icon: CheckCheck },
  postponed: { label: 'Postpone', icon: Pause },
}
/** What comes next as a rule. */
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
  // A cancelled case can only be booked again as tentative, and one that was cancelled has lost its reason.
  wayBack: (from, to) => (to === 'cancelled' || !mayFollow(from, to) ? null : [to]),
  advice: 'Move it first.',
}

interface SurgeryActionsProps {
  surgery: SurgeryInList
  names: Names
  onEdit: (kind: 'edit' | 'move') => void
}

/** What becomes of a surgery: its next step, and whatever else may follow. */
export function SurgeryActions({ surgery, names, onEdit }: SurgeryActionsProps) {
  const { status } = surgery
  const [asks, setAsks] = useState<'cancel' | 'complete' | null>(null)
  const { now, timeZone } = useClock()
  const { set, isBusy } = useStatus(surgeryKind, names, statusOptions)
  const [day, today] = [surgery.startsAt, now].map((moment) => dayAt(new Date(moment), timeZone)) as [string, string]
  const isOffered = (to: SurgeryStatus) => mayFollow(status, to) && !isTooEarly(to, day, today)
  const usual = defaultNext[status]
  const next = usual && isOffered(usual) ? usual : undefined
  const others = surgeryStatuses.filter((to): to is keyof typeof steps => to !== 'cancelled' && to !== next && isOffered(to))
  // One that was completed is not undone but corrected.
  const labelOf = (to: keyof typeof steps) =>
    status === 'cancelled' ? 'Book again' : status === 'completed' ? 'Not completed after all' : steps[to].label
  const stepTo = (to: keyof typeof steps): Step => ({
    icon: steps[to].icon,
    label: labelOf(to),
    take: () => (to === 'completed' && surgery.missing.length > 0 ? setAsks('complete') : void set(surgery, to)),
  })
  return (
    <>
      <StatusMenu
        noun="surgery"
        next={next && stepTo(next)}
        others={others.map(stepTo)}
        isBusy={isBusy}
        isMovable={isAwaited(status)}
        onEdit={onEdit}
        onCancel={mayFollow(status, 'cancelled') ? () => setAsks('cancel') : undefined}
      />
      {asks === 'cancel' && (
        <CancelDialog
          surgery={surgery}
          isBusy={isBusy}
          onCancel={async (reason) => {
            if (await set(surgery, 'cancelled', { reason })) setAsks(null)
          }}
          onClose={() => setAsks(null)}
        />
      )}
      {asks === 'complete' && (
        <CompleteDialog
          surgery={surgery}
          isBusy={isBusy}
          onComplete={async () => {
            if (await set(surgery, 'completed')) setAsks(null)
          }}
          onClose={() => setAsks(null)}
        />
      )}
    </>
  )
}
