import { Ban, CalendarClock, Check, CheckCheck, Ellipsis, type LucideIcon, Pause, Pencil, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import type { Names } from '../../../calendar/web/embed/names.ts'
import { Button } from '../../../../ui/Button.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '../../../../ui/DropdownMenu.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { lazyDialog } from '../../../../ui/lazy-dialog.tsx'
import { useClock } from '../../../../ui/client/session.ts'
import { isTooEarly, mayFollow, type SurgeryStatus, surgeryStatuses } from '../../rules.ts'
import type { SurgeryInList } from '../surgery-data.ts'
import { useSurgeryStatus } from '../useSurgeryStatus.ts'
import { isAwaited } from '../labels.ts'

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
  const { set, isBusy } = useSurgeryStatus(names)
  const [day, today] = [surgery.startsAt, now].map((moment) => dayAt(new Date(moment), timeZone)) as [string, string]
  const isOffered = (to: SurgeryStatus) => mayFollow(status, to) && !isTooEarly(to, day, today)
  const usual = defaultNext[status]
  const next = usual && isOffered(usual) ? usual : undefined
  const others = surgeryStatuses.filter((to): to is keyof typeof steps => to !== 'cancelled' && to !== next && isOffered(to))
  const Next = next && steps[next]
  // One that was completed is not undone but corrected.
  const labelOf = (to: keyof typeof steps) =>
    status === 'cancelled' ? 'Book again' : status === 'completed' ? 'Not completed after all' : steps[to].label

  function take(to: keyof typeof steps): void {
    if (to === 'completed' && surgery.missing.length > 0) setAsks('complete')
    else void set(surgery, to)
  }

  return (
    <>
      {Next && (
        <Button variant="filled" icon={<Next.icon />} disabled={isBusy} onClick={() => take(next)}>
          {labelOf(next)}
        </Button>
      )}
      {isAwaited(status) && (
        <Button icon={<CalendarClock />} onClick={() => onEdit('move')}>
          Move
        </Button>
      )}
      <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
        {others.map((to) => {
          const { icon: Icon } = steps[to]
          return (
            <MenuItem key={to} icon={<Icon />} disabled={isBusy} onSelect={() => take(to)}>
              {labelOf(to)}
            </MenuItem>
          )
        })}
        {others.length > 0 && <MenuSeparator />}
        <MenuItem icon={<Pencil />} onSelect={() => onEdit('edit')}>
          Edit
        </MenuItem>
        {mayFollow(status, 'cancelled') && (
          <MenuItem icon={<Ban />} danger onSelect={() => setAsks('cancel')}>
            Cancel surgery…
          </MenuItem>
        )}
      </DropdownMenu>
      {asks === 'cancel' && (
        <CancelDialog
          surgery={surgery}
          isBusy={isBusy}
          onCancel={async (reason) => {
            if (await set(surgery, 'cancelled', reason)) setAsks(null)
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
