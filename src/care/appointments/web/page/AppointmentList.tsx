import { CalendarDays } from 'lucide-react'
import { toLocal } from '../../../../shared/zoned-time.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cn } from '../../../../ui/cn.ts'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { type Clock, formatDayHeading, formatTime } from '../../../../ui/format.ts'
import { None } from '../../../../ui/display/Table.tsx'
import { SameNameMark } from '../../../calendar/web/embed/booking/SameName.tsx'
import { lengthOf } from '../../../calendar/web/embed/grid/entry.ts'
import { type Names, providerName, roomName } from '../../../calendar/web/embed/names.ts'
import { formatDuration } from '../../../calendar/web/embed/times.ts'
import type { CalendarPage } from '../../../calendar/web/embed/useCalendarPage.ts'
import { type AppointmentData, patientName } from '../appointment-data.ts'
import { typeStyles } from '../styles.ts'
import { StatusBadge } from '../StatusMark.tsx'
import { typeLabels } from '../embed/labels.ts'

interface AppointmentListProps {
  appointments: readonly AppointmentData[]
  page: CalendarPage
  onOpen: (id: string) => void
  onClear: () => void
  onBook: (() => void) | undefined
}

/** Appointments by day. */
export function AppointmentList({ appointments, page, onOpen, onClear, onBook }: AppointmentListProps) {
  const { names, clock, narrow, search } = page
  if (appointments.length === 0) {
    return search.provider || search.room ? (
      <EmptyState icon={<CalendarDays />} title="No matching appointments" actions={<Button onClick={onClear}>Clear filters</Button>}>
        Clear the provider or room filter to see more.
      </EmptyState>
    ) : (
      <EmptyState
        icon={<CalendarDays />}
        title="No appointments in these two weeks"
        actions={onBook && <Button onClick={onBook}>Book appointment</Button>}
      >
        Consults, pre-op and post-op visits, and treatments appear here by day.
      </EmptyState>
    )
  }
  const days = [...Map.groupBy(appointments, ({ startsAt }) => toLocal(startsAt, clock.timeZone).day)]
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto" data-scroll-restoration-id="appointments">
      {days.map(([day, ofDay]) => (
        <section key={day} aria-label={formatDayHeading(ofDay[0]!.startsAt, clock)}>
          <h3 className="sticky top-0 z-(--z-sticky) flex h-(--row-head) items-center border-b border-line bg-subtle px-4 text-xs font-medium text-fg-3 md:px-6">
            {formatDayHeading(ofDay[0]!.startsAt, clock)}
            <span className="ml-auto tabular-nums">{ofDay.length}</span>
          </h3>
          <ul>
            {ofDay.map((appointment) => (
              <li key={appointment.id} className="border-b border-line">
                <button
                  type="button"
                  data-entry={appointment.id}
                  onClick={() => onOpen(appointment.id)}
                  className={cn(
                    'grid w-full items-center gap-x-3 px-4 text-left outline-offset-[-2px] hover:bg-hover md:px-6',
                    narrow
                      ? 'min-h-17 grid-cols-[4.5rem_minmax(0,1fr)_auto]'
                      : 'min-h-(--row) grid-cols-[5.5rem_minmax(0,1fr)_8rem_12rem_10rem_7rem]',
                  )}
                >
                  <Row appointment={appointment} names={names} clock={clock} narrow={narrow} />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Row({ appointment, names, clock, narrow }: { appointment: AppointmentData; names: Names; clock: Clock; narrow: boolean }) {
  const { type, status, startsAt, providerId, roomId } = appointment
  const isOff = status === 'no_show' || status === 'cancelled'
  const [provider, room] = [providerName(providerId, names), roomName(roomId, names)]
  const mark = <span aria-hidden="true" className={`h-3.5 w-[3px] flex-none rounded-full ${typeStyles[type].edge}`} />
  return (
    <>
      <span className="text-sm tabular-nums">
        <span className="block text-fg">{formatTime(startsAt, clock.timeZone)}</span>
        <span className="block text-xs text-fg-3">{formatDuration(lengthOf(appointment))}</span>
      </span>
      <span className="min-w-0">
        <span className={cn('block truncate font-medium', narrow ? 'text-title' : 'text-sm', isOff ? 'text-fg-3 line-through' : 'text-fg')}>
          {patientName(appointment)}
        </span>
        {narrow && (
          <span className="flex items-center gap-1.5 truncate text-sm text-fg-2">
            {mark}
            <span className="truncate">{[typeLabels[type], provider ?? room].filter(Boolean).join(' · ')}</span>
          </span>
        )}
        <SameNameMark booking={appointment} />
      </span>
      {!narrow && (
        <>
          <span className="flex items-center gap-1.5 text-sm text-fg-2">
            {mark}
            {typeLabels[type]}
          </span>
          <span className="truncate text-sm text-fg-2">{provider ?? <None />}</span>
          <span className="truncate text-sm text-fg-2">{room ?? <None />}</span>
        </>
      )}
      <span className="flex">
        <StatusBadge status={status} />
      </span>
    </>
  )
}
