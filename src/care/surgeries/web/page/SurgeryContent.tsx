import { EventContent } from '../../../calendar/web/embed/grid/EventContent.tsx'
import type { EventSituation } from '../../../calendar/web/embed/grid/grid-content.tsx'
import type { Names } from '../../../calendar/web/embed/names.ts'
import { ProcedureDots } from '../../../../crm/procedures/web/embed/ProcedureDots.tsx'
import { formatProcedures, isPlanned } from '../labels.ts'
import { statusStyles } from '../styles.ts'
import { StatusIcon } from '../StatusMark.tsx'
import type { SurgeryInList } from '../surgery-data.ts'

interface SurgeryContentProps {
  surgery: SurgeryInList
  situation: EventSituation
  names: Names
  timeZone: string
}

/** A surgery in the calendar. */
export function SurgeryContent({ surgery, ...rest }: SurgeryContentProps) {
  const { status, shownStatus, surgeonId, roomId, missing } = surgery
  const procedures = formatProcedures(surgery)
  const icon = <StatusIcon status={shownStatus} className="size-3!" />
  return (
    <EventContent
      {...rest}
      booking={surgery}
      where={{ providerId: surgeonId, roomId }}
      style={{ edge: statusStyles[shownStatus].edge, icon, isOff: status === 'cancelled' }}
      what={procedures}
    >
      {(times, where) => (
        <>
          <span className="truncate tabular-nums">{times}</span>
          <span className="flex min-w-0 items-center gap-1">
            <ProcedureDots ids={surgery.procedures.map(({ id }) => id)} />
            <span className="truncate">{procedures}</span>
          </span>
          {where}
          {isPlanned(status) && missing.length > 0 && <span className="truncate tabular-nums">{missing.length} missing</span>}
        </>
      )}
    </EventContent>
  )
}
