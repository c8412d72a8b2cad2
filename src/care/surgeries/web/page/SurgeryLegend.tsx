import { blockingStatuses, shownStatuses } from '../../rules.ts'
import { statusStyles } from '../styles.ts'
import { StatusIcon } from '../StatusMark.tsx'
import { statusLabels } from '../labels.ts'

const shown = shownStatuses.filter((status) => status === 'ready' || blockingStatuses.some((one) => one === status))

/** The meaning of colours and status icons. */
export function SurgeryLegend() {
  return (
    <footer className="flex min-h-9 flex-none items-center border-t border-line px-4 py-1.5 text-xs text-fg-2 md:px-6">
      <ul aria-label="Statuses" className="flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((status) => (
          <li key={status} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`h-3.5 w-[3px] rounded-full ${statusStyles[status].edge}`} />
            <span aria-hidden="true" className="flex text-fg-3">
              <StatusIcon status={status} className="size-3!" />
            </span>
            {statusLabels[status]}
          </li>
        ))}
      </ul>
    </footer>
  )
}
