import FullCalendar, { type CalendarOptions, type CalendarRef } from '@fullcalendar/react'
import dayGrid from '@fullcalendar/react/daygrid'
import interaction from '@fullcalendar/react/interaction'
import '@fullcalendar/react/skeleton.css'
import timeGrid from '@fullcalendar/react/timegrid'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { DayHours } from '../../../../../platform/practice/rules.ts'
import type { Clock } from '../../../../../ui/format.ts'
import type { GridActions } from '../calendar-actions.ts'
import { columnsFrom, type DayColumns, eventsOf, placeOf } from './entries.ts'
import type { Entry } from './entry.ts'
import { type CalendarEvents, gridContent, isoDay } from './grid-content.tsx'
import { gridStyles } from './grid-styles.tsx'
import { useFocusOnEntries } from './useFocusOnEntries.ts'
import { titleOf } from '../periods.ts'
import { businessHours, scrollTime } from './open-hours.ts'
import { toWall } from './wall-clock.ts'

interface CalendarGridProps {
  view: 'month' | 'week' | 'day'
  day: string
  columns: DayColumns | null
  events: CalendarEvents
  hours: readonly DayHours[]
  clock: Clock
  actions: GridActions
}

const plugins = [dayGrid, timeGrid, interaction]
const views = { month: 'dayGridMonth', week: 'timeGridWeek', day: 'timeGridDay' }
const nothing: readonly Entry[] = []
/** Minutes per slot of the calendar. */
const step = 15

/** A month, a week or a day of bookings, for keyboard and pointer. */
export default function CalendarGrid({ view, day, columns, events, hours, clock, actions }: CalendarGridProps) {
  const { entries, background = nothing, render: renderEvent } = events
  const { mayChange, mayBook, isBooking, onOpen, onMove, onMark, onDay } = actions
  const { timeZone } = clock
  const calendar = useRef<CalendarRef>(null)
  const frame = useRef<HTMLDivElement>(null)
  const byId = useMemo(() => new Map(entries.map((entry) => [entry.id, entry])), [entries])
  const inputs = useMemo(
    () => [
      ...eventsOf(entries, { timeZone, columns, mayChange }),
      ...eventsOf(background, { timeZone, columns, mayChange: false }).map((event) => ({ ...event, display: 'background' })),
    ],
    [entries, background, timeZone, columns, mayChange],
  )
  const content = useMemo(() => gridContent({ view, byId, columns, renderEvent, clock }), [view, byId, columns, renderEvent, clock])
  useFocusOnEntries(frame, inputs)

  const shown = columns ? columnsFrom : day
  // Computed once, so that the grid does not jump when entries arrive.
  const [scroll] = useState(() =>
    scrollTime(
      hours,
      entries.map(({ startsAt }) => toWall(startsAt, timeZone).slice(11)),
    ),
  )
  useEffect(() => calendar.current?.getApi().gotoDate(shown), [shown])
  useEffect(() => {
    if (!isBooking) calendar.current?.getApi().unselect()
  }, [isBooking])

  function moved({ event }: { event: { id: string; startStr: string; endStr: string } }) {
    if (byId.has(event.id)) onMove(event.id, placeOf(event, { timeZone, columns }))
  }

  const options: CalendarOptions = {
    ...gridStyles,
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
    // A dragged event is held in the middle of its slot. With slots longer than a snap step it would drop one step late.
    slotDuration: { minutes: step },
    snapDuration: { minutes: step },
    slotHeaderInterval: { hours: 1 },
    slotMinHeight: 18,
    eventMinHeight: 24,
    eventShortHeight: 40,
    slotEventOverlap: false,
    scrollTime: scroll,
    scrollTimeReset: false,
    businessHours: view === 'month' ? false : businessHours(hours, columns?.day ?? null),
    events: inputs,
    eventDisplay: 'block',
    eventInteractive: true,
    eventOrder: 'start,title',
    editable: mayChange,
    // In a month, clicking a day opens it; times are selected in week and day views.
    selectable: mayBook && view !== 'month',
    selectMirror: true,
    unselectAuto: false,
    dragRevertDuration: 0,
    longPressDelay: 350,
    rowEventClass: 'mx-1 mb-0.5 min-h-6',
    columnEventClass: 'mb-px',
    columnEventAfterClass: ({ isEndResizable }) => (isEndResizable ? 'absolute inset-x-0 -bottom-px h-2' : ''),
    eventClick: ({ event, jsEvent }) => {
      jsEvent.preventDefault()
      onOpen(event.id)
    },
    eventDrop: moved,
    eventResize: moved,
    select: ({ startStr, endStr, allDay }) => onMark(placeOf({ startStr, endStr }, { timeZone, columns }), allDay),
    ...(view === 'month' && { dateClick: ({ dateStr }) => onDay(dateStr.slice(0, 10)) }),
    moreLinkClick({ date }) {
      onDay(isoDay(date))
    },
    // A single day is named in the toolbar. A column is named after its provider or room, not after its placeholder day.
    dayHeaders: view !== 'day' || columns !== null,
    titleFormat: () => titleOf(view, day),
    navLinks: view !== 'day',
    navLinkDayClick: (date) => onDay(isoDay(date)),
    navLinkHint: (date) => `Open ${date}`,
    navLinkClass: 'group/day rounded-xs',
  }

  return (
    <div ref={frame} className="relative min-h-0 flex-1" data-calendar={view}>
      <FullCalendar key={columns ? columns.columns.map(({ id }) => id).join() : view} ref={calendar} {...options} />
    </div>
  )
}
