import { EventContent } from '../../../calendar/web/embed/grid/EventContent.tsx'
import type { EventSituation } from '../../../calendar/web/embed/grid/grid-content.tsx'
import type { Names } from '../../../calendar/web/embed/names.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { typeLabels } from '../embed/labels.ts'
import { typeStyles } from '../styles.ts'
import { StatusIcon } from '../StatusMark.tsx'

interface AppointmentContentProps {
  appointment: AppointmentData
  situation: EventSituation
  names: Names
  timeZone: string
}

/** An appointment in the calendar. */
export function AppointmentContent({ appointment, ...rest }: AppointmentContentProps) {
  const { type, status } = appointment
  const icon = <StatusIcon status={status} className="size-3!" />
  return (
    <EventContent
      {...rest}
      booking={appointment}
      where={appointment}
      style={{ edge: typeStyles[type].edge, icon, isOff: status === 'no_show' || status === 'cancelled' }}
      what={typeLabels[type]}
    >
      {(times, where) => (
        <>
          <span className="truncate tabular-nums">
            {times}
            <span> · {typeLabels[type]}</span>
          </span>
          {where}
        </>
      )}
    </EventContent>
  )
}
