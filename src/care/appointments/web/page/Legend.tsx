import { appointmentTypes, blockingStatuses } from '../../rules.ts'
import { typeStyles } from '../styles.ts'
import { StatusIcon } from '../StatusMark.tsx'
import { statusLabels, typeLabels } from '../embed/labels.ts'

/** The meaning of colours and status icons. */
export function Legend() {
  return (
    <footer className="flex min-h-9 flex-none flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1.5 text-xs text-fg-2 md:px-6">
      <ul aria-label="Colours" className="flex flex-wrap gap-x-4 gap-y-1">
        {appointmentTypes.map((type) => (
          <li key={type} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`h-3.5 w-[3px] rounded-full ${typeStyles[type].edge}`} />
            {typeLabels[type]}
          </li>
        ))}
      </ul>
      <ul aria-label="Statuses" className="flex flex-wrap gap-x-4 gap-y-1 max-md:hidden md:ml-auto">
        {[...blockingStatuses, 'no_show' as const].map((status) => (
          <li key={status} className="flex items-center gap-1.5">
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
