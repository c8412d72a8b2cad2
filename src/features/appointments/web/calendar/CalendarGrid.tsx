import FullCalendar, { type CalendarOptions, type CalendarRef } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import '@fullcalendar/react/skeleton.css'
import timeGrid from '@fullcalendar/react/timegrid'
import { useEffect, useMemo, useRef } from 'react'
import type { DayHours } from '../../../practice/rules.ts'
import type { Clock } from '../../../../web/ui/format.ts'
import type { AppointmentData } from '../appointment-data.ts'
import type { Names } from '../words.ts'
import { columnsFrom, type DayColumns, eventsOf, type Place, placeOf } from './events.ts'
import { gridContent, isoDay } from './grid-content.tsx'
import { gridLooks } from './grid-looks.ts'
import { useFocusOnEvents } from './useFocusOnEvents.ts'
import { titleOf } from '../page/periods.ts'
import { businessHours, scrollTime } from './open-hours.ts'
import { toWall } from './wall-clock.ts'

interface CalendarGridProps {
  view: 'month' | 'week' | 'day'
  day: string
  columns: DayColumns | null
  appointments: readonly AppointmentData[]
  hours: readonly DayHours[]
  names: Names
  clock: Clock
  mayChange: boolean
  mayBook: boolean
  /** Something is being booked: what was marked for it stays marked. */
  isBooking: boolean
  onOpen: (id: string) => void
  onMove: (appointment: AppointmentData, place: Place) => void
  /** A time was marked; a day alone in a month. */
  onMark: (place: Place, isWholeDay: boolean) => void
  onDay: (day: string) => void
}

const plugins = [dayGrid, timeGrid, interaction]
const views = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' }
/** Minutes between the places where something can be dropped. */
const step = 15

/** A month, a week or a day of appointments, by hand and by the pointer. */
export default function CalendarGrid(props: CalendarGridProps) {
  const { view, day, columns, appointments, hours, names, clock, mayChange, mayBook, isBooking } = props
  const { timeZone } = clock
  const calendar = useRef<CalendarRef>(null)
  const frame = useRef<HTMLDivElement>(null)
  const byId = useMemo(() => new Map(appointments.map((appointment) => [appointment.id, appointment])), [appointments])
  const events = useMemo(() => eventsOf(appointments, { timeZone, columns, mayChange }), [appointments, timeZone, columns, mayChange])
  const content = useMemo(() => gridContent({ view, byId, columns, names, clock }), [view, byId, columns, names, clock])
  useFocusOnEvents(frame, events)

  const shown = columns ? columnsFrom : day
  useEffect(() => calendar.current?.getApi().gotoDate(shown), [shown])
  useEffect(() => {
    if (!isBooking) calendar.current?.getApi().unselect()
  }, [isBooking])

  function moved({ event }: { event: { id: string; startStr: string; endStr: string } }) {
    const appointment = byId.get(event.id)
    if (appointment) props.onMove(appointment, placeOf(event, { timeZone, columns }))
  }

  const options: CalendarOptions = {
    ...gridLooks,
    ...content,
    plugins,
    initialView: columns ? 'columns' : views[view],
    initialDate: shown,
    views: { columns: { type: 'timeGrid', duration: { days: columns?.columns.length ?? 1 }, nowIndicator: false } },
    timeZone: 'UTC',
    now: toWall(new Date(clock.now), timeZone),
    firstDay: 1,
    headerToolbar: false,
    height: '100%',
    fixedWeekCount: false,
    dayMaxEvents: true,
    allDaySlot: false,
    nowIndicator: true,
    slotDuration: { minutes: 30 },
    snapDuration: { minutes: step },
    slotHeaderInterval: { hours: 1 },
    slotMinHeight: 36,
    eventMinHeight: 24,
    eventShortHeight: 40,
    slotEventOverlap: false,
    scrollTime: scrollTime(hours),
    scrollTimeReset: false,
    businessHours: view === 'month' ? false : businessHours(hours, columns?.day ?? null),
    events,
    eventDisplay: 'block',
    eventInteractive: true,
    eventOrder: 'start,title',
    editable: mayChange,
    selectable: mayBook,
    selectMirror: true,
    unselectAuto: false,
    dragRevertDuration: 0,
    longPressDelay: 350,
    rowEventClass: 'mx-1 mb-0.5 min-h-6',
    columnEventClass: 'mb-px',
    columnEventAfterClass: ({ isEndResizable }) => (isEndResizable ? 'absolute inset-x-0 -bottom-px h-2' : ''),
    eventClick: ({ event, jsEvent }) => {
      jsEvent.preventDefault()
      props.onOpen(event.id)
    },
    eventDrop: moved,
    eventResize: moved,
    select: ({ startStr, endStr, allDay }) => props.onMark(placeOf({ startStr, endStr }, { timeZone, columns }), allDay),
    moreLinkClick({ date }) {
      props.onDay(isoDay(date))
    },
    // A day alone is named above; a column has another name than the day that stands for it.
    dayHeaders: view !== 'day' || columns !== null,
    titleFormat: () => titleOf(view, day),
    navLinks: view !== 'day',
    navLinkDayClick: (date) => props.onDay(isoDay(date)),
    navLinkHint: (words) => `Open ${words}`,
    navLinkClass: 'group/day rounded-xs',
  }

  return (
    <div ref={frame} className="relative min-h-0 flex-1" data-calendar={view}>
      <FullCalendar key={columns ? columns.columns.map(({ id }) => id).join() : view} ref={calendar} {...options} />
    </div>
  )
}
