import type { CalendarOptions, EventDisplayInfo } from '@fullcalendar/react'
import { format, parseISO } from 'date-fns'
import { type Clock, formatTimeOfDay, today } from '../../../../web/ui/format.ts'
import type { AppointmentData } from '../appointment-data.ts'
import { typeLooks } from '../looks.ts'
import { type Names, timesInWords } from '../words.ts'
import { DayHead } from './DayHead.tsx'
import { EventFace } from './EventFace.tsx'
import { columnAt, type DayColumns, placeOf } from './events.ts'

interface Shown {
  view: 'month' | 'week' | 'day'
  byId: ReadonlyMap<string, AppointmentData>
  columns: DayColumns | null
  names: Names
  clock: Clock
}

/** The calendar's days are days of UTC. */
export const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

/** The ground of an appointment, by its kind; what is over, or off, steps back. What is being marked has none yet. */
const eventClass =
  ({ byId }: Shown) =>
  ({ event, isMirror, isDragging }: EventDisplayInfo): string => {
    const appointment = byId.get(event.id)
    const isOff = appointment?.status === 'no_show' || appointment?.status === 'cancelled'
    const ground = !appointment
      ? 'bg-accent-soft text-accent-fg'
      : isOff
        ? 'border border-dashed border-line-2 bg-surface text-fg-3'
        : appointment.status === 'completed'
          ? 'bg-hover text-fg-2'
          : typeLooks[appointment.type].face
    return `relative rounded-xs p-0.5 pr-1 outline-offset-1 select-none ${ground} ${isMirror || isDragging ? 'shadow-md' : ''}`
  }

const eventContent =
  ({ byId, columns, names, clock: { timeZone } }: Shown) =>
  ({ event, isShort, isNarrow, view: { type } }: EventDisplayInfo) => {
    const appointment = byId.get(event.id)
    const { startsAt, endsAt } = placeOf(event, { timeZone, columns })
    if (!appointment) return <span className="block truncate px-1 text-xs tabular-nums">{timesInWords(startsAt, endsAt, timeZone)}</span>
    return (
      <EventFace
        appointment={appointment}
        startsAt={startsAt}
        endsAt={endsAt}
        names={names}
        timeZone={timeZone}
        isShort={isShort || type === 'dayGridMonth'}
        isNarrow={isNarrow}
        hides={columns?.by ?? null}
      />
    )
  }

const dayHeaderContent =
  ({ view, columns, clock }: Shown) =>
  ({ date }: { date: Date }) => {
    const [day, column] = [isoDay(date), columns && columnAt(columns, isoDay(date))]
    if (column) return <span className="truncate px-1 text-sm font-medium">{column.name}</span>
    if (view === 'month') return <span className="px-1 text-xs font-medium text-fg-3">{format(parseISO(day), 'EEE')}</span>
    return <DayHead day={day} isToday={day === today(clock)} />
  }

const dayCellTopContent =
  ({ clock }: Shown) =>
  ({ date }: { date: Date }) => <DayHead day={isoDay(date)} isToday={isoDay(date) === today(clock)} short />

/** '9 a.m.' */
const slotHeaderContent = ({ date }: { date: Date }) =>
  date.getUTCHours() === 0 ? null : formatTimeOfDay(date.toISOString().slice(11, 16)).replace(':00', '')

/** What stands in the calendar's cells. */
export const gridContent = (shown: Shown): CalendarOptions => ({
  eventClass: eventClass(shown),
  eventContent: eventContent(shown),
  dayHeaderContent: dayHeaderContent(shown),
  dayCellTopContent: dayCellTopContent(shown),
  slotHeaderContent,
  dayHeaderDidMount({ el, date }) {
    // A column has another name than the day that stands for it.
    const column = shown.columns && columnAt(shown.columns, isoDay(date))
    if (column) el.setAttribute('aria-label', column.name)
  },
  eventDidMount({ el, event }) {
    el.dataset.appointment = event.id
  },
})
