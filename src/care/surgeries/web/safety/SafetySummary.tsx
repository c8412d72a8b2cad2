import { CircleCheckBig, CircleDashed, CircleSlash, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { dayAt } from '../../../../shared/zoned-time.ts'
import { type Names, providerName } from '../../../calendar/web/embed/names.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatTime, today } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { blockingStatuses } from '../../rules.ts'
import { phaseLabels } from '../../safety-rules.ts'
import type { SurgeryInList } from '../surgery-data.ts'

export const SafetyScreen = lazyDialog(
  () => import('./SafetyScreen.tsx'),
  ({ onClose }) => onClose(),
)

const icons = { confirmed: CircleCheckBig, waived: CircleSlash, open: CircleDashed }

/** How far the safety checklist of a surgery is. Opens it for those who may answer it, from the day of the surgery on. */
export function SafetySummary({ surgery, names }: { surgery: SurgeryInList; names: Names }) {
  const clock = useClock()
  const mayOpen = usePermission()('safetyChecklists.get')
  const [isOpen, setOpen] = useState(false)
  const { safety, status, startsAt } = surgery
  const isClosed = safety.every(({ outcome }) => outcome !== null)
  if (!blockingStatuses.includes(status)) return null
  const isAhead = today(clock) < dayAt(new Date(startsAt), clock.timeZone)
  return (
    <div role="group" aria-label="Safety checklist">
      <div className="flex min-h-8 items-center gap-2 border-b border-line pb-1.5">
        <h3 className="text-sm font-semibold text-fg">Safety checklist</h3>
        <span className="text-sm text-fg-3 tabular-nums">
          {safety.filter(({ outcome }) => outcome !== null).length} of {safety.length} phases done
        </span>
        {mayOpen && !isAhead && (
          <Button
            size="sm"
            variant={isClosed ? 'quiet' : 'outlined'}
            icon={<ShieldCheck />}
            className="ml-auto"
            onClick={() => setOpen(true)}
          >
            Open checklist
          </Button>
        )}
      </div>
      <ul className="pt-1">
        {safety.map(({ phase, outcome, closedAt, closedBy }) => {
          const state = outcome ?? 'open'
          const Icon = icons[state]
          const by = providerName(closedBy, names)
          return (
            <li key={phase} className="flex min-h-8 items-center gap-2.5 text-sm">
              <Icon aria-hidden="true" className={`flex-none ${state === 'confirmed' ? 'text-success-fg' : 'text-fg-3'}`} />
              <span className="flex-1 text-fg">{phaseLabels[phase].name}</span>
              <span className="text-right text-xs text-fg-3 tabular-nums">
                {closedAt === null
                  ? 'Open'
                  : [state === 'waived' ? 'Waived' : 'Confirmed', formatTime(closedAt, clock.timeZone), by && `by ${by}`]
                      .filter(Boolean)
                      .join(' ')}
              </span>
            </li>
          )
        })}
      </ul>
      {isAhead && !isClosed && <p className="text-xs text-fg-3">Begins on the day of the surgery.</p>}
      {isOpen && <SafetyScreen surgery={surgery} names={names} onClose={() => setOpen(false)} />}
    </div>
  )
}
